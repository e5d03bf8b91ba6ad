"""Turns records into metrics.

tally -> quantities -> measure          the metrics, for any harness
methods, lessons, generation            what a model is asked, and how
elicitation                             confidences from a model trained without them
labels, score_run                       its answers, judged
compare, analyses, same_problems        several runs side by side
frame                                   one run, problem by problem
"""
