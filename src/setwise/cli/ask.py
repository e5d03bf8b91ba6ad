"""`setwise ask`: answers questions with ranked answers and their confidences."""

import argparse
import codecs
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from setwise.cli.asking import add_asking_arguments, choices_of, loaded
from setwise.cli.terminal import print_table
from setwise.errors import InputError
from setwise.records.files import json_text, parse_record
from setwise.serving.answers import Answered

HELP = """Ask a model, and print its answers with their confidences. No gold answers are needed.

  setwise ask runs/clinic "Fever and a productive cough?"
  setwise ask runs/clinic --file questions.jsonl --json > answers.jsonl
  setwise ask runs/clinic "Fever?" --samples 5 --profile profile.json --alpha 0.1

MODEL is a folder of `setwise train`, a model folder, or hf:PATH, vllm:PATH, openai:NAME[@URL], scripted:FILE.
A file has one question per line, as text or as JSON with "question" (or "problem": {"question": ...}). Without QUESTION
and --file, setwise reads standard input in the same format."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_asking_arguments(parser)
    parser.add_argument(
        "question", nargs="?", metavar="QUESTION", help="what to ask (default: read --file or standard input)"
    )
    parser.add_argument("--file", type=Path, metavar="FILE", help="questions, one per line, as text or JSON")
    parser.add_argument(
        "--samples", type=int, help="completions to merge into one set (default: the profile's, else 1)"
    )
    parser.add_argument(
        "--alpha", type=float, help="keep enough answers that the risk of no right one is at most this; needs a profile"
    )
    parser.add_argument("--seed", type=int, help="sampling seed; the same seed gives the same answers")
    parser.add_argument("--json", action="store_true", help="print one JSON object per question instead of a table")


def run(args: argparse.Namespace) -> int:
    if args.question is not None and args.file is not None:
        raise InputError("a question is given as an argument or in --file, not both", value=args.question)
    if args.question is not None and not args.question.strip():
        raise InputError("a question must not be empty")
    model = loaded(args, choices_of(args))
    model.reader.require_profile(args.alpha)
    questions = iter([args.question]) if args.question is not None else _read(args.file)
    for answered in model.ask_all(questions, samples=args.samples, alpha=args.alpha, seed=args.seed):
        if args.json:
            print(_json(answered), flush=True)  # noqa: T201
        else:
            _show(answered)
    return 0


def _read(file: Path | None) -> Iterator[str]:
    """The questions of a file or of standard input. Lines that are JSON objects are read as such."""
    place = file or "standard input"
    found = False
    try:
        with file.open("rb") if file else sys.stdin.buffer as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    found = True
                    yield _question(line.strip(), f"{place}:{number}")
    except OSError as error:
        raise InputError(f"the file cannot be read ({error.strerror})", place=place) from None
    if not found:
        raise InputError("there is no question", place=place)


def _question(line: bytes, place: str) -> str:
    if not line.startswith(b"{"):
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError:
            raise InputError("a question must be UTF-8", place=place) from None
    record = parse_record(line, place)
    problem = record.get("problem")
    question = record.get("question") or (problem.get("question") if isinstance(problem, dict) else None)
    if not isinstance(question, str) or not question.strip():
        raise InputError('a line needs its "question"', place=place, value=record)
    return question


def _show(answered: Answered) -> None:
    calibrated = answered.set_confidence is not None
    header = ["", "answer", "stated", *(["calibrated"] if calibrated else [])]
    rows = [
        ["kept" if each.kept and answered.decision else "", " ".join(each.text.split()), _number(each.stated)]
        + ([_number(each.calibrated)] if calibrated else [])
        for each in answered.answers
    ]
    if not rows:
        print(f"{answered.question}\n  no answer could be read: {answered.malformed}")  # noqa: T201
        return
    print_table(answered.question, rows, header)
    if calibrated:
        print(f"  one of these is right: {_number(answered.set_confidence)}")  # noqa: T201
    if answered.decision is not None:
        print(f"  {answered.decision.reason}")  # noqa: T201
    for note in filter(None, (answered.note, answered.malformed and f"not well written: {answered.malformed}")):
        print(f"  note: {note}")  # noqa: T201


def _json(answered: Answered) -> str:
    """In ASCII if that is all our output can hold."""
    can_hold_all = codecs.lookup(sys.stdout.encoding).name == "utf-8"
    return json_text(answered.to_record()) if can_hold_all else json.dumps(answered.to_record())


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
