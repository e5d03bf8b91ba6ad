"""What rewritten tests call in place of the language's own operations, where a program's object may be involved.

For plain values, each does the operation itself, here.
"""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from .bindings import PLAIN_NAMES
from .handles import MAX_ITEMS, Callee, Handle, Kept, ask_of, handle_of, is_remote, operate
from .names import SHARED_CLASSES
from .operations import OPERATIONS
from .plain_types import WRITERS
from .raised import caught, is_stand_in
from .remote import ProgramName, SourceText, Unjudgeable, request

_BATCHES = (1, 16, 256)
_MANY = (list, dict, set, bytearray, deque)
_SINGLETONS = (None, True, False, ..., NotImplemented)
_FEW_INTS = range(-5, 257)
"""Integers that the interpreter has only one object of."""


def value_of(name: Any) -> Any:
    """A variable of the program: as plain data, or where it lives."""
    if not isinstance(name, ProgramName):
        return name
    answer = request(name.ask, "value", name)
    if isinstance(answer, Handle):
        # Together with whether it can be called, it is too large to travel.
        return operate("getitem", answer, 0)
    if type(answer) is not list or len(answer) != 2:
        raise TypeError("the program's variable is something else than a value")
    value, can_be_called = answer
    if isinstance(value, Handle) and can_be_called is True:
        return Callee(value._number, value._ask, name if name.name[:1].isupper() else None)
    return value


def call_answer(thing: Any, *args: Any, **kwargs: Any) -> Any:
    """A call in the test of something that the program answered. A handle is not callable itself: `map` and similar
    would pass it expected values."""
    if type(thing) is Handle:
        return request(thing._ask, "call", thing, args, kwargs)
    return thing(*args, **kwargs)


def to_be_called(thing: Any) -> Any:
    """What the program answered, if a built-in is to call it with values that the test expects nowhere."""
    return Callee(thing._number, thing._ask) if type(thing) is Handle else thing


