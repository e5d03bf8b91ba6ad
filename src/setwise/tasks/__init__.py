"""Turns files, or a made-up world, into problems.

task = load_task("ddxplus", path="data/ddxplus", split="train", limit=25_000, seed=0)
for problem in task: ...
task.regime, task.matcher, task.instruction
"""

from setwise.tasks.registry import TASKS, load_task
from setwise.tasks.task import LeftOut, Task, TaskKind, TaskRequest

__all__ = ["TASKS", "LeftOut", "Task", "TaskKind", "TaskRequest", "load_task"]
