"""Computes each prompt once for all of its completions."""
