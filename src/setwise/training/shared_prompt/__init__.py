"""Each prompt runs once for all of its completions."""
