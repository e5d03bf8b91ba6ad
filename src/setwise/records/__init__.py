"""The typed file formats. Each reads what it writes, and what version 1 wrote.

files            JSON lines and JSON files, read with their place, written completely or not at all
problem          a question, or a problem with what counts as right
objective        what a model is asked for, and its reward
sample           one completion; `sample_file` keeps many
score            the reward of a completion, and why
attempt          one labelled set of K answers, the input of every metric
method, run      how a model was asked, and the folder of an evaluation
measured         its metrics
comparison       several runs side by side
best_possible    what no model can beat, if the truth is known
manifest         how a model was trained, next to its weights
training_log     the steps and alarms of a training run
"""
