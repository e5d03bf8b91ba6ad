"""Real files, or a made-up world, turned into problems.

task = load_task("ddxplus", path="data/ddxplus", split="train", limit=25_000, seed=0)
for problem in task: ...
task.regime, task.matcher, task.instruction
"""

from setwise.tasks.registry import TASKS, Row, load_task
from setwise.tasks.task import LeftOut, Request, Task

__all__ = ["TASKS", "LeftOut", "Request", "Row", "Task", "load_task"]
