"""The same scoring inside other people's engines and harnesses.

Every adapter is a thin file over `grade.grade`: a completion and the ground truth that its dataset row carries in,
a `Score` out. Nothing here imports an engine before it is used, and nothing in the core imports an adapter.
"""
