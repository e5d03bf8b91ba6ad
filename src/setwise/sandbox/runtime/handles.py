"""The referee's view of objects that live in the program's process.

A question without arguments goes to the object itself. An argument that the test gives may be an expected value, so it
is sent only where the test's text calls for it (see `helpers`). Operators reach the program only if both sides are its
own.
"""

import operator
import sys
from collections import Counter, OrderedDict, deque
from decimal import Decimal
from fractions import Fraction
from typing import Any

from .codec import MAX_ANSWER_BYTES, CodecError, Encoder
from .remote import Ask, ProgramName, Unjudgeable, reference, request

MAX_ITEMS = 100_000
SETUP = "<setup>"
_ARITHMETIC = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and or xor"
_ORDER = "lt le gt ge"
_UNARY = "str repr neg pos abs invert int float complex index bytes trunc floor ceil reversed copy dir"


class Handle:
    """An object that stays in the program's process. It equals no plain value, whatever its class claims."""

    __slots__ = ("_ask", "_given", "_maker", "_number", "_steps")

    def __init__(self, number: str, ask: Ask, maker: ProgramName | None = None, *, given: bool = False) -> None:
        self._number = number
        self._ask = ask
        self._maker = maker
        """The name that the test called to make it, if it is written like a class name."""
        self._given = given
        """Whether the test gave values to make it, which may be expected ones."""
        self._steps = 0

    def _made_by(self, maker: ProgramName, *, given: bool) -> "Handle":
        self._maker, self._given = maker, given
        return self

    def _written(self) -> tuple[bytes, bytes]:
        return b"H", self._number.encode()

    def __getattr__(self, name: str) -> Any:
        """For `operator.attrgetter` and similar, which get the name from the test."""
        if name.startswith("__"):
            raise AttributeError(name)
        answer = request(self._ask, "attribute", self, name)
        return Callee(answer._number, answer._ask) if type(answer) is Handle else answer

    def __eq__(self, other: object) -> Any:
        if is_remote(other):
            self._check_mixture(other)
            return operate("eq", self, other)
        if _hashes_remote(other):
            raise Unjudgeable("compares an answer with a container that hashes objects of the program's")
        found = self._compare_as_plain("eq", other)
        if found is not NotImplemented:
            return found
        if not _fits_an_answer(other):
            raise Unjudgeable(f"expects a {type(other).__name__} that is too large, or no plain data")
        return False

    def __ne__(self, other: object) -> Any:
        if is_remote(other):
            self._check_mixture(other)
            return operate("ne", self, other)
        return not self == other

    def __hash__(self) -> int:
        return _of_kind(int, operate("hash", self))

    def __bool__(self) -> bool:
        return operate("truth", self) is True

    def __len__(self) -> int:
        return operate("length", self)

    def __format__(self, spec: str) -> str:
        return _of_kind(str, operate("format", self, spec))

    def __round__(self, digits: int | None = None) -> Any:
        return operate("round", self, digits)

    def __deepcopy__(self, memo: Any) -> Any:
        return operate("deepcopy", self)

    def __contains__(self, item: object) -> bool:
        """The program is asked only if it already has the item."""
        if is_remote(item):
            return operate("contains", self, item) is True
        if self._is_made_by_a_class():
            raise Unjudgeable(f"asks what an object of {self._maker_name} holds")
        return any(found is item or found == item for found in self)

    def __getitem__(self, index: Any) -> Any:
        """Used by the setup's own functions; a test's text calls `item_of`. A search of the standard library would
        reveal to the program, by its steps, what it looks for."""
        if sys._getframe(1).f_code.co_filename != SETUP:
            raise TypeError("the program returned an object where plain data was expected, to take an item of")
        return operate("getitem", self, index)

    def __iter__(self) -> Any:
        return request(self._ask, "iterate", self)

    def __next__(self) -> Any:
        self._steps += 1
        if self._steps > MAX_ITEMS:
            raise OverflowError(f"more than {MAX_ITEMS} items")
        answer = request(self._ask, "step", self)
        if type(answer) is not tuple or len(answer) != 2:
            raise TypeError("the program's iterator gave something else than an item")
        if answer[0] is not True:
            raise StopIteration(answer[1])
        return answer[1]

    @property
    def _maker_name(self) -> str:
        return self._maker.name if self._maker else ""

    def _is_made_by_a_class(self) -> bool:
        return self._maker is not None and request(self._ask, "is_class", self._maker) is True

    def _check_mixture(self, other: Any) -> None:
        """An answer compared with something made for the comparison: the program would see what is expected."""
        given = getattr(other, "_given", False)
        if self._given != given:
            name = self._maker_name if self._given else other._maker_name
            raise Unjudgeable(f"compares an answer with an object that it makes of {name}")

    def _compare_as_plain(self, name: str, other: object) -> Any:
        """Compare with the built-in value that it holds, if it compares as one."""
        if not self._is_made_by_a_class():
            return NotImplemented
        answer = request(self._ask, "plain", self, name)
        if type(answer) is not tuple or len(answer) != 2 or answer[0] is not True:
            raise Unjudgeable(f"leaves it to {self._maker_name} how it compares with a plain value")
        return getattr(operator, name)(answer[1], other)

    def _combine(self, name: str, left: Any, right: Any, other: Any) -> Any:
        if is_remote(other):
            return operate(name, left, right)
        if self._is_made_by_a_class():
            raise Unjudgeable(f"leaves it to {self._maker_name} what it makes of another value")
        return NotImplemented


