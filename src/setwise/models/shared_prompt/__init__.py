"""Each prompt is held once for all of its completions: which models can, and how they decode.

support     which models, and why the others cannot
attention   what a model attends by, call by call
completions what a decoder is asked for, and what it gives
prefill     prompts run once
drawing     one token out of a distribution
decoder     prompts in, completions out, token by token
keys        the keys of a batch's prompts, and of what follows each

On a GPU, in half precision:

graph_decoder   the same, every token one graph
steps           one token more for every sample
packed_keys     the keys, at fixed places
twin            the weights, rounded
flash           the kernels that attend to prompts
kernels         our own: what a sample wrote, and drawing in one pass
"""
