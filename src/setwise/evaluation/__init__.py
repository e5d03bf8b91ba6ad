"""Records in, honest numbers out.

tally -> quantities -> measure          the numbers, for any harness
methods, lessons, generation            what a model is asked, and how
elicitation                             confidences from a model that writes none
labels, score_run                       what it said, judged
compare, analyses, same_problems        several runs side by side
frame                                   one run, problem by problem
"""
