"""`setwise serve`: serves a model and its profile over an OpenAI-compatible API."""

import argparse
import logging
import sys
from pathlib import Path

from setwise.cli.asking import add_asking_arguments, choices_of, loaded
from setwise.errors import InputError, MissingDependency
from setwise.serving.about import find_examples
from setwise.serving.limits import Limits

HELP = """Serve a model as OpenAI-compatible chat completions. Replies also carry the parsed answers and the decision.

  setwise serve runs/clinic --profile profile.json
  setwise serve openai:MODEL@http://localhost:8001/v1 --as runs/clinic --port 8080

MODEL is a folder of `setwise train`, a model folder, or hf:PATH, vllm:PATH, openai:NAME[@URL], scripted:FILE.
The web page is at /, completions are at /v1/chat/completions, and Prometheus metrics at /metrics.
Clients must send the key in SETWISE_API_KEY; without one, only this machine can reach the server."""

DEFAULT_ALPHA = 0.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_asking_arguments(parser)
    limits = Limits()
    served = parser.add_argument_group("how it is served")
    served.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    served.add_argument("--port", type=int, default=8000, help="port; 0 picks a free one (default: 8000)")
    served.add_argument("--name", help="name of the model for clients (default: its own name)")
    served.add_argument(
        "--alpha",
        type=float,
        default=DEFAULT_ALPHA,
        help=f"accepted risk if a request names none; needs a profile (default: {DEFAULT_ALPHA})",
    )
    served.add_argument("--examples", type=Path, metavar="FILE", help="example questions for the page (JSON)")
    served.add_argument(
        "--queue",
        type=int,
        default=limits.queue,
        help=f"most completions running or waiting, then 429 (default: {limits.queue})",
    )
    served.add_argument(
        "--request-timeout",
        type=float,
        default=limits.request_seconds,
        metavar="SECONDS",
        help=f"time limit of one request, then 504 (default: {limits.request_seconds:g})",
    )
    served.add_argument(
        "--max-body",
        type=int,
        default=limits.body_bytes,
        metavar="BYTES",
        help=f"largest request; larger ones get 413 (default: {limits.body_bytes:,})",
    )
    served.add_argument(
        "--max-prompt",
        type=int,
        default=limits.prompt_characters,
        metavar="CHARACTERS",
        help=f"longest prompt, for a model in this process (default: {limits.prompt_characters:,})",
    )
    served.add_argument(
        "--grace",
        type=float,
        default=limits.grace_seconds,
        metavar="SECONDS",
        help=f"time to finish accepted requests at shutdown (default: {limits.grace_seconds:g})",
    )


def run(args: argparse.Namespace) -> int:
    try:
        from setwise.serving.app import Served
        from setwise.serving.server import key_of_environment, listen, require_key_outside, serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("starlette", "uvicorn", "httptools"):
            raise
        raise MissingDependency("setwise serve", package="starlette, uvicorn and httptools", extra="serving") from None
    from setwise.serving.engines import warm_up
    from setwise.serving.guard import LOOPBACK

    key = key_of_environment()
    require_key_outside(args.host, key)
    if not 0 < args.alpha < 1:
        raise InputError("alpha must be above 0 and below 1", place="--alpha", value=args.alpha)
    limits = Limits(
        queue=args.queue,
        request_seconds=args.request_timeout,
        body_bytes=args.max_body,
        prompt_characters=args.max_prompt,
        grace_seconds=args.grace,
    )
    model = loaded(args, choices_of(args))
    served = Served(
        model=model,
        name=args.name or model.short_name,
        alpha=args.alpha if model.profile else None,
        examples=find_examples(model.spec, args.examples),
        key=key,
        only_loopback=args.host in LOOPBACK,
        limits=limits,
    )
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    with listen(args.host, args.port) as listener:
        warm_up(model)
        serve(served, listener, lambda address: _say(f"setwise: {served.name} is served at {address}"))
    return 0


def _say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)  # noqa: T201
