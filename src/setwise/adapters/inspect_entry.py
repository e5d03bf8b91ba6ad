"""What Inspect imports when it looks for our tasks; the entry point `inspect_ai` of the package names this file."""

from importlib.util import find_spec

from setwise.adapters.inspect_ai import register_tasks

if find_spec("inspect_ai") is not None:
    register_tasks()
