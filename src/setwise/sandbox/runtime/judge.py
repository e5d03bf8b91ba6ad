"""Judges one job with one fresh process: load the program, run the tests here, decide."""

import importlib
import signal
from dataclasses import dataclass
from typing import Any

from .channel import BadFrame, ChannelClosed
from .codec import CodecError
from .conversation import Conversation, Ended
from .cpu_clock import cpu_seconds_of
from .helpers import HELPERS
from .names import TRUSTED_BUILTINS
from .raised import described
from .remote import TRUSTED_MODULES, ProgramName, Unjudgeable, encode_program
from .rewriter import CompiledTest, Plan, UnsupportedTest, make_plan
from .time_allowed import OutOfTime
from .zygote_client import Zygote, ZygoteFailed

_JUDGING_CPU_SECONDS = 2.0
_SHOWN_CHARACTERS = 300
_ANSWERED = ("passed", "failed", "error", "unsupported_test")
"""Statuses of a program that answered everything it was asked."""


@dataclass(frozen=True)
class Outcome:
    status: str
    results: list[str]
    cpu_seconds: float = 0.0
    detail: str = ""


def judge(job: dict[str, Any], zygote: Zygote, watched: list[int]) -> Outcome:
    """OSError and EOFError mean that the machinery failed, not the program."""
    try:
        plan = make_plan(job["setup"], tuple(job["tests"]))
    except UnsupportedTest as reason:
        return Outcome("unsupported_test", ["unsupported_test"] * len(job["tests"]), detail=str(reason))
    reasons = [test for test in plan.tests if isinstance(test, str)]
    if reasons:
        results = ["unsupported_test" if isinstance(test, str) else "not_run" for test in plan.tests]
        return Outcome("unsupported_test", results, detail=reasons[0])
    channel = zygote.channel(job["cpu_seconds"], job["memory_bytes"])
    conversation = Conversation(channel, zygote, job["cpu_seconds"], watched)
    # Comparing is work too, and its cost depends on the answer: beyond this the process dies, and the job with it.
    signal.setitimer(signal.ITIMER_VIRTUAL, _JUDGING_CPU_SECONDS)
    try:
        status, results, detail = _run(job["program"], plan, conversation)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    if status in _ANSWERED and conversation.process:
        cpu_seconds = cpu_seconds_of(conversation.process)
        zygote.replace()
    else:
        report = zygote.end()
        cpu_seconds = report.cpu_seconds
        if status == "crashed":
            detail = detail or report.describe()
    return _concluded(status, results, detail, cpu_seconds, job["cpu_seconds"])


def _concluded(status: str, results: list[str], detail: str, cpu_seconds: float, limit: float) -> Outcome:
    if cpu_seconds > limit and status in (*_ANSWERED, "crashed"):
        status, detail = "timeout", f"more than {limit:g} s of CPU time"
        results = ["timeout"] * len(results)
    return Outcome(status, results, cpu_seconds, detail[:_SHOWN_CHARACTERS])


def _run(program: str, plan: Plan, conversation: Conversation) -> tuple[str, list[str], str]:
    results: list[str] = []
    details: list[str] = []
    try:
        first, *later = plan.parts
        conversation.load(encode_program(program, first))
        for test, part in zip(plan.tests, ("", *later), strict=True):
            assert isinstance(test, CompiledTest)
            result, said = _run_test(test, part, plan, conversation)
            if end := conversation.load_error or conversation.ended:
                raise end
            results.append(result)
            details.append(said)
        conversation.ensure_loaded()
    except ZygoteFailed:
        raise
    except (OutOfTime, ChannelClosed, BadFrame, CodecError) as end:
        status = {OutOfTime: "timeout", ChannelClosed: "crashed"}.get(type(end), "protocol_error")
        detail = next(filter(None, details), str(end))
    except BaseException as error:
        status, detail = "error", described(error)
    else:
        status = _overall(results)
        return status, results, details[results.index(status)]
    missing = len(plan.tests) - len(results)
    return status, [*results, *[status] * min(missing, 1), *["not_run"] * (missing - 1)], detail


def _overall(results: list[str]) -> str:
    """One assert that fails is enough, whatever the others would have given."""
    wrong = (result for result in results if result not in ("passed", "unsupported_test"))
    return next(wrong, "unsupported_test" if "unsupported_test" in results else "passed")


def _run_test(test: CompiledTest, part: str, plan: Plan, conversation: Conversation) -> tuple[str, str]:
    """`part` is what this test is the first to need of the setup in the program's process."""
    names = dict(_NAMES)
    try:
        if part:
            conversation.ask(encode_program("", part))
        exec(plan.setup.referee, names)
        # Added last, since the referee's setup may also know a variable that lives with the program.
        names |= {name: ProgramName(name, conversation.ask) for name in test.program_names}
        exec(test.code, names)
    except AssertionError as error:
        return "failed", described(error)
    except Unjudgeable as reason:
        return "unsupported_test", str(reason)
    except Ended:
        return "error", "the conversation ended"
    except BaseException as error:
        return "error", described(error)
    return "passed", ""


_BUILTINS = {**TRUSTED_BUILTINS, "__import__": __import__}
_MODULES = {name: importlib.import_module(name) for name in TRUSTED_MODULES}
_NAMES: dict[str, Any] = {
    **_MODULES,
    "__builtins__": _BUILTINS,
    **HELPERS,
}
