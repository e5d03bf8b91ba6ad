"""`setwise doctor` says what models run on and what the sandbox is made of."""

from importlib.metadata import PackageNotFoundError

import pytest

from setwise.cli import doctor, main
from setwise.sandbox.isolation import describe
from setwise.sandbox.worker import Worker

FACTS = {"tier": "A", "namespaces": "as root", "landlock": 6, "library": ["/usr/lib/python3"], "was_root": True}


def test_the_doctor_names_the_tier_and_exits_with_zero(capsys: pytest.CaptureFixture[str]):
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "sandbox: tier " in said
    assert "seccomp" in said


def test_the_doctor_names_what_models_run_on_and_how_to_get_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def version(name: str) -> str:
        if name == "vllm":
            raise PackageNotFoundError
        return "1.2.3"

    monkeypatch.setattr(doctor, "version", version)
    monkeypatch.setattr(doctor, "_gpus", lambda: "8 x Abacus")
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "  with     torch 1.2.3, 8 x Abacus\n  with     transformers 1.2.3\n" in said
    assert "  missing  vllm: pip install 'setwise[vllm]'\n" in said


def test_a_machine_without_a_sandbox_is_a_finding(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Worker, "greeting", lambda self: {"refused": {"A": "not permitted"}})
    assert main(["doctor", "--tier", "A"]) == 0
    assert "not permitted" in capsys.readouterr().out


def test_a_weaker_tier_says_what_is_missing_and_what_that_costs():
    report = str(
        describe({**FACTS, "tier": "C", "namespaces": "", "landlock": 0}, {"A": "unshare: denied", "B": "none"})
    )
    assert "missing  tier A: unshare: denied" in report
    assert "import only the modules" in report


@pytest.mark.parametrize("tier", "ABCD")
def test_a_tier_is_said_to_cost_what_is_true_of_it_alone(tier: str):
    report = str(describe({**FACTS, "tier": tier}, {}))
    assert ("can open, signal and start nothing" in report) == (tier == "B")
    assert ("can open no file at all" in report) == (tier == "C")
    assert ("nothing keeps a program from reading your files" in report) == (tier == "D")


def test_an_unreachable_library_is_said():
    assert "only modules loaded beforehand" in str(describe({**FACTS, "library": []}, {}))
    assert "only modules loaded beforehand" not in str(describe(FACTS, {}))
