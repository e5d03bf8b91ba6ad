"""Candidates x golds -> labels."""
