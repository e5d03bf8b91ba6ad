"""Listens to the trainer: the log with its alarms, NaN, signals, manifests, schedules.

Listeners are plain objects with the trainer's event methods. `as_callback` turns one into a callback.
"""

import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from math import isfinite
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

from setwise.errors import InputError
from setwise.records.manifest import Manifest
from setwise.records.training_log import Alarm, TrainingLog
from setwise.training.watch.alarms import PROGRESS, AlarmBoard


class View(Protocol):
    """Shows a run to a person."""

    def note(self, text: str) -> None: ...

    def step(self, step: int, steps: int, metrics: Mapping[str, float]) -> None: ...

    def alarm(self, alarm: Alarm) -> None: ...


def as_callback(listener: object) -> Any:
    """The trainer's callback around a listener."""
    from transformers import TrainerCallback

    def forward(method: Callable[..., None]) -> Callable[..., None]:
        return lambda self, *arguments, **options: method(*arguments, **options)

    events = {name: forward(getattr(listener, name)) for name in dir(listener) if name.startswith("on_")}
    return type(type(listener).__name__, (TrainerCallback,), events)()


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and isfinite(value)


class LogKeeper:
    """Writes every logged step and every alarm to the run folder, and shows them."""

    def __init__(self, log: TrainingLog, view: View, board: AlarmBoard) -> None:
        self.log, self.view, self.board = log, view, board

    def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, Any], **_: Any) -> None:
        if not state.is_world_process_zero or "reward" not in logs:
            return
        metrics = {name: value for name, value in logs.items() if is_number(value)}
        self.log.add_step(state.global_step, metrics)
        self.view.step(state.global_step, state.max_steps, metrics)
        progress = {PROGRESS: state.global_step / state.max_steps}
        for alarm in self.board.watch(state.global_step, metrics | progress):
            self.log.add_alarm(alarm)
            self.view.alarm(alarm)


class LossNotes:
    """Shows the loss of a supervised stage, which has no log of its own."""

    def __init__(self, stage: str, note: Callable[[str], None]) -> None:
        self.stage, self.note = stage, note

    def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, Any], **_: Any) -> None:
        if state.is_world_process_zero and "loss" in logs:
            self.note(f"{self.stage}: step {state.global_step}/{state.max_steps}  loss {logs['loss']:.3g}")


class StopAtNaN:
    """Ends a run whose token probabilities are NaN: it would draw any tokens, and learn nothing from them."""

    def __init__(self, model: str) -> None:
        self.model = model

    def on_log(self, args: Any, state: Any, control: Any, logs: Mapping[str, Any], **_: Any) -> None:
        # Both, because a gradient alone may overflow in float16, which the trainer skips.
        if all(name in logs and not is_number(logs[name]) for name in ("entropy", "grad_norm")):
            raise InputError(
                "the probabilities of tokens must be numbers",
                place=f"{self.model}, step {state.global_step}",
                value=float("nan"),
                remedy="if no step was logged before, its weights are broken; else train anew at a lower rate",
            )


class ManifestWriter:
    """Writes the manifest next to a checkpoint's weights, after all other files, which marks it complete."""

    def __init__(self, checkpoints: Path, manifest: Manifest) -> None:
        self.checkpoints, self.manifest = checkpoints, manifest

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.is_world_process_zero:
            notes = {**self.manifest.notes, "step": state.global_step}
            replace(self.manifest, notes=notes).write(self.checkpoints / f"checkpoint-{state.global_step}")


class GracefulStop:
    """SIGTERM and SIGINT save at the next generation boundary and stop. A second SIGINT stops at once."""

    def __init__(self, updates_per_generation: int) -> None:
        self.updates_per_generation = updates_per_generation
        self.asked = False
        self._before: dict[int, Any] = {}

    def __enter__(self) -> "GracefulStop":
        for number in (signal.SIGTERM, signal.SIGINT):
            try:
                self._before[number] = signal.signal(number, self._ask)
            except ValueError:
                # Only the main thread may listen. A run inside another program is stopped by whoever started it.
                break
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.asked = True

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        on_boundary = state.global_step % self.updates_per_generation == 0
        if on_boundary and self._anyone_asked():
            self.asked = True
            control.should_save = control.should_training_stop = True

    def _anyone_asked(self) -> bool:
        """Saving needs all processes, so one that received the signal speaks for all."""
        import torch

        if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
            return self.asked
        device = "cuda" if torch.distributed.get_backend() == "nccl" else "cpu"
        asked = torch.tensor(int(self.asked), device=device)
        torch.distributed.all_reduce(asked, op=torch.distributed.ReduceOp.MAX)
        return bool(asked.item())


class LastStep:
    """Cancels the trainer's checkpoint at the last step, which is several times the size of the model saved right after
    it."""

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.global_step >= state.max_steps and state.global_step % args.save_steps:
            control.should_save = False


class CalibrationWarmup:
    """Lets the weight of the calibration term rise linearly from zero over a share of the run. It depends only on the
    step, so resuming changes nothing."""

    def __init__(self, reward: Any, share: float) -> None:
        self.reward, self.share = reward, share

    def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self.reward.calibration_share = min(1.0, state.global_step / (self.share * state.max_steps))


class EntropyDecay:
    """Lets the entropy bonuses fall linearly to zero. They depend only on the step, so resuming changes nothing."""

    def __init__(self, trainer: Any) -> None:
        self.trainer = trainer
        self.bonuses = {name: getattr(trainer, name) for name in ("entropy_coef", "confidence_entropy_coef")}

    def on_step_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        for name, bonus in self.bonuses.items():
            setattr(self.trainer, name, bonus * max(0.0, 1 - state.global_step / state.max_steps))
