r"""Learning curves of two samplers, for docs/concepts/rollouts.md: the decoder in the training process, and vLLM.

    for s in 0 1; do for backend in shared vllm; do
      setwise train recipes/small/ddxplus/rlvr-multi.yaml --set model.path=Qwen/Qwen2.5-Coder-0.5B-Instruct \
        --set generation.prompts_per_step=16 --set optimisation.steps=68 \
        --set optimisation.learning_rate=4e-6 --set run.seed=$s --set generation.backend=$backend \
        --set run.folder=runs/engines/$backend-$s
    done; done
    python results/engines.py collect runs/engines/*    # writes their logs' curves to results/engines.jsonl
    python results/engines.py write                     # writes the table of the document
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.blocks import with_block
from results.collecting import collect_or_write, one_line_each, records_in
from setwise.records.files import Record, read_records

MEASURED = Path(__file__).with_suffix(".jsonl")
DOCUMENT = Path(__file__).parents[1] / "docs" / "concepts" / "rollouts.md"
CURVES = ("coverage", "tokens", "entropy")
QUARTERS = 4


def curves_of(run: Path) -> Record:
    """What one run's log says of each step. The folder is named BACKEND-SEED."""
    backend, _, seed = run.name.rpartition("-")
    log = [line for _, line in read_records(run / "log.jsonl") if CURVES[0] in line]
    return {"backend": backend, "seed": int(seed), **{name: [round(line[name], 4) for line in log] for name in CURVES}}


def quarters(run: Record, curve: str) -> list[float]:
    """Means over the first, second, third and last quarter of the steps."""
    values = run[curve]
    size = len(values) // QUARTERS
    return [fmean(values[start : start + size]) for start in range(0, QUARTERS * size, size)]


def with_table(text: str) -> str:
    return with_block(text, "learning curves", _table(records_in(MEASURED)))


def _table(runs: Sequence[Record]) -> Iterator[str]:
    yield "| backend | seed | coverage, by quarter of the steps | tokens, last quarter |"
    yield "| --- | ---: | --- | ---: |"
    for run in runs:
        coverage = " ".join(f"{value:.2f}" for value in quarters(run, "coverage"))
        yield f"| `{run['backend']}` | {run['seed']} | {coverage} | {quarters(run, 'tokens')[-1]:.0f} |"


if __name__ == "__main__":
    sys.exit(collect_or_write(sys.argv[1:], __doc__, one_line_each(MEASURED, curves_of), (DOCUMENT, with_table)))
