"""The supervised stage before reinforcement, and a model from nothing for it to teach."""
