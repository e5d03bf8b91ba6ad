"""With the real verifiers package: an exported taskset, training rollouts, and what each of their tokens is paid."""

from pathlib import Path

import pytest

from setwise import score_batch
from setwise.adapters.credit_rule import CreditRule
from setwise.adapters.trace_credit import assign_advantages, carries_credit
from setwise.contract import CUT_OFF
from tests.adapters.cases import Case
from tests.adapters.credited import paid_in_training, tells_tokens_apart
from tests.adapters.training_rollouts import Group, exported_group

vf = pytest.importorskip("verifiers.v1", reason="verifiers is not installed here; `make test-verifiers` runs this")
pytest.importorskip("transformers", reason="its renderers need a tokenizer")

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")


@pytest.fixture(params=[{}, {"divide_by_std": True, "later_gain": 0.0}], ids=["plain", "divided"])
def group(
    request: pytest.FixtureRequest, every_case: list[Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Group:
    found = exported_group(vf, every_case[0], tmp_path, monkeypatch, **request.param)
    assert found.grading.credit == CreditRule("answer", **{"later_gain": 0.5, **request.param})
    return found


def test_every_token_of_a_rollout_is_paid_what_training_pays(group: Group) -> None:
    assert all(map(carries_credit, group.traces))
    assign_advantages(group.traces, group.tokenizer)
    ours = paid_in_training(group.sampled, group.tokenizer, group.grading)
    assert tells_tokens_apart(ours)
    for trace, paid in zip(group.traces, ours, strict=True):
        (branch,) = trace.branches
        prompt = len(branch.token_ids) - len(paid)
        assert prompt > 0
        assert branch.advantages[:prompt] == [0.0] * prompt
        assert branch.advantages[prompt:] == pytest.approx(paid, abs=1e-6)


def test_the_reward_of_a_rollout_is_that_of_the_exported_preset(group: Group) -> None:
    preset = group.grading.objective.preset
    assert (preset.set_value, preset.weights["calibration"]) == ("any", 2.0)
    texts = [group.tokenizer.decode(ids, skip_special_tokens=True) for ids in group.sampled]
    reasons = [CUT_OFF if trace.is_truncated else None for trace in group.traces]
    about = group.grading
    ours = score_batch(
        texts, [about.problem] * len(texts), about.objective, matcher=about.matcher, finish_reasons=reasons
    )
    assert [trace.reward for trace in group.traces] == [score.reward for score in ours]
    assert reasons.count(CUT_OFF) == 1


def test_advantages_survive_the_wire_to_a_trainer(group: Group) -> None:
    assign_advantages(group.traces, group.tokenizer)
    for trace in group.traces:
        received = vf.WireTrace.model_validate(trace.model_dump(mode="python"))
        assert received.branches[0].advantages == trace.branches[0].advantages
        assert carries_credit(received)
