"""The same scoring inside other engines and harnesses.

Every adapter is a thin layer over `grade.grade`, which turns a completion and the ground truth from its dataset row
into a `Score`. No adapter imports its engine before it is used, and nothing in the core imports an adapter.
"""
