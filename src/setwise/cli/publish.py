"""`setwise publish`: writes a model card next to the weights, and pushes the model to a hub."""

import argparse
from pathlib import Path

from setwise.errors import InputError
from setwise.workflows.publish import Publication, hub_token, model_folder, push, write_card

HELP = """Write a model card next to the weights of a trained model and, with --to, push both to a hub.

  setwise publish runs/rlcr-multi --run runs/eval-multi --profile profile.json
  setwise publish runs/rlcr-multi --run runs/eval-multi --to OWNER/NAME --license apache-2.0

MODEL is a folder of `setwise train`, or the model folder in it. The card is written from records alone: the objective,
the data, the metrics of each RUN with their intervals, how to ask, the profile, and limitations. Pushing needs a token
(HF_TOKEN, or hf auth login) and setwise[publish]; set HF_ENDPOINT to use another hub."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("model", type=Path, metavar="MODEL", help="a folder of `setwise train`, or a model folder")
    parser.add_argument(
        "--run",
        dest="runs",
        action="append",
        type=Path,
        default=[],
        metavar="RUN",
        help="an evaluation of this model, for the card; repeatable",
    )
    parser.add_argument(
        "--profile", type=Path, metavar="FILE", help="a profile from `setwise calibrate`, to publish with the model"
    )
    parser.add_argument("--to", default="", metavar="OWNER/NAME", help="push to this repository on the hub")
    parser.add_argument("--private", action="store_true", help="create a private repository")
    parser.add_argument("--license", default="", metavar="ID", help="license of the weights, such as apache-2.0")
    parser.add_argument("--replace-card", action="store_true", help="overwrite a README.md that setwise did not write")


def run(args: argparse.Namespace) -> int:
    if args.to and args.to.count("/") != 1:
        raise InputError("a repository is OWNER/NAME", place="--to", value=args.to)
    if args.private and not args.to:
        raise InputError("only what is pushed can be private", place="--private", remedy="name a repository with --to")
    plan = Publication(
        model=args.model,
        runs=args.runs,
        profile=args.profile,
        repository=args.to,
        license=args.license,
        replace_card=args.replace_card,
    )
    token = hub_token(args.to) if args.to else ""
    print(f"card: {write_card(plan)}")  # noqa: T201
    if token:
        print(f"pushed: {push(plan, token, private=args.private)}")  # noqa: T201
    else:
        print(f"nothing was pushed; --to OWNER/NAME pushes {model_folder(args.model)}")  # noqa: T201
    return 0
