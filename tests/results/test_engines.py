"""The learning curves of both samplers follow from their record, and so does what the page says of them."""

from statistics import fmean

import pytest

from results.engines import DOCUMENT, MEASURED, quarters, with_table
from setwise.records.files import read_records


def test_the_page_shows_what_was_measured():
    text = DOCUMENT.read_text(encoding="utf-8")
    assert with_table(text) == text


def test_seeds_differ_more_than_samplers():
    runs = {(run["backend"], run["seed"]): run for _, run in read_records(MEASURED)}
    assert set(runs) == {("shared", 0), ("shared", 1), ("vllm", 0), ("vllm", 1)}
    assert all(len(run["coverage"]) == 68 for run in runs.values())
    last = {key: quarters(run, "coverage")[-1] for key, run in runs.items()}
    between_samplers = [abs(last["shared", seed] - last["vllm", seed]) for seed in (0, 1)]
    between_seeds = [abs(last[backend, 0] - last[backend, 1]) for backend in ("shared", "vllm")]
    assert max(between_samplers) < min(between_seeds)
    assert fmean(between_samplers) == pytest.approx(0.055, abs=0.002)
    assert [round(each, 2) for each in between_seeds] == [0.12, 0.18]
    for run in runs.values():
        assert run["coverage"][0] < 0.02 < 0.2 < quarters(run, "coverage")[-1]
        assert max(quarters(run, "entropy")[1:]) < 0.13
