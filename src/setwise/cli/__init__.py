"""The `setwise` command. Each subcommand is a module here with `HELP`, `add_arguments` and `run`.

Only the module of the chosen command is imported, so that `setwise score` starts as fast as its own work.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from setwise.errors import InputError, SetwiseError
from setwise.version import __version__

COMMANDS = {
    "demo": "the whole job on a made-up clinic: two CPU cores, a few minutes",
    "train": "train a model with one of the four objectives",
    "eval": "ask a model, score what it says, and keep every record",
    "compare": "say which of several runs is better, and how sure that is",
    "report": "one page of tables, figures and problems from any runs",
    "audit": "look for ways around the reward in stored completions",
    "score": "score stored completions; needs no model",
    "calibrate": "learn from a run what its confidences are worth, and what can be promised with them",
    "ask": "ask a model a question, and see its answers with their confidences",
    "serve": "a model and its profile behind an OpenAI-compatible server, with a page",
    "publish": "write a model card beside the weights, and push both to a hub",
    "data": "look at, check and export the problems of a task",
    "export": "hand a recipe to another engine",
    "doctor": "say what this machine can do, and what is missing",
}
BAD_INPUT, BROKEN, INTERRUPTED = 2, 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; bad input is one line on stderr and exit status 2, a failure of the machine one and 1."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        # The imports of a command can take seconds, so an interrupt must be met here too.
        parser = _parser(arguments)
        args = parser.parse_args(arguments)
        if args.command is None:
            parser.print_help()
            return BAD_INPUT
        return args.run(args)
    except InputError as error:
        return _complain(error, BAD_INPUT)
    except SetwiseError as error:
        return _complain(error, BROKEN)
    except BrokenPipeError:
        # The reader of our output is gone (`setwise ... | head`); a traceback at exit would say nothing more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN
    except OSError as error:
        return _complain(_told(error), BROKEN)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="setwise",
        description="Train language models to answer with sets of answers and honest confidences, and measure them.",
        epilog="'setwise COMMAND --help' says more about one command.",
    )
    parser.add_argument("--version", action="version", version=f"setwise {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        if name != chosen:
            commands.add_parser(name, help=summary)
            continue
        module = importlib.import_module(f"setwise.cli.{name}")
        command = commands.add_parser(
            name,
            help=summary,
            description=module.HELP,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


def _told(error: OSError) -> str:
    """What the system refused, and where: `runs/x: No space left on device`."""
    place = error.filename2 or error.filename
    reason = " ".join((error.strerror or str(error) or type(error).__name__).split())
    return reason if place is None else f"{place}: {reason}"


def _complain(error: object, status: int) -> int:
    print(f"setwise: {error}", file=sys.stderr)  # noqa: T201
    return status
