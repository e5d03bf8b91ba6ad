"""Whether runs with the same ids were asked the same problems. Otherwise they cannot be paired."""

import hashlib
import json
from collections.abc import Iterator, Mapping

from setwise.errors import InputError
from setwise.records.files import Record, parse_record
from setwise.records.run import RunFolder

ASKED = ("question", "golds", "tests", "setup")
"""What, besides its id, must be equal for a problem to be the same in two runs."""


def require_same_problems(runs: Mapping[str, RunFolder]) -> None:
    """Refuse runs in which one id stands for two different problems, because they cannot be paired.

    Runs with the same task fingerprint need no look at their samples. A problem with no question on record, as in
    published records without the dataset's rows, is assumed to be the same.
    """
    fingerprints = {folder.fingerprint() for folder in runs.values()}
    if len(fingerprints) == 1 and None not in fingerprints:
        return
    known: dict[str, tuple[str, bytes]] = {}
    for name, folder in runs.items():
        for problem, digest in _asked_problems(folder):
            first, seen = known.setdefault(problem, (name, digest))
            if seen != digest:
                raise InputError(
                    f"the problem has another question or other right answers in {name} than in {first}",
                    place=f"problem {problem}",
                    remedy="compare runs on one task with the same data and options",
                )


def _asked_problems(folder: RunFolder) -> Iterator[tuple[str, bytes]]:
    """The id of every problem in the samples, with a digest of what was asked."""
    if not folder.samples.is_file():
        return
    heads: set[int] = set()
    with folder.samples.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            # The problem comes before the sample's number, so further samples of a problem need no parsing.
            head = line.partition(b'"sample": ')[0]
            if (b'"problem": ' in head and hash(head) in heads) or not line.endswith(b"\n"):
                continue
            heads.add(hash(head))
            problem: Record | str | int = parse_record(line, f"{folder.samples}:{number}")["problem"]
            if isinstance(problem, dict) and problem.get("question"):
                asked = json.dumps([problem.get(name) for name in ASKED])
                yield str(problem["id"]), hashlib.blake2b(asked.encode(), digest_size=16).digest()