class Callee(Handle):
    """What a name of the program stands for, if a test passes it on to be called: `map(f, xs)` gives `f` what is in
    `xs`, as `[f(x) for x in xs]` does."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        answer = request(self._ask, "call", self, args, kwargs)
        if self._maker and hasattr(type(answer), "_made_by"):
            return answer._made_by(self._maker, given=bool(args or kwargs))
        return answer


class Kept:
    """A plain value of one of the program's own classes: it compares and computes as the built-in value, but is
    formatted and asked for attributes where it lives."""

    __slots__ = ()
    _handle: Handle

    def _made_by(self, maker: ProgramName, *, given: bool) -> Handle:
        return self._handle._made_by(maker, given=given)

    def _written(self) -> tuple[bytes, bytes]:
        return self._handle._written()

    def __str__(self) -> str:
        return str(self._handle)

    def __repr__(self) -> str:
        return repr(self._handle)

    def __format__(self, spec: str) -> str:
        return format(self._handle, spec)


def is_remote(thing: object) -> bool:
    return isinstance(thing, Handle | Kept | ProgramName)


def _hashes_remote(thing: object) -> bool:
    """Such a container does not travel as one, but stays where the objects can be hashed."""
    return isinstance(thing, dict | set | frozenset) and any(map(is_remote, thing))


def handle_of(thing: object) -> Handle | ProgramName | None:
    """Where it lives, for objects in the program's process."""
    if isinstance(thing, Handle | ProgramName):
        return thing
    return getattr(thing, "_handle", None) if isinstance(thing, Kept | BaseException) else None


def kept_value(handle: Handle, plain: Any) -> Any:
    kind = _KINDS.get(type(plain))
    if kind is None:
        return plain
    value: Any = kind(plain)  # type: ignore[call-arg]
    value._handle = handle
    return value


def operate(name: str, *operands: Any) -> Any:
    """One of the language's own operations, done where the operands live."""
    operands = tuple(operand if (found := handle_of(operand)) is None else found for operand in operands)
    # A tuple of classes is an operand too.
    parts = [part for operand in operands for part in (operand if type(operand) is tuple else (operand,))]
    remote = next(part for part in parts if isinstance(part, Handle | ProgramName))
    answer = request(ask_of(remote), "operate", name, *operands)
    if isinstance(answer, Handle):
        answer._maker = next((o._maker for o in operands if isinstance(o, Handle) and o._maker), None)
    return answer


def ask_of(remote: Handle | ProgramName) -> Ask:
    return remote.ask if isinstance(remote, ProgramName) else remote._ask


def _of_kind(kind: type, answer: Any) -> Any:
    if type(answer) is not kind:
        raise TypeError(f"the program's object gave something else than {kind.__name__}")
    return answer


def _fits_an_answer(value: Any) -> bool:
    try:
        return len(Encoder(reference, reference).encode(("value", value))) <= MAX_ANSWER_BYTES
    except CodecError:
        return False


def _forward(name: str) -> Any:
    return lambda self, other: self._combine(name, self, other, other)


def _reflected(name: str) -> Any:
    return lambda self, other: self._combine(name, other, self, other)


def _order(name: str) -> Any:
    def compare(self: Handle, other: Any) -> Any:
        if is_remote(other):
            self._check_mixture(other)
            return operate(name, self, other)
        return self._compare_as_plain(name, other)

    return compare


def _unary(name: str) -> Any:
    return lambda self: operate(name, self)


for _each in _ARITHMETIC.split():
    setattr(Handle, f"__{_each}__", _forward(_each))
    setattr(Handle, f"__r{_each}__", _reflected(_each))
    if _each != "divmod":
        setattr(Handle, f"__i{_each}__", _forward(f"i{_each}"))
for _each in _ORDER.split():
    setattr(Handle, f"__{_each}__", _order(_each))
for _each in _UNARY.split():
    setattr(Handle, f"__{_each}__", _unary(_each))

_NUMBERS = (int, float, complex, Decimal, Fraction)
_CONTAINERS = (str, bytes, list, tuple, set, frozenset, dict, Counter, OrderedDict, deque)
_KINDS = {base: type(base.__name__, (Kept, base), {}) for base in (*_NUMBERS, *_CONTAINERS)}
