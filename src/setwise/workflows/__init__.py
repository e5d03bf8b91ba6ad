"""Workflows that join stages: evaluate a model, check a task, score a file, make a report, run the demo."""
