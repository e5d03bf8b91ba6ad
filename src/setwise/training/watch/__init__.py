"""What is logged during training, what looks wrong in it, and how it is shown."""
