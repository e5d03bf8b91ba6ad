import io

from setwise.records.training_log import Alarm
from setwise.training.watch.view import PlainView, open_view


def test_without_a_terminal_the_view_is_plain_lines():
    out = io.StringIO()
    with open_view(out) as view:
        view.step(1, 10, {"reward": 0.5, "num_tokens": 100})
        view.alarm(Alarm("length_drift", 1, "completions went from 10 to 30 tokens"))
        view.step(10, 10, {"reward": 0.75, "num_tokens": 900})
    first, alarm, last = out.getvalue().splitlines()
    assert first.startswith("step 1/10  reward 0.5")
    assert alarm == "step 1  ALARM length_drift: completions went from 10 to 30 tokens"
    assert last.startswith("step 10/10  reward 0.75")
    assert "tokens/s" in last


def test_on_a_terminal_the_view_is_redrawn_in_place():
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    out = Terminal()
    with open_view(out) as view:
        assert not isinstance(view, PlainView)
        view.alarm(Alarm("duplicate_answers", 2, "40% of sets repeat an answer"))
        view.step(3, 10, {"reward": 0.5, "strictly_valid": 0.9})
    assert "reward" in out.getvalue()
    assert "duplicate_answers" in out.getvalue()
