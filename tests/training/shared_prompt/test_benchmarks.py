import json
from pathlib import Path

import pytest
import torch

from benchmarks import rollouts, step, update
from benchmarks.updating.workloads import WORKLOADS
from benchmarks.ways import measure_in_turn

torch.set_num_threads(1)


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_workloads_have_the_lengths_they_are_named_for(workload):
    lengths = [length for _, lengths in workload.draw().groups for length in lengths]
    assert len(lengths) == workload.group * workload.groups
    assert max(lengths) == workload.longest
    assert sum(lengths) / len(lengths) == pytest.approx(workload.mean, rel=0.01)


@pytest.mark.slow
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
        changed = {key for key in ours[0] if engine.get(key) != ours[0][key]}
        if "max_num_seqs" in changed:
            changed.remove("compilation_config")  # no graph is larger than the sequences in flight
        assert len(changed) + (sampling != ours[1]) == 1, way


def test_ways_get_ready_together_and_run_one_by_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    script = tmp_path / "way.py"
    script.write_text(
        "import sys, time\n"
        f"sys.path.insert(0, {str(Path(__file__).parents[3])!r})\n"
        "from benchmarks.ways import tell, wait_for_turn\n"
        "way = sys.argv[-1]\n"
        "if way == 'broken': print('no such model'); sys.exit(3)\n"
        "ready = time.monotonic()\n"
        "wait_for_turn()\n"
        "began = time.monotonic()\n"
        "time.sleep(0.2)\n"
        "tell({'way': way, 'ready': ready, 'began': began, 'ended': time.monotonic()})\n"
    )
    first, broken, second = measure_in_turn(str(script), ["first", "broken", "second"], [])
    assert broken is None
    assert "broken: failed with exit status 3\nno such model" in capsys.readouterr().out
    assert first
    assert second
    assert max(first["ready"], second["ready"]) <= first["began"]
    assert first["ended"] <= second["began"]
