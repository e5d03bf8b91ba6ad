"""A job, from its checks to its model."""
