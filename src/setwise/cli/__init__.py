"""The `setwise` command. Each subcommand is a module here with `HELP`, `add_arguments` and `run`.

Only the chosen command's module is imported, so that `setwise score` starts fast.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from setwise.cli.parser import Parser
from setwise.errors import InputError, SetwiseError
from setwise.version import __version__

COMMANDS = {
    "demo": "train, evaluate and report on a made-up clinic, in minutes on two CPU cores",
    "train": "train a model with one of the four objectives",
    "warm-start": "teach a model the formats of several recipes, as one start for all",
    "eval": "ask a model, score its answers, and keep every record",
    "compare": "show which of several runs is better, with intervals",
    "report": "write one page of tables, figures and problems from any runs",
    "audit": "look for ways around the reward in stored completions",
    "score": "score stored completions; needs no model",
    "calibrate": "learn how reliable a run's confidences are, and write a profile",
    "ask": "ask a model a question, and print its answers with confidences",
    "serve": "serve a model over an OpenAI-compatible API, with a web page",
    "publish": "write a model card beside the weights, and push both to a hub",
    "data": "show, check and export the problems of a task",
    "export": "write what another training engine needs to run a recipe",
    "doctor": "report what this machine can run, and what is missing",
}
BAD_INPUT, BROKEN, INTERRUPTED = 2, 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Errors are one line on stderr; the exit status is 2 for bad input and 1 for a failure."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        # Importing a command can take seconds, so interrupts are handled here too.
        parser = command_parser(arguments)
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
        # The reader of our output is gone (`setwise ... | head`); a traceback would add nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN
    except OSError as error:
        return _complain(_told(error), BROKEN)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED)


def command_parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """The parser for these arguments; it loads the options of the chosen command only."""
    parser = Parser(
        prog="setwise",
        description="Train language models to answer with sets of answers and honest confidences, and measure them.",
        epilog="Run 'setwise COMMAND --help' for the options of a command.",
    )
    parser.add_argument("--version", action="version", version=f"setwise {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    for name, summary in COMMANDS.items():
        if name != chosen:
            commands.add_parser(name, help=summary)
            continue
        module = importlib.import_module(f"setwise.cli.{name.replace('-', '_')}")
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
