"""`setwise eval`: ask a model, score with the pipeline of training, write records and honest numbers."""

import argparse
import importlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from setwise.cli.terminal import print_table, progress
from setwise.errors import InputError, ModelError
from setwise.evaluation.generate import Plan, generate
from setwise.evaluation.measuring import Metrics, require_resamples
from setwise.evaluation.methods import METHODS, named_method
from setwise.evaluation.run import RunFolder, claim, config_of, score_run
from setwise.evaluation.samples import SampleFile
from setwise.evaluation.statistics import RESAMPLES
from setwise.evaluation.taught import as_taught, taught_k
from setwise.matching import JudgeMatcher, Matcher, named
from setwise.matching.protocol import let_go_after
from setwise.models import Model, Sampling, ask_function, open_model
from setwise.models.local_text import read_manifest
from setwise.prompting import read_prompt_file
from setwise.tasks import TASKS, Task, load_task

HELP = f"""Ask a model the problems of a task, score what it says, and write the numbers with their intervals.

  setwise eval --task clinic --model openai:MODEL@http://localhost:8000/v1 --method rlcr-multi --out runs/first
  setwise eval --out runs/first --rescore --matcher fuzzy:90
  setwise eval --task clinic --model vllm:PATH --method rlvr-single:30 rlvr-single+prompt --out runs/single

MODEL is openai:NAME[@URL] (else OPENAI_BASE_URL; the key is OPENAI_API_KEY), hf:PATH, vllm:PATH or scripted:FILE.
METHOD is one of {", ".join(METHODS)};
behind a colon, its completions per problem. Several of them share one load of the model, each with a folder
OUT/METHOD of its own.

The same command again goes on where the last one stopped. --rescore asks no model."""

RESCORING = ("out", "rescore", "method", "matcher", "judge", "resamples")
"""What may be given with --rescore; the rest is taken from the stored completions."""
OWN_OPTION = {"name": "--task", "path": "--path", "split": "--split", "limit": "--limit", "seed": "--task-seed"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="the run's folder, runs/NAME")
    parser.add_argument("--rescore", action="store_true", help="score the stored completions again; ask no model")
    asked = parser.add_argument_group("what is asked")
    asked.add_argument("--task", help=f"one of {', '.join(TASKS)}")
    asked.add_argument("--path", help="the task's data: a file, a folder or hub:OWNER/NAME")
    asked.add_argument("--split", help="the task's split (default: test where there is one)")
    asked.add_argument("--limit", type=int, help="use this many problems")
    asked.add_argument("--task-seed", type=int, help="with --limit: a random sample of the problems")
    asked.add_argument("--task-option", action="append", default=[], metavar="NAME=VALUE", help="an option of the task")
    asked.add_argument(
        "--method",
        nargs="+",
        metavar="METHOD[:SAMPLES]",
        help="how answers become a set (default: rlcr-multi)",
    )
    asked.add_argument("--k", type=int, help="answers in a set (default: as the model was trained, else 3)")
    asked.add_argument("--samples", type=int, help="completions per problem (default: the method's)")
    asked.add_argument(
        "--confidence",
        choices=("prompt", "continue"),
        help="ask a model trained without confidences for them: by the prompt, or by the tag forced behind its answers",
    )
    asked.add_argument("--prompt", type=Path, metavar="FILE", help="a prompt of your own instead of the method's")
    drawn = parser.add_argument_group("how the model is asked")
    drawn.add_argument("--model", help="openai:..., hf:..., vllm:... or scripted:...")
    drawn.add_argument("--temperature", type=float, default=0.7)
    drawn.add_argument("--top-p", type=float, default=1.0)
    drawn.add_argument("--max-tokens", type=int, default=1536, help="of one completion (default: 1536)")
    drawn.add_argument("--seed", type=int, default=0, help="of the sampling (default: 0)")
    drawn.add_argument("--at-once", type=int, help="requests in flight, or the batch size")
    drawn.add_argument("--cache-gb", type=float, help="for vllm: on a GPU that is not its own: room for its cache")
    drawn.add_argument("--think-opened", action="store_true", help="the chat template already wrote <think>")
    scored = parser.add_argument_group("how it is scored")
    scored.add_argument("--matcher", help="exact, fuzzy, fuzzy:85, math, code or judge (default: the task's)")
    scored.add_argument("--judge", metavar="MODEL", help="the model that judges, with --matcher judge")
    scored.add_argument("--resamples", type=int, default=RESAMPLES, help=f"bootstrap size (default: {RESAMPLES:,})")


def run(args: argparse.Namespace) -> int:
    require_resamples(args.resamples, 0)
    if args.judge and args.matcher != "judge":
        raise InputError("--judge is for --matcher judge", value=args.matcher)
    asked = _asked(args)
    folders = {name: RunFolder(args.out / name if len(asked) > 1 else args.out) for name in asked}
    if args.rescore:
        _require_rescorable(args)
        for folder in folders.values():
            with let_go_after(_matcher(args, _rescored_config(args, folder).get("matcher", "exact"))) as matcher:
                _score(args, folder, matcher)
        return 0
    for name in ("task", "model"):
        if not getattr(args, name):
            raise InputError(f"--{name} is needed, unless with --rescore")
    task, options = _task(args)
    plans = {name: _plan(args, task, options, name, samples) for name, samples in asked.items()}
    with let_go_after(_matcher(args, task.matcher)) as matcher:
        model = open_model(args.model, at_once=args.at_once, cache_gb=args.cache_gb)
        for name, folder in folders.items():
            claim(folder, config_of(plans[name], model.name))
        for name, folder in folders.items():
            _generate(plans[name], model, folder)
            _score(args, folder, matcher)
    return 0


