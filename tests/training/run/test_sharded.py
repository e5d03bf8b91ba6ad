"""FSDP2 over two CPU processes: what recipes/accelerate/fsdp2.yaml asks for, with gloo instead of NCCL."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
WORKER = Path(__file__).with_name("sharded_on_cpu.py")
STEPS = 3


def environment() -> dict[str, str]:
    """As `accelerate launch` would set it."""
    config = yaml.safe_load((ROOT / "recipes/accelerate/fsdp2.yaml").read_text(encoding="utf-8"))
    asked = {name.upper(): str(value).lower() for name, value in config["fsdp_config"].items()}
    asked |= {name: asked[name].upper() for name in ("FSDP_AUTO_WRAP_POLICY", "FSDP_STATE_DICT_TYPE")}
    kept = {"ACCELERATE_USE_FSDP": "true", "ACCELERATE_USE_CPU": "true", "OMP_NUM_THREADS": "1"}
    # Weights on rank 0 alone are sent over on the device they load on, which has to be a GPU.
    return {**os.environ, "PYTHONPATH": str(ROOT), **asked, **kept, "FSDP_CPU_RAM_EFFICIENT_LOADING": "false"}


def train(start: Path, folder: Path) -> None:
    launcher = ["-m", "torch.distributed.run", "--nproc-per-node", "2", "--rdzv-backend", "c10d"]
    launcher += ["--rdzv-endpoint", "localhost:0", str(WORKER), "train", "recipes/demo/rlvr-multi.yaml"]
    changes = [
        f"model.path={start}",
        "warm_start=null",
        f"run.folder={folder}",
        f"optimisation.steps={STEPS}",
        "run.save_every=1",
        "optimisation.micro_batch=16",
        "generation.prompts_per_step=4",
    ]
    words = [word for change in changes for word in ("--set", change)]
    done = subprocess.run(
        [sys.executable, *launcher, *words], cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.slow
def test_a_sharded_training_saves_resumes_and_leaves_a_model_that_loads(start: Path, tmp_path: Path):
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModelForCausalLM

    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    train(start, whole)
    notes = json.loads((whole / "model" / "setwise.json").read_text(encoding="utf-8"))
    assert "its weights are spread over processes" in json.dumps(notes)
    assert "shared prompt" in json.dumps(notes)

    shutil.copytree(whole, stopped)
    shutil.rmtree(stopped / "model")
    shutil.rmtree(stopped / "checkpoints" / f"checkpoint-{STEPS}")
    train(start, stopped)
    expected, found = (load_file(run / "model" / "model.safetensors") for run in (whole, stopped))
    assert expected.keys() == found.keys()
    assert all(torch.equal(expected[name], found[name]) for name in expected)

    before, after = (AutoModelForCausalLM.from_pretrained(each).state_dict() for each in (start, whole / "model"))
    assert all(0 < float((after[name] - before[name]).abs().max()) < 0.1 for name in before)
