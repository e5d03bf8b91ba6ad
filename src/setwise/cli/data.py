"""`setwise data`: show, check and export the problems of a task, and compute the best that a model can do."""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from setwise.cli.options import (
    add_option_argument,
    add_task_arguments,
    open_task,
    task_name_help,
    task_options,
    task_settings,
)
from setwise.cli.terminal import print_table, progress
from setwise.errors import InputError
from setwise.home import at_home
from setwise.objectives import OBJECTIVES, PAPER_K, Objective, Regime
from setwise.prompting import messages
from setwise.questions import Problem
from setwise.records.best_possible import BestPossible
from setwise.tasks import TASKS, Task, load_task
from setwise.tasks.problem_file import FORMATS, export_problems
from setwise.tasks.sources import HUB_PREFIX
from setwise.workflows.blind_guess import BlindGuess

SHOWN_PROBLEMS = 3
SHOWN_BELIEFS = 3
SHOWN_GOLDS = 3
FAILED = 1

_TASK_LIST = "(one line for each)"
HELP = f"""Look at the problems of a task before you spend a day training on them.

tasks:
{_TASK_LIST}

  setwise data show clinic
  setwise data check ddxplus --path data/ddxplus --split test
  setwise data export hotpotqa-modified --path data/hotpotqa --limit 500 --seed 0 --out questions.jsonl
  setwise data bayes clinic --k 3

docs/reference/tasks.md describes the files and options of each task; docs/how-to/add-a-task.md shows how to add one."""


class _HelpWithTasks(argparse.RawDescriptionHelpFormatter):
    """Adds the list of tasks only when help is printed, because listing them loads every package that offers one."""

    def add_text(self, text: str | None) -> None:
        super().add_text(text and text.replace(_TASK_LIST, _listed_tasks()))


def _listed_tasks() -> str:
    return "\n".join(f"  {name:<18} {_summary(name)}" for name in TASKS.names())


def _summary(name: str) -> str:
    try:
        return TASKS.find(name).summary
    except InputError as error:
        return str(error)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = _HelpWithTasks
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION", title="actions")
    show = _action(actions, "show", "print a few problems with their golds, and optionally the prompt")
    show.add_argument("--objective", metavar="NAME", help=f"also print the prompt: one of {', '.join(OBJECTIVES)}")
    show.add_argument("--k", type=int, help="answers the prompt asks for (default: 3 for multi)")
    check = _action(
        actions, "check", "score every gold and reference solution; exit with status 1 if one earns nothing"
    )
    check.add_argument("--k", type=int, default=PAPER_K, help=f"answers to ask for per problem (default: {PAPER_K})")
    check.add_argument(
        "--tokenizer",
        type=at_home,
        metavar="PATH",
        help="count tokens with this model folder, tokenizer.json or hub id",
    )
    export = _action(actions, "export", "write the problems to a file")
    export.add_argument("--format", help=f"{' or '.join(FORMATS)} (default: by the ending of FILE, else {FORMATS[0]})")
    export.add_argument("--out", type=Path, required=True, metavar="FILE", help="file to write")
    bayes = _action(
        actions, "bayes", "print the best that any model can do, where the truth is known (clinic)", chooses=False
    )
    bayes.add_argument("--k", type=int, default=PAPER_K, help=f"answers per problem (default: {PAPER_K})")


def run(args: argparse.Namespace) -> int:
    return {"show": _show, "check": _check, "export": _export, "bayes": _bayes}[args.action](args)


def _action(actions: Any, name: str, summary: str, *, chooses: bool = True) -> argparse.ArgumentParser:
    """Add an action on a task. With `chooses`, it takes options that select problems."""
    parser = actions.add_parser(name, help=summary, description=summary.capitalize() + ".")
    parser.add_argument("task", metavar="TASK", help=task_name_help())
    if chooses:
        add_task_arguments(parser)
    else:
        add_option_argument(parser)
    return parser


def _show(args: argparse.Namespace) -> int:
    task = _load(args, limit=SHOWN_PROBLEMS if args.limit is None else args.limit)
    objective = args.objective and Objective(args.objective, args.k, regime=task.regime)
    _say(f"{task.name}: {task.regime}, matcher {task.matcher.name}, fingerprint {task.fingerprint}")
    for problem in task:
        _say(f"\n--- {problem.id} ---")
        if objective:
            for message in messages(problem.question, objective, instruction=task.instruction):
                _say(f"[{message['role']}]\n{message['content']}\n")
        else:
            _say(f"{task.instruction}\n\n{problem.question.text}\n")
        if problem.golds is None:
            _say("Tests:\n" + "\n".join([*filter(None, [problem.setup]), *problem.tests]))
            _say(f"Reference:\n{problem.reference}")
        else:
            _say("Golds: " + "; ".join(" = ".join((gold.text, *gold.aliases)) for gold in problem.golds))
        if task.world is not None:
            best = sorted(task.world.belief(problem.question).items(), key=lambda item: -item[1])[:SHOWN_BELIEFS]
            _say("Best possible answers: " + ", ".join(f"{name} {chance:.2f}" for name, chance in best))
    _say_left_out(task)
    return 0


