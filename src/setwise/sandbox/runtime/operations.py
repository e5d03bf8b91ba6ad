"""The language's own operations by name, for the program's process to apply to its objects."""

import copy
import math
import operator
from collections.abc import Callable
from typing import Any

_BINARY = "eq ne lt le gt ge add sub mul matmul truediv floordiv mod pow lshift rshift contains getitem setitem"
_IN_PLACE = "iadd isub imul imatmul itruediv ifloordiv imod ipow ilshift irshift iand ior ixor"
_UNARY = "neg pos invert index"
_CONVERSIONS = (str, repr, abs, int, float, complex, bytes, hash, format, round, divmod, dir, dict)
_QUESTIONS = (isinstance, issubclass, callable, hasattr, getattr, setattr, type)

OPERATIONS: dict[str, Callable[..., Any]] = {
    **{name: getattr(operator, name) for name in f"{_BINARY} {_IN_PLACE} {_UNARY}".split()},
    **{function.__name__: function for function in (*_CONVERSIONS, *_QUESTIONS)},
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
    "is": operator.is_,
    "truth": bool,
    "length": len,
    "reversed": reversed,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "trunc": math.trunc,
    "floor": math.floor,
    "ceil": math.ceil,
}