def call_method(thing: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """A method of a value. Arguments may be expected values, so only a plain value's own method may see them, or one
    that no plain value has."""
    remote = handle_of(thing)
    if remote is None or (isinstance(thing, Kept) and hasattr(type(thing).__base__, name)):
        return getattr(thing, name)(*args, **kwargs)
    if (args or kwargs) and name in PLAIN_NAMES:
        raise TypeError(f"the program returned an object where plain data was expected, to call {name} on")
    return call_object_method(thing, name, *args, **kwargs)


def call_object_method(thing: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """A method of an object that the test itself made from a class of the program, or uses as one."""
    remote = handle_of(thing)
    if remote is None:
        return getattr(thing, name)(*args, **kwargs)
    return request(ask_of(remote), "method", remote, name, args, kwargs)


def attribute_of(thing: Any, name: str) -> Any:
    remote = handle_of(thing)
    return getattr(thing, name) if remote is None else request(ask_of(remote), "attribute", remote, name)


def get_attribute(thing: Any, name: str, *default: Any) -> Any:
    try:
        return attribute_of(thing, name)
    except AttributeError:
        if default:
            return default[0]
        raise


def has_attribute(thing: Any, name: str) -> bool:
    return hasattr(thing, name) if handle_of(thing) is None else operate("hasattr", thing, name) is True


def set_attribute(thing: Any, name: str, value: Any) -> None:
    if handle_of(thing) is None:
        setattr(thing, name, value)
    else:
        operate("setattr", thing, name, value)


def item_of(thing: Any, index: Any) -> Any:
    """An index belongs to the test, like an argument."""
    return operate("getitem", thing, index) if is_remote(thing) else thing[index]


def set_item(thing: Any, index: Any, value: Any) -> None:
    if is_remote(thing):
        operate("setitem", thing, index, value)
    else:
        thing[index] = value


def is_instance(thing: Any, kinds: Any) -> bool:
    return _is_kind("isinstance", isinstance, thing, kinds)


def is_subclass(thing: Any, kinds: Any) -> bool:
    return _is_kind("issubclass", issubclass, thing, kinds)


def _is_kind(name: str, here: Callable[[Any, Any], bool], thing: Any, kinds: Any) -> bool:
    among = kinds if isinstance(kinds, tuple) else (kinds,)
    if handle_of(thing) is not None or any(map(is_remote, among)):
        return operate(name, thing, kinds) is True
    return here(thing, kinds)


def is_callable(thing: Any) -> bool:
    return operate("callable", thing) is True if isinstance(thing, Handle | ProgramName) else callable(thing)


def type_of(thing: Any) -> Any:
    # An exception of a class that both sides know is also one of that class here.
    return operate("type", thing) if is_remote(thing) or is_stand_in(thing) else type(thing)


def is_same(left: Any, right: Any) -> bool:
    """Identity. What travelled is a copy, so identity holds for objects, and for values of which there is only one."""
    for one, other in ((left, right), (right, left)):
        if any(one is single for single in _SINGLETONS):
            return one is other
    if is_remote(left) and is_remote(right):
        return operate("is", left, right) is True
    if is_remote(left) or is_remote(right) or type(left) is not type(right):
        return False
    if isinstance(left, type) or (type(left) is int and left in _FEW_INTS):
        return left == right
    raise Unjudgeable("asks whether two values are the same object, of which copies travel")


def whole(thing: Any) -> Any:
    """All items at once, for callers that take all of them anyway."""
    return request(thing._ask, "all", thing, MAX_ITEMS) if isinstance(thing, Handle) else thing


def as_dict(thing: Any) -> Any:
    """Pairs, or an object with keys."""
    return operate("dict", thing) if isinstance(thing, Handle) else thing


def item_getter(*indices: Any) -> Callable[[Any], Any]:
    """`operator.itemgetter`, which also works for objects."""
    if len(indices) == 1:
        return lambda thing: item_of(thing, indices[0])
    return lambda thing: tuple([item_of(thing, index) for index in indices])


def method_caller(name: str, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    """`operator.methodcaller`, which also works for objects."""
    return lambda thing: call_method(thing, name, *args, **kwargs)


def shared_class(name: Any) -> Any:
    """A class of the standard library that a test uses through the program's import. The referee has its own."""
    own = SHARED_CLASSES[name.name]
    if operate("is", name, own) is not True:
        raise Unjudgeable(f"uses {name.name}, which is the program's own")
    return own


def steps(thing: Any) -> Any:
    """Items in batches, if nothing can notice how far ahead they were asked for."""
    return _batches(thing) if isinstance(thing, Handle) else thing


def _batches(thing: Handle) -> Iterator[Any]:
    iterator = iter(thing)
    seen = turn = 0
    while seen < MAX_ITEMS:
        answer = request(thing._ask, "next", iterator, _BATCHES[min(turn, len(_BATCHES) - 1)])
        if type(answer) is not tuple or len(answer) != 2 or type(answer[0]) is not list:
            raise TypeError("the program's iterator gave something else than items")
        yield from answer[0]
        if answer[1] is not False or not answer[0]:
            return
        seen += len(answer[0])
        turn += 1
    raise OverflowError(f"more than {MAX_ITEMS} items")


def unchanging(value: Any) -> Any:
    """A value of the test that the program is given and the test uses again; each has its own copy."""
    if not _is_fixed(value):
        raise Unjudgeable(f"passes a {type(value).__name__} to the program, which may change it, and uses it again")
    return value


def _is_fixed(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(_is_fixed, value))
    return (not isinstance(value, _MANY) and type(value) in WRITERS) or callable(value)


def fixed_items(value: Any) -> Any:
    """A container of the test whose items the program is given in another one."""
    items = (*value, *value.values()) if isinstance(value, dict) else value
    if isinstance(value, _MANY) and not all(map(_is_fixed, items)):
        raise Unjudgeable(f"passes items of a {type(value).__name__} to the program, which may change them")
    return value


def combine(name: str, *operands: Any) -> Any:
    """An operator between values whose result the test treats as an object of the program."""
    return operate(name, *operands) if any(map(is_remote, operands)) else OPERATIONS[name](*operands)


def kinds_caught(kind: Any) -> Any:
    """The classes of an `except`, with stand-ins for the program's own."""
    if isinstance(kind, tuple):
        return caught(tuple(map(kinds_caught, kind)))
    remote = handle_of(kind)
    return caught(kind) if remote is None else request(ask_of(remote), "exception_class", remote)


_HELPERS = (
    value_of, call_answer, to_be_called, call_method, call_object_method, attribute_of, get_attribute, has_attribute,
    set_attribute, item_of, set_item, is_instance, is_subclass, is_callable, type_of, is_same, whole, as_dict,
    steps, item_getter, method_caller, shared_class, combine, kinds_caught, unchanging, fixed_items,
)  # fmt: skip
HELPERS: dict[str, Any] = {f"__{helper.__name__}__": helper for helper in _HELPERS} | {"__source_text__": SourceText}
