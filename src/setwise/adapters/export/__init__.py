"""Exports a recipe to another engine: its data, reward file and launch command, in one folder."""
