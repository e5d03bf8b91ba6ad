"""`setwise eval`: ask a model, score its answers as training does, and write records and metrics."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from setwise.cli.options import (
    add_metric_argument,
    add_task_arguments,
    load_metrics,
    open_task,
    task_name_help,
    task_settings,
)
from setwise.cli.terminal import print_table, progress, told_apart
from setwise.errors import InputError
from setwise.evaluation.lessons import not_as_taught
from setwise.evaluation.measure import require_resamples
from setwise.evaluation.methods import METHODS
from setwise.evaluation.unreadable import unreadable
from setwise.matching import JudgeMatcher, Matcher, named
from setwise.matching.protocol import let_go_after
from setwise.models import Sampling, ask_function, is_served, open_model
from setwise.models.http_exchange import TIMEOUT_SECONDS
from setwise.models.model_path import nearest_folder
from setwise.objectives import Regime
from setwise.prompting import read_prompt_file
from setwise.records.files import write_json
from setwise.records.manifest import Manifest, manifest_in
from setwise.records.measured import Metrics
from setwise.records.run import JUDGE, RunConfig, RunFolder
from setwise.serving.asking import spec_of_folder
from setwise.statistics import RESAMPLES
from setwise.tasks import TASKS
from setwise.tasks.splits import split_to_ask
from setwise.workflows.evaluate import HowAsked, config_of_stored, evaluate_model, inquiry_of, judge, teaching_of

HELP = f"""Ask a model the problems of a task, score its answers, and write every metric with its interval.

  setwise eval --task clinic --model openai:MODEL@http://localhost:8000/v1 --method rlcr-multi --out runs/first
  setwise eval --out runs/first --rescore --matcher fuzzy:90
  setwise eval --task clinic --model vllm:PATH --method rlvr-single:30 rlvr-single+prompt --out runs/single

MODEL is a folder of `setwise train`, a model folder, or hf:PATH, vllm:PATH, scripted:FILE or openai:NAME[@URL], with
the key in OPENAI_API_KEY and, without a URL, the server in OPENAI_BASE_URL.
METHOD is one of {", ".join(METHODS)};
add :N for N completions per problem. Several methods share one load of the model; each gets its own folder OUT/METHOD.

The same command resumes an interrupted run. --rescore asks no model. It can also read completions that another program
stored in OUT/samples.jsonl, if you give the --method they were written for."""

DEFAULT_METHOD = "rlcr-multi"
RESCORING = ("out", "rescore", "method", "matcher", "judge", "timeout", "resamples", "metrics")
"""What may be given with --rescore; everything else comes from the stored completions."""
READING = ("task", "k", "samples", "confidence", "regime", "think_opened")
"""What may also be given if no config records how the completions were asked for."""
WRITTEN = {"options": "option", "metrics": "metric", "taught_as": "as"}
"""Options whose value is stored under another name."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FOLDER", help="folder of the run, such as runs/NAME"
    )
    parser.add_argument(
        "--rescore", action="store_true", help="score the stored completions again, without asking a model"
    )
    asked = parser.add_argument_group("what is asked")
    asked.add_argument("--task", help=task_name_help())
    add_task_arguments(asked, seed="--task-seed", split="test if there is one")
    asked.add_argument(
        "--method",
        nargs="+",
        metavar="METHOD[:SAMPLES]",
        help=f"how answer sets are made (default: {DEFAULT_METHOD})",
    )
    asked.add_argument("--k", type=int, help="answers in a set (default: as the model was trained, else 3)")
    asked.add_argument("--samples", type=int, help="completions per problem (default: as the method needs)")
    asked.add_argument(
        "--confidence",
        choices=("prompt", "continue"),
        help="get confidences from a model trained without them: ask in the prompt, or append the tag to its answers",
    )
    asked.add_argument("--prompt", type=Path, metavar="FILE", help="your own prompt instead of the method's")
    asked.add_argument(
        "--as",
        dest="taught_as",
        type=Path,
        metavar="FOLDER",
        help="ask as this run or model was trained; for served models, and for weights without setwise.json",
    )
    drawn = parser.add_argument_group("how the model is asked")
    drawn.add_argument("--model", help="a run or model folder, hf:..., vllm:..., openai:... or scripted:...")
    drawn.add_argument("--temperature", type=float, default=0.7, help="sampling temperature (default: 0.7)")
    drawn.add_argument("--top-p", type=float, default=1.0, help="nucleus sampling; 1 keeps every token (default: 1)")
    drawn.add_argument("--max-tokens", type=int, default=1536, help="longest completion, in tokens (default: 1536)")
    drawn.add_argument("--seed", type=int, default=0, help="sampling seed (default: 0)")
    drawn.add_argument("--at-once", type=int, help="requests in flight to a server, or the batch size")
    drawn.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help=f"time limit of a server for one completion (default: {TIMEOUT_SECONDS:g})",
    )
    drawn.add_argument("--cache-gb", type=float, help="size of vLLM's cache, on a GPU that other programs use too")
    drawn.add_argument("--think-opened", action="store_true", help="the chat template already writes <think>")
    scored = parser.add_argument_group("how it is scored")
    scored.add_argument(
        "--matcher",
        help="exact, fuzzy, fuzzy:85, math, code, judge, or your own as module:name (default: the task's; with "
        "--rescore, the one that judged the run last)",
    )
    scored.add_argument("--judge", metavar="MODEL", help="model that judges, for --matcher judge")
    scored.add_argument(
        "--resamples", type=int, default=RESAMPLES, help=f"bootstrap resamples (default: {RESAMPLES:,})"
    )
    scored.add_argument(
        "--regime", choices=list(Regime), help="with --rescore: the regime of completions stored without a config"
    )
    add_metric_argument(scored)


