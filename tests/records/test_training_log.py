"""The log of a training run."""

from pathlib import Path

from setwise.records.files import dump_record
from setwise.records.training_log import ALARMS, LOG, Alarm, TrainingLog


def test_steps_and_alarms_survive_the_round_trip(tmp_path: Path):
    log = TrainingLog(tmp_path / "run")
    assert (log.exists, log.steps(), log.alarms()) == (False, [], [])
    log.add_step(1, {"coverage": 0.5})
    log.add_step(2, {"coverage": 0.75})
    alarm = Alarm("entropy", 2, "gone")
    log.add_alarm(alarm)
    assert log.exists
    assert log.steps() == [{"step": 1.0, "coverage": 0.5}, {"step": 2.0, "coverage": 0.75}]
    assert log.alarms() == [alarm]


def test_a_log_of_version_1_is_read_under_todays_names(tmp_path: Path):
    old = {
        "set/coverage": 0.1,
        "set/pass_at_1": 0.2,
        "set/pass_at_k": 0.3,
        "set/distinct": 2.5,
        "parse/valid": 0.4,
        "length/tokens": 99.0,
        "length/truncated": 0.05,
        "parse/truncated": 0.05,
        "loss": -1,
    }
    (tmp_path / LOG).write_text(dump_record({"schema": 1, "step": 1, **old}))
    assert TrainingLog(tmp_path).steps() == [
        {
            "step": 1.0,
            "coverage": 0.1,
            "pass_at_1": 0.2,
            "pass_at_k": 0.3,
            "uniqueness": 2.5,
            "strictly_valid": 0.4,
            "tokens": 99.0,
            "truncated": 0.05,
            "parse/truncated": 0.05,
            "loss": -1.0,
        }
    ]


def test_a_log_of_version_1_goes_on_in_todays_version(tmp_path: Path):
    lines = [dump_record({"schema": 1, "step": step, "set/coverage": step / 10}) for step in (1, 2, 3)]
    (tmp_path / LOG).write_text("".join(lines))
    (tmp_path / ALARMS).write_text(dump_record({"schema": 1, "step": 3, "alarm": "entropy", "message": "gone"}))
    log = TrainingLog(tmp_path)
    assert log.forget_after(2) == [{"step": 1.0, "coverage": 0.1}, {"step": 2.0, "coverage": 0.2}]
    assert log.alarms() == []
    log.add_step(3, {"coverage": 0.4})
    assert [step["coverage"] for step in log.steps()] == [0.1, 0.2, 0.4]


def test_half_a_line_at_the_end_counts_for_nothing(tmp_path: Path):
    log = TrainingLog(tmp_path)
    log.add_step(1, {"coverage": 0.5})
    with (tmp_path / LOG).open("a") as stream:
        stream.write(dump_record({"step": 2})[:-5])
    assert log.steps() == [{"step": 1.0, "coverage": 0.5}]
