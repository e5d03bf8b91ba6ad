import json
from pathlib import Path

import pytest
import torch

from benchmarks import rollouts, step, update
from benchmarks.updating.workloads import WORKLOADS

torch.set_num_threads(1)


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_workloads_have_the_lengths_they_are_named_for(workload):
    lengths = [length for _, lengths in workload.draw().groups for length in lengths]
    assert len(lengths) == workload.group * workload.groups
    assert max(lengths) == workload.longest
    assert sum(lengths) / len(lengths) == pytest.approx(workload.mean, rel=0.01)


def test_the_update_benchmark_runs_both_paths(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert update.main(["--tiny", "--json", str(tmp_path / "update.json")]) == 0
    found = json.loads((tmp_path / "update.json").read_text())
    (shape,) = found["shapes"]
    assert shape["paths"]["shared"]["tokens"] < shape["paths"]["stock"]["tokens"]
    assert max(found["rounding"].values()) < 1e-5
    assert "| tiny | shared |" in capsys.readouterr().out


@pytest.mark.skipif(torch.cuda.is_available(), reason="says that it needs a GPU only where there is none")
def test_without_a_gpu_the_benchmarks_say_so(capsys: pytest.CaptureFixture[str]):
    assert update.main([]) == 2
    assert rollouts.main(["model"]) == 2
    assert step.main(["model", "recipe.yaml"]) == 2
    assert capsys.readouterr().err.count("needs a GPU") == 3


def test_each_ablation_puts_one_setting_back():
    ours = rollouts.settings_of("ours", 1536)
    for way in rollouts.ABLATIONS:
        engine, sampling = rollouts.settings_of(way, 1536)
        changed = [key for key in ours[0] if engine.get(key) != ours[0][key]]
        assert len(changed) + (sampling != ours[1]) == 1, way
