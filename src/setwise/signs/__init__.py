"""Signs of a way around the reward in one completion. Text in, small facts out; nothing is decided here.

words        how these functions read text
names        the names that answers can have, and where a text contains them
near         two spellings of one answer in a set
hedges       several answers in one
copies       answers taken from the question or from the format
thoughts     thinking that is empty, a template, or contradicts its own answers
programs     programs that know their tests, print instead of return, or tamper with the judge
known_tests  what tests reveal

`setwise audit` counts these over a whole run; the training log counts them per batch.
"""
