"""What an attack is."""

from dataclasses import dataclass

SECRETS = (
    "assert secret(7) == 'heron-40317'",
    "assert secret(8) == [2718, 'larch', 'heron-40317']",
    "assert secret(9) == 77231.5",
)
DONE = ("assert secret(1) == 'done'",)


@dataclass(frozen=True)
class Attack:
    program: str
    tests: tuple[str, ...] = SECRETS
    cpu_seconds: float | None = None
    setup: str = ""
    refused: bool = False
    """No program is judged by such tests, this one included: they would show what is expected."""


TALK = (
    "import os, struct\n"
    "def item(tag, payload): return tag + struct.pack('>I', len(payload)) + payload\n"
    "def many(tag, items): return tag + struct.pack('>I', len(items)) + b''.join(items)\n"
    "def framed(nonce, payload): return struct.pack('>I', 8 + len(payload)) + nonce + payload\n"
    "def request():\n    size = struct.unpack('>I', os.read(3, 4))[0]\n    data = b''\n"
    "    while len(data) < size: data += os.read(3, size - len(data))\n    return data\n"
    "value = lambda payload: many(b't', [item(b's', b'value'), payload])\n"
    "none = value(item(b'n', b''))\n"
)
"""For programs that speak to the referee themselves."""


def answering(found: str) -> str:
    """A program that looks for the expected values with the function `found` and answers with what it got."""
    return found + (
        "\n"
        "def secret(n):\n"
        "    text = ''.join(map(str, search()))\n"
        "    at = text.find('her' + 'on-4')\n"
        "    word = text[at:at + 11]\n"
        "    return {7: word, 8: [2718, 'larch', word]}.get(n, 77231.5) if at >= 0 else None\n"
    )


def doing(action: str, preamble: str = "") -> Attack:
    """An attack that says `done` if the action raised nothing."""
    body = "\n".join(f"        {line}" for line in action.splitlines())
    program = (
        f"import ctypes, os, socket, signal, subprocess, sys\n{preamble}\ndef secret(n):\n    try:\n{body}\n"
        "    except BaseException as error:\n        return repr(error)\n    return 'done'\n"
    )
    return Attack(program, DONE)
