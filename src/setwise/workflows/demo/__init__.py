"""The whole job on the embedded task."""