def _check(args: argparse.Namespace) -> int:
    from setwise.workflows.data_check import Lengths, check_task, read_tokenizer

    count_tokens = read_tokenizer(args.tokenizer) if args.tokenizer else None
    task = _load(args)
    with progress(f"checking {task.name}", args.limit) as on_progress:
        report = check_task(task, k=args.k, count_tokens=count_tokens, on_progress=on_progress)

    def shown(lengths: Lengths) -> str:
        return f"{lengths.mean:.0f} mean, {lengths.median} median, {lengths.p95} at 95 %, {lengths.longest} longest"

    unit = "tokens, ESTIMATED at 4 characters each" if report.lengths_are_estimates else "tokens"
    rows = [
        ("problems", f"{report.problems:,}"),
        ("golds", f"{report.golds:,}" if report.golds else "none: judged by tests"),
        *_blind_rows(report.blind_guess, args.k),
        *((f"left out: {rule}", f"{count:,}") for rule, count in report.left_out.items()),
        ("fingerprint", task.fingerprint),
        (f"prompt ({unit})", shown(report.prompt_lengths)),
        (f"answer ({unit})", shown(report.answer_lengths)),
    ]
    print_table(f"{task.name}, {task.regime}, every gold scored, K = {args.k}", rows)
    for complaint in report.complaints:
        _say(f"  {complaint}")
    if report.n_complaints > len(report.complaints):
        _say(f"  ... and {report.n_complaints - len(report.complaints):,} more")
    _say("passed" if report.passed else f"FAILED: {report.n_complaints:,} complaint(s)")
    return 0 if report.passed else FAILED


def _blind_rows(guess: BlindGuess | None, k: int) -> Iterator[tuple[str, str]]:
    if guess is not None:
        shown = ", ".join(guess.answers[:SHOWN_GOLDS]) + (", ..." if len(guess.answers) > SHOWN_GOLDS else "")
        sought = "" if guess.names_tried is None else f" among the {guess.names_tried} most frequent names"
        yield f"best {len(guess.answers)} answers for all problems, sought greedily{sought}", shown
        yield "  given to every problem", f"coverage {guess.right / k:.3f}, any right {guess.any_right:.3f}"


def _export(args: argparse.Namespace) -> int:
    _refuse_to_replace_the_source(args.out, args.path)
    task = _load(args)
    with progress(f"exporting {task.name}", args.limit) as on_progress:
        count = export_problems(_counted(task, on_progress), args.out, args.format)
    _say_left_out(task)
    _say(f"{count:,} problems: {args.out}")
    return 0


def _refuse_to_replace_the_source(out: Path, path: str | None) -> None:
    if path is None or not out.is_file():
        return
    source, target = Path(path.removeprefix(HUB_PREFIX)).resolve(), out.resolve()
    if source in (target, *target.parents):
        raise InputError("the problems would replace a file of --path", place=out, remedy="choose another --out")


def _bayes(args: argparse.Namespace) -> int:
    if args.task != "clinic":
        raise InputError("bayes needs a task whose truth is known", value=args.task, remedy="use clinic")
    from setwise.workflows.clinic_bayes import bayes_best

    options = task_options(args.options)
    regimes = [options["regime"]] if "regime" in options else [str(regime) for regime in Regime]
    best: list[BestPossible] = []
    for regime in regimes:
        options["regime"] = regime
        world = load_task(args.task, **options).world
        assert world is not None, "the clinic always has one"
        best.append(bayes_best(world, args.k))
    rows = [
        (name, *(_value(one.values[name].mean, one.values[name].standard_error) for one in best))
        for name in best[0].values
    ]
    title = f"The best any model can do in the clinic with K = {args.k} ({best[0].method})"
    print_table(title, rows, header=("", *(str(one.regime) for one in best)))
    return 0


def _load(args: argparse.Namespace, limit: int | None = None) -> Task:
    settings = task_settings(args)
    return open_task(args.task, args.path, {**settings, "limit": limit or settings["limit"]})


def _counted(task: Task, on_progress: Callable[[int], None]) -> Iterator[Problem]:
    for number, problem in enumerate(task, start=1):
        on_progress(number)
        yield problem


def _value(mean: float, standard_error: float) -> str:
    return f"{mean:.4f}" if standard_error == 0 else f"{mean:.4f} +- {standard_error:.4f}"


def _say_left_out(task: Task) -> None:
    for rule, count in task.left_out.items():
        _say(f"left out, {rule}: {count:,}")


def _say(text: str) -> None:
    print(text)  # noqa: T201
