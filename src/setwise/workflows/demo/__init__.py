"""The demo: training, evaluation and a report on the embedded task."""
