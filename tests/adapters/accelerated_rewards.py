"""What each process of `accelerate launch` runs: all pairs scored, and every process's rewards written by the first."""

import json
import sys
from pathlib import Path


def main(pairs_file: str, out: str) -> None:
    from accelerate import Accelerator
    from accelerate.utils import gather_object

    from setwise.adapters.verl import compute_score

    accelerator = Accelerator(cpu=True)
    pairs = json.loads(Path(pairs_file).read_text())
    rewards = [compute_score("setwise", text, ground_truth)["score"] for text, ground_truth in pairs]
    everyone = gather_object([rewards])
    if accelerator.is_main_process:
        Path(out).write_text(json.dumps(everyone))


if __name__ == "__main__":
    main(*sys.argv[1:])
