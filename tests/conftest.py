"""For every test: no time limit on a hypothesis example. How busy a machine is says nothing about the code."""

from hypothesis import settings

settings.register_profile("setwise", deadline=None)
settings.load_profile("setwise")
