"""Plays games between agents and measures them; knows neither Django nor accounts.

The core is pure: it reads no clock, does no I/O and uses no global random state.
"""

from grader import compiled

compiled.use()  # before any other module of this package is imported
