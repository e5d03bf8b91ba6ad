"""What is logged while a run trains, what looks wrong in it, and how it is shown."""
