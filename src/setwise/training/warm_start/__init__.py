"""The supervised stage before reinforcement learning, and a small model built from scratch for it."""
