"""How many tokens of published sets follow the thinking: tags, answers and confidences alone.

    python results/tokens.py MODEL     # a folder with the tokenizer that the trained models share

Writes results/tokens.jsonl, which docs/results/overview.md reports. Archives hold texts, and no tokenizer.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from results.goal_tables import ATTEMPTS
from results.records import unpack
from results.trainings import MBPP
from setwise.records.files import Record, dump_record, read_records, replacing

HERE = Path(__file__).parent
MEASURED = HERE / "tokens.jsonl"
RUNS = [*(run for _, _, runs in ATTEMPTS for run in runs), *MBPP.of("rlvr-multi")]
"""Sets: every attempt at credit per answer and, where answers are long, the paper's without confidences."""


def main(model: str) -> None:
    from transformers import AutoTokenizer  # takes seconds, and whoever reads the record needs none

    tokenizer = AutoTokenizer.from_pretrained(model)
    with replacing(MEASURED) as out:
        for record in measured(lambda text: len(tokenizer(text)["input_ids"])):
            print(record, flush=True)
            out.write(dump_record(record))


def measured(tokens_in: Callable[[str], int]) -> Iterator[Record]:
    for archive in dict.fromkeys(archive for archive, _ in RUNS):
        with TemporaryDirectory() as scratch:
            unpack(HERE / f"{archive}.tar.xz", Path(scratch))
            for run in (run for its_archive, run in RUNS if its_archive == archive):
                texts = [each["text"] for _, each in read_records(Path(scratch) / "eval" / run / "samples.jsonl")]
                yield {"archive": archive, "run": run, "after_thinking": fmean(after_thinking(texts, tokens_in))}


def after_thinking(texts: list[str], tokens_in: Callable[[str], int]) -> Iterator[int]:
    """Of each completion, with the token that ends it. One that never ends its thinking is left out.

    >>> list(after_thinking(["<think> a b </think> c d", "<think> a"], lambda text: len(text.split())))
    [3]
    """
    for text in texts:
        _, ended, rest = text.partition("</think>")
        if ended:
            yield tokens_in(rest) + 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
