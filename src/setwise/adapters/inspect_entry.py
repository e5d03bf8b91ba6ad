"""What Inspect imports to find our tasks. The package's entry point `inspect_ai` names this file."""

from importlib.util import find_spec

from setwise.adapters.inspect_ai import register_tasks

if find_spec("inspect_ai") is not None:
    register_tasks()
