"""Methods as records."""

import pytest

from setwise import Regime
from setwise.evaluation.methods import METHODS
from setwise.records.files import dump_record, parse_record
from setwise.records.method import Method


@pytest.mark.parametrize("method", METHODS.values(), ids=list(METHODS))
def test_a_method_survives_the_round_trip(method: Method):
    assert Method.from_record(parse_record(dump_record(method.to_record()), "here")) == method


@pytest.mark.parametrize("method", METHODS.values(), ids=list(METHODS))
def test_a_method_of_version_1_is_read(method: Method):
    """It had the name of the objective it is read with, instead of whether that is multi."""
    record = method.to_record()
    del record["multi"]
    record["objective"] = method.read_objective(Regime.INCLUSIVE).name
    assert Method.from_record(record) == method