def _asked(args: argparse.Namespace) -> dict[str, int | None]:
    """By method, how many completions each problem gets; None: as many as the method needs."""
    asked: dict[str, int | None] = {}
    for text in args.method or ["rlcr-multi"]:
        name, colon, samples = text.partition(":")
        if colon and not (samples.isascii() and samples.isdigit()):
            raise InputError("a method is METHOD or METHOD:SAMPLES", place="--method", value=text)
        if name in asked:
            raise InputError("each method must be given once", place="--method", value=name)
        asked[name] = int(samples) if colon else args.samples
    return asked


def _require_rescorable(args: argparse.Namespace) -> None:
    """Of what concerns the asking, only methods may be given: they say which folders are meant."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    untouched = vars(parser.parse_args(["--out", str(args.out)]))
    given = [name for name in untouched if name not in RESCORING and getattr(args, name) != untouched[name]]
    options = [f"--{name.replace('_', '-')}" for name in given]
    options += [f"--method {text}" for text in args.method or () if ":" in text]
    if options:
        raise InputError(
            "--rescore takes what was asked from the folder",
            value=options,
            remedy="leave out what is not about scoring",
        )


def _rescored_config(args: argparse.Namespace, folder: RunFolder) -> dict[str, Any]:
    runs = sorted(path.parent.name for path in folder.path.glob("*/config.json"))
    if runs and not folder.config.exists():
        raise InputError(
            "the folder holds no run, but its subfolders do",
            place=folder.path,
            value=runs,
            remedy="give one of them as --out, or several as --method",
        )
    config = folder.read_config()
    told = config.get("method", {}).get("name", "")
    if args.method and len(args.method) == 1 and told != args.method[0] and not told.startswith(f"{args.method[0]}+"):
        raise InputError(f"the folder holds a run of {told}", place=folder.path, value=args.method[0])
    return config


def _generate(plan: Plan, model: Model, folder: RunFolder) -> None:
    """Add the completions that are missing."""
    file = SampleFile.opened(folder.samples)
    problems = folder.task_setting("problems")
    missing = problems * plan.method.samples - len(file) if problems else None
    with progress(f"{plan.method.name}, completions", missing) as on_progress:
        result = generate(plan, model, file, lambda added, failed: on_progress(added))
    if result.failed:
        raise ModelError(
            f"{result.failed} requests got no answer ({result.first_failure}); {result.added} completions were added; "
            "the same command again asks for the rest, --rescore scores what is there"
        )


def _score(args: argparse.Namespace, folder: RunFolder, matcher: Matcher) -> None:
    with progress("scoring", folder.task_setting("problems")) as on_progress:
        metrics = score_run(folder, matcher, resamples=args.resamples, on_progress=on_progress)
    _show(metrics, folder)


def _task(args: argparse.Namespace) -> tuple[Task, dict[str, Any]]:
    """The task, and what it was made with."""
    settings = {"split": args.split or _default_split(args.task), "limit": args.limit, "seed": args.task_seed}
    options = {**settings, **dict(map(_option, args.task_option))}
    return load_task(args.task, path=args.path, **options), options


def _plan(args: argparse.Namespace, task: Task, options: dict[str, Any], name: str, samples: int | None) -> Plan:
    method = named_method(name)
    if args.confidence:
        method = method.asking(args.confidence)
    if method.confidence == "continue" and args.model.startswith("scripted:"):
        raise InputError("a script cannot go on from a forced tag", place=method.name, remedy="ask by +prompt")
    manifest = read_manifest(args.model.partition(":")[2])
    k = taught_k(method, manifest) if args.k is None else args.k
    method = method.sized(k, samples)
    if args.prompt:
        method = replace(method, prompt=read_prompt_file(args.prompt))
    method, think_opened = as_taught(method, manifest, task.regime)
    sampling = Sampling(args.temperature, args.top_p, args.max_tokens)
    return Plan(task, method, sampling, args.seed, args.think_opened or think_opened, options)


def _option(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InputError("a task option is NAME=VALUE", value=text)
    if name in OWN_OPTION:
        raise InputError(f"{name} is no option of a task", place="--task-option", remedy=f"use {OWN_OPTION[name]}")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _default_split(task: str) -> str | None:
    splits = importlib.import_module(TASKS[task].module).SPLITS if task in TASKS else ()
    return "test" if "test" in splits else None


def _matcher(args: argparse.Namespace, default: Matcher | str) -> Matcher:
    if args.matcher == "judge":
        if not args.judge:
            raise InputError("--matcher judge needs --judge MODEL")
        return JudgeMatcher(ask_function(open_model(args.judge)))
    given = args.matcher or default
    return named(given) if isinstance(given, str) else given


def _show(metrics: Metrics, folder: RunFolder) -> None:
    rows = [(name, str(estimate)) for name, estimate in metrics.estimates.items()]
    rows += [(name, f"{count:,}") for name, count in metrics.counts.items()]
    print_table("Metrics with 95 % intervals", rows, ("metric", "value"))
    print(f"records: {folder.samples}\nmetrics: {folder.metrics}")  # noqa: T201
