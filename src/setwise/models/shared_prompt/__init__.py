"""Each prompt is held once for all of its completions: which models can, and how they decode.

support     which models, and why the others cannot
attention   what a model attends by, call by call
keys        the keys of a batch's prompts, and of what follows each
prefill     prompts run once
drawing     one token out of a distribution
decoder     prompts in, completions out
"""
