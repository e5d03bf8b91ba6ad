"""Stores each prompt once for all of its completions: which models can do this, and how they decode.

support     which models can, and why the others cannot
attention   a custom attention for single calls
completions the input and the output of a decoder
prefill     runs prompts once
drawing     draws one token from a distribution
decoder     prompts in, completions out, token by token
keys        the keys of a batch's prompts and of their samples

On a GPU, in half precision:

graph_decoder   the same, with one graph per token
steps           one more token for every sample
packed_keys     the keys, at fixed places
twin            the weights, rounded
flash           flash kernels, for the update
kernels         our own: attention to prompts and to what a sample wrote, and drawing in one pass
"""
