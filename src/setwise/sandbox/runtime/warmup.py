"""What the zygote loads and runs in advance, so that no child has to."""

import importlib
from _socket import SHUT_WR, socketpair
from contextlib import suppress

from .channel import NONCE_BYTES, ChannelClosed, frame
from .program import ProgramProcess
from .remote import ProgramName, encode_program, encode_request

_COMMON = (
    "abc bisect builtins collections collections.abc copy datetime decimal enum fractions functools gc heapq io "
    "itertools math operator os random re signal string sys time types typing"
)
# They need a library outside the standard library's folder, which a private root does not contain; base64, gzip,
# secrets and zipfile need them.
_LINKED = "_bz2 _lzma binascii zlib"
_OTHERS = (
    "argparse array ast base64 calendar cmath codecs colorsys contextlib csv dataclasses difflib errno "
    "hashlib hmac html inspect json keyword locale numbers pathlib pprint queue reprlib secrets shlex statistics "
    "struct tempfile textwrap threading timeit traceback unicodedata uuid warnings weakref zoneinfo"
)
_ROUNDS = 40


def load_modules(*, all_of_them: bool) -> None:
    """Load common modules, or all if a program cannot import the others itself: every page costs time at each fork."""
    for name in f"{_COMMON} {_LINKED} {_OTHERS if all_of_them else ''}".split():
        with suppress(ImportError):
            importlib.import_module(name)


def warm_up() -> None:
    """Let the interpreter specialise our own code now: in a child, every such write would copy a page."""
    function = ProgramName("f", _never)
    requests = [
        encode_program("def f(x, y):\n    return x if y else [x, 1.5, 'a', (None, True)]", ""),
        encode_request("call", function, (1, True), {}),
        encode_request("call", function, (1, False), {}),
        encode_request("call", function, (function, True), {}),
    ]
    near, far = socketpair()
    near.sendall(b"".join(frame(bytes(NONCE_BYTES), message) for message in requests * _ROUNDS))
    near.shutdown(SHUT_WR)
    with suppress(ChannelClosed):
        ProgramProcess().serve(far.fileno())
    near.close()
    far.close()


def _never(payload: bytes) -> None:
    raise AssertionError("nothing is asked while warming up")
