"""Turns records into metrics.

tally -> quantities -> measure          the metrics, for any harness
methods, lessons, generation            what a model is asked, and how
elicitation                             confidences from a model trained without them
labels, score_run, unreadable           its answers, judged
frame, analyses                         one run, problem by problem, and the paper's analyses of it
side_by_side, compare, over_seeds       several runs, paired by problem
same_problems, judged_alike             whether they can be
"""