def run(args: argparse.Namespace) -> int:
    require_resamples(args.resamples, 0)
    load_metrics(args)
    if args.judge and args.matcher != "judge":
        raise InputError("--judge is for --matcher judge", value=args.matcher)
    asked_models = (args.model, args.judge, (args.matcher or "").removeprefix(f"{JUDGE}:"))
    if args.timeout is not None and not any(is_served(each or "") for each in asked_models):
        raise InputError("--timeout is for openai: models", value=args.timeout)
    asked = _asked(args)
    folders = {name: RunFolder(args.out / name if len(asked) > 1 else args.out) for name in asked}
    if args.rescore:
        for name, folder in folders.items():
            config = _stored_config(args, folder, name)
            with let_go_after(_matcher(args, config.matcher)) as matcher:
                metrics = judge(folder, matcher, config=config, resamples=args.resamples, progress=progress)
            if not folder.config.exists():
                write_json(folder.config, replace(config, matcher=folder.read_metrics().matcher).to_record())
            _show(metrics, folder)
            _warn(unreadable(metrics, config.method.name))
        return 0
    _evaluate(args, asked, folders)
    return 0


def _evaluate(args: argparse.Namespace, asked: dict[str, int | None], folders: dict[str, RunFolder]) -> None:
    for name in ("task", "model"):
        if not getattr(args, name):
            raise InputError(f"--{name} is needed, unless with --rescore")
    if args.regime:
        raise InputError("--regime is for --rescore; the task says which regime it is", value=args.regime)
    asked_split = split_to_ask(TASKS.find(args.task), args.path, args.split)
    settings = {**task_settings(args), "split": asked_split.split}
    task = open_task(args.task, args.path, settings)
    print(f"note: {asked_split.note}", file=sys.stderr)  # noqa: T201
    prompt = read_prompt_file(args.prompt) if args.prompt else None
    spec = spec_of_folder(args.model)
    taught = teaching_of(spec, _how(args, None))
    inquiries = [
        (folders[name], inquiry_of(task, name, spec, _how(args, samples, prompt), settings))
        for name, samples in asked.items()
    ]
    for _, inquiry in inquiries:
        _warn(not_as_taught(inquiry.method, taught))
    with let_go_after(_matcher(args, task.matcher)) as matcher:
        model = open_model(spec, at_once=args.at_once, cache_gb=args.cache_gb, timeout_seconds=_timeout(args, spec))
        runs = evaluate_model(model, inquiries, matcher, resamples=args.resamples, progress=progress)
        for (folder, metrics), (_, inquiry) in zip(runs, inquiries, strict=True):
            _show(metrics, folder)
            _warn(unreadable(metrics, inquiry.method.name, taught=bool(taught.taught)))


def _how(args: argparse.Namespace, samples: int | None, prompt: str | None = None) -> HowAsked:
    return HowAsked(
        k=args.k,
        samples=samples,
        confidence=args.confidence,
        prompt=prompt,
        sampling=Sampling(args.temperature, args.top_p, args.max_tokens),
        seed=args.seed,
        think_opened=args.think_opened,
        taught=_taught(args.taught_as) if args.taught_as else None,
    )


