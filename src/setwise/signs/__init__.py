"""What in one completion looks like a way around the reward. Text in, small facts out; nothing is decided here.

words        how these functions read text
names        the names that answers can have, and where a text holds them
near         answers of one set that are one answer in two spellings
hedges       one answer that holds several
copies       answers taken from the question or from the format
thoughts     thinking that is empty, a template, or against its own answers
programs     programs that know their tests, print instead of return, or work on the judge
known_tests  what tests give away

`setwise audit` counts these over a whole run, training's log over a batch.
"""
