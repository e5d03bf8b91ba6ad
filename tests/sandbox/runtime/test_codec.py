"""What travels is plain data, whatever the program sends."""

import marshal
import math
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from setwise.sandbox.runtime.codec import ALONGSIDE, MAX_DEPTH, Decoder, Encoder, encode_scalar
from setwise.sandbox.runtime.plain_types import MAX_SAME_HASH, CodecError
from setwise.sandbox.runtime.remote import PLAIN_CALL, ProgramName, encode_request

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
    | st.complex_numbers(allow_nan=False) | st.decimals(allow_nan=False) | st.fractions() | st.dates() | st.times()
    | st.timedeltas()
)  # fmt: skip
hashables = scalars | st.tuples(scalars, scalars) | st.frozensets(scalars, max_size=3)
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.sets(hashables, max_size=4)
        | st.dictionaries(hashables, inner, max_size=4)
    ),
    max_leaves=10,
)


def nothing(value: Any) -> None:
    return None


def refuse(tag: bytes, payload: bytes) -> Any:
    raise CodecError("not plain")


def encode(value: Any) -> bytes:
    return Encoder(nothing).encode(value)


def decode(data: bytes) -> Any:
    return Decoder(data, refuse).decode()


@settings(max_examples=60, deadline=None)
@given(values)
def test_plain_data_arrives_as_it_was(value: Any):
    arrived = decode(encode(value))
    assert arrived == value
    assert type(arrived) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        range(3, 10, 2), slice(1, None, 2), deque([1, 2]), deque([1], 3), Counter("aab"), OrderedDict(b=1, a=2),
        bytearray(b"ab"), ...,
        datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC), date(2024, 1, 2), time(3, 4), timedelta(days=1, microseconds=3),
        Decimal("1.50"), Fraction(1, 3), int, ValueError, len, NotImplemented, "\ud800", -0.0, math.inf,
        {1: 2}.keys(), {1: 2}.items(),
    ],
)  # fmt: skip
def test_the_less_common_kinds_keep_their_equality_and_type(value: Any):
    arrived = decode(encode(value))
    assert arrived == value
    assert type(arrived) is type(value)


class Color(IntEnum):
    RED = 3


class Sly(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (defaultdict(list, a=[1]), {"a": [1]}),
        (Color.RED, 3),
        (Sly(4), 4),
        (True, True),
    ],
)
def test_a_subclass_travels_as_the_built_in_value_it_holds(value: Any, plain: Any):
    arrived = decode(encode(value))
    assert type(arrived) is type(plain)
    assert arrived == plain


def test_a_subclass_may_travel_with_the_place_where_the_object_is_kept():
    value = [Color.RED, namedtuple("Point", "x y")(1, 2)]
    kept: list[Any] = []

    def keep(item: Any) -> tuple[bytes, bytes]:
        kept.append(item)
        return ALONGSIDE, b"%d" % len(kept)

    encoded = Encoder(nothing, keep).encode(value)
    assert kept == value
    assert Decoder(encoded, refuse, kin=lambda place, plain: (place, plain)).decode() == [(b"1", 3), (b"2", (1, 2))]
    with pytest.raises(CodecError):
        decode(encoded)


def test_a_place_beside_a_place_is_bounded_too():
    with pytest.raises(CodecError, match="deeply"):
        Decoder(b"W\0\0\0\0" * (MAX_DEPTH + 2), refuse, kin=lambda place, plain: plain).decode()


@pytest.mark.parametrize("value", [{object(): 1}, {(1, object())}, frozenset([object()]), {object(): 1}.keys()])
def test_what_would_have_to_hash_an_object_is_kept_whole(value: Any):
    kept: list[Any] = []

    def keep(item: Any) -> tuple[bytes, bytes]:
        kept.append(item)
        return b"H", b"0"

    encoded = Encoder(keep, plain_keys=True).encode([1, value])
    assert kept[-1] is value
    assert Decoder(encoded, lambda tag, payload: (tag, payload)).decode() == [1, (b"H", b"0")]
    assert Encoder(keep, plain_keys=True).encode({1: object()})[:1] == b"d"


def test_nan_is_equal_to_math_nan_inside_containers_as_in_plain_execution():
    assert decode(encode([float("nan")])) == [math.nan]
    assert decode(encode(float("nan"))) != math.nan


def test_what_is_not_plain_data_is_refused():
    for thing in (object(), open, print, lambda: 1, iter([]), Color, ValueError("x")):
        with pytest.raises(CodecError):
            encode(thing)


def test_nesting_is_bounded_on_both_sides():
    deep: list[Any] = []
    for _ in range(MAX_DEPTH + 1):
        deep = [deep]
    with pytest.raises(CodecError, match="deeply"):
        encode(deep)
    with pytest.raises(CodecError, match="deeply"):
        decode(b"l\0\0\0\1" * (MAX_DEPTH + 2) + b"n\0\0\0\0")


def test_values_made_to_collide_are_refused_before_they_are_hashed_together():
    colliding = [k * (2**61 - 1) for k in range(MAX_SAME_HASH + 1)]
    parts = encode(colliding)
    with pytest.raises(CodecError, match="one hash"):
        decode(b"S" + parts[1:])
    assert decode(parts) == colliding


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_a_value_or_an_error(data: bytes):
    with suppress(CodecError):
        decode(data)


@settings(max_examples=60, deadline=None)
@given(values, st.data())
def test_a_damaged_encoding_is_a_value_or_an_error(value: Any, data: st.DataObject):
    encoded = bytearray(encode(value))
    position = data.draw(st.integers(0, len(encoded) - 1))
    encoded[position] = data.draw(st.integers(0, 255))
    with suppress(CodecError):
        decode(bytes(encoded))


@settings(max_examples=60, deadline=None)
@given(st.none() | st.booleans() | st.integers() | st.floats() | st.text())
def test_a_scalar_is_written_as_any_value_is(value: Any):
    assert encode_scalar(value) == Encoder(nothing).encode(("value", value))


def test_a_container_or_a_long_text_is_left_to_the_encoder():
    assert [encode_scalar(value) for value in ([1], (), {}, "x" * (1 << 16), object())] == [None] * 5


@settings(max_examples=60, deadline=None)
@given(values)
def test_arguments_arrive_as_they_were_however_they_travel(value: Any):
    request = encode_request("call", ProgramName("f", print), (value,), {})
    if request.startswith(PLAIN_CALL):
        assert marshal.loads(request[1:]) == ("f", (value,))
        assert repr(marshal.loads(request[1:])[1]) == repr((value,))
    else:
        assert Decoder(request, lambda tag, payload: payload).decode()[2] == (value,)


@pytest.mark.parametrize("value", [{1, 2}, math.nan, [frozenset()], 1 + 2j, Decimal(1)])
def test_what_marshal_would_change_does_not_travel_so(value: Any):
    assert not encode_request("call", ProgramName("f", print), (value,), {}).startswith(PLAIN_CALL)


def test_a_value_of_a_class_that_only_the_test_knows_does_not_travel_as_another():
    for value in (IntEnum("E", "A").A, namedtuple("P", "x")(1), defaultdict(int)):
        with pytest.raises(CodecError, match="of the test's own"):
            encode_request("call", ProgramName("f", print), (value,), {})
