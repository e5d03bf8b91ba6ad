"""Options of the commands that ask a model: which model, how to ask it, and its profile."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from setwise.models import is_served
from setwise.objectives import OBJECTIVES, Regime
from setwise.prompting import read_prompt_file
from setwise.serving.asking import Choices

if TYPE_CHECKING:
    from setwise.serving.model import AnswerSetModel


def add_asking_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "model", metavar="MODEL", help="a run or model folder, hf:..., vllm:..., openai:..., scripted:..."
    )
    parser.add_argument("--profile", type=Path, metavar="FILE", help="a profile from `setwise calibrate`")
    asked = parser.add_argument_group("how it is asked (default: as it was trained)")
    asked.add_argument(
        "--as", dest="taught_as", type=Path, metavar="FOLDER", help="ask as this run or model was trained"
    )
    asked.add_argument("--objective", choices=OBJECTIVES, help="what a completion contains (default: rlcr-multi)")
    asked.add_argument("--k", type=int, help="answers in a set (default: 3)")
    asked.add_argument(
        "--regime", choices=list(Regime), help="whether several answers can be right (default: inclusive)"
    )
    asked.add_argument("--instruction", metavar="TEXT", help="what kind of answer is wanted; comes before the question")
    asked.add_argument("--prompt", type=Path, metavar="FILE", help="your own system prompt")
    asked.add_argument("--think-opened", action="store_true", help="the chat template already writes <think>")
    asked.add_argument("--matcher", help="decides which answers are the same (default: the task's, else exact)")
    drawn = parser.add_argument_group("how completions are sampled")
    drawn.add_argument(
        "--temperature", type=float, help="sampling temperature (default: as in the profile's run, else 0.7)"
    )
    drawn.add_argument("--top-p", type=float, help="nucleus sampling (default: as in the profile's run, else 1)")
    drawn.add_argument(
        "--max-tokens", type=int, help="longest completion, in tokens (default: as in the profile's run, else 1536)"
    )
    drawn.add_argument("--at-once", type=int, help="requests in flight to a server, or the batch size")
    drawn.add_argument(
        "--timeout", type=float, metavar="SECONDS", help="time limit of an openai: server for one completion"
    )


def choices_of(args: argparse.Namespace) -> Choices:
    return Choices(
        objective=args.objective,
        k=args.k,
        regime=args.regime,
        instruction=args.instruction,
        prompt=read_prompt_file(args.prompt) if args.prompt else None,
        taught_as=args.taught_as,
        think_opened=args.think_opened,
        matcher=args.matcher,
        temperature=args.temperature,
        top_p=args.top_p,
        max_tokens=args.max_tokens,
    )


def loaded(args: argparse.Namespace, choices: Choices) -> "AnswerSetModel":
    from setwise.serving.model import load

    timeout = args.timeout if is_served(args.model) else None
    return load(args.model, args.profile, choices=choices, at_once=args.at_once, timeout_seconds=timeout)
