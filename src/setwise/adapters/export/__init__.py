"""A recipe handed to another engine: its data, its reward file, its launch command, in one folder."""
