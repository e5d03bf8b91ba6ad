"""Typed shapes on disk. Each reads what it writes, and what version 1 wrote.

files            JSON lines and JSON files, read with their place, written whole or not at all
problem          a question, or a problem with what counts as right
objective        what a model is asked for and paid
sample           one completion; `sample_file` keeps many
score            what a completion is worth, and why
attempt          one labelled set of K answers, which every number of an evaluation is made of
method, run      how a model was asked, and the folder of an evaluation
measured         its numbers
comparison       several runs side by side
best_possible    what no model can beat, where the truth is known
manifest         how a model was taught, beside its weights
training_log     the steps and alarms of a training
"""