def _taught(folder: Path) -> Manifest:
    if not folder.is_dir():
        raise InputError("there is no such folder", place=f"--as {folder}", remedy=nearest_folder(str(folder)))
    return manifest_in(folder)


def _timeout(args: argparse.Namespace, model: str) -> float | None:
    return args.timeout if is_served(model) else None


def _asked(args: argparse.Namespace) -> dict[str, int | None]:
    """Completions per problem, by method; None means as many as the method needs."""
    asked: dict[str, int | None] = {}
    for text in args.method or [DEFAULT_METHOD]:
        name, colon, samples = text.partition(":")
        if colon and not (samples.isascii() and samples.isdigit()):
            raise InputError("a method is METHOD or METHOD:SAMPLES", place="--method", value=text)
        if name in asked:
            raise InputError("each method must be given once", place="--method", value=name)
        asked[name] = int(samples) if colon else args.samples
    return asked


def _stored_config(args: argparse.Namespace, folder: RunFolder, method: str) -> RunConfig:
    """How a folder's completions were asked for, from its config or, without one, from --method."""
    runs = sorted(path.parent.name for path in folder.path.glob("*/config.json"))
    if runs and not folder.config.exists():
        raise InputError(
            "the folder holds no run, but its subfolders do",
            place=folder.path,
            value=runs,
            remedy="give one of them as --out, or several as --method",
        )
    if not folder.samples.exists() and not folder.config.exists():
        if folder.path.is_dir():
            raise InputError("no samples.jsonl lies here to be scored", place=folder.path)
        raise InputError("there is no such folder", place=folder.path, remedy=nearest_folder(str(folder.path)))
    if not folder.config.exists():
        if not args.method:
            rule = "no config.json says how these completions were asked for"
            remedy = "say so with --method, and with --task, --k and --regime where needed"
            raise InputError(rule, place=folder.path, remedy=remedy)
        _require_untouched(args, (*RESCORING, *READING))
        regime, how = Regime(args.regime or Regime.INCLUSIVE), _how(args, args.samples)
        task = args.task or folder.path.resolve().name
        return config_of_stored(task, method, regime, how, args.matcher or "exact")
    _require_untouched(args, RESCORING)
    config = folder.read_config()
    told = config.method.name
    if args.method and len(args.method) == 1 and told != args.method[0] and not told.startswith(f"{args.method[0]}+"):
        raise InputError(f"the folder holds a run of {told}", place=folder.path, value=args.method[0])
    return config


def _require_untouched(args: argparse.Namespace, may_be_given: tuple[str, ...]) -> None:
    """With --rescore, refuse options that do not concern scoring."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    untouched = vars(parser.parse_args(["--out", str(args.out)]))
    given = [name for name in untouched if name not in may_be_given and getattr(args, name) != untouched[name]]
    options = [f"--{WRITTEN.get(name, name).replace('_', '-')}" for name in given]
    options += [f"--method {text}" for text in args.method or () if ":" in text]
    if options:
        raise InputError(
            "--rescore takes what was asked from the folder",
            value=options,
            remedy="leave out what is not about scoring",
        )


def _matcher(args: argparse.Namespace, default: Matcher | str) -> Matcher:
    kind, _, model = (args.matcher or "").partition(":")
    if kind == JUDGE:
        if not (model or args.judge):
            raise InputError("--matcher judge needs --judge MODEL")
        asked = model or args.judge
        ask = ask_function(open_model(asked, timeout_seconds=_timeout(args, asked)))
        return JudgeMatcher(ask, f"{JUDGE}:{asked}")
    given = args.matcher or default
    if isinstance(given, str) and given.partition(":")[0] == JUDGE:
        rule = "a model judged this run, and it is not asked again unless you say so"
        raise InputError(rule, value=given, remedy=RunFolder(args.out).rescoring(given))
    return named(given) if isinstance(given, str) else given


def _warn(message: str | None) -> None:
    if message:
        print(f"setwise: warning: {message}", file=sys.stderr)  # noqa: T201


def _show(metrics: Metrics, folder: RunFolder) -> None:
    rows = [(told_apart(name), str(estimate)) for name, estimate in metrics.estimates.items()]
    rows += [(told_apart(name), f"{count:,}") for name, count in metrics.counts.items()]
    print_table("Metrics with 95 % intervals", rows, ("metric", "value"))
    for doubt in metrics.doubts:
        print(f"note: {doubt}")  # noqa: T201
    print(f"records: {folder.samples}\nmetrics: {folder.metrics}")  # noqa: T201
