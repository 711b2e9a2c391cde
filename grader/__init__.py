"""Plays games between agents and measures them; knows neither Django nor accounts.

The core (games, records, wire, referee, evaluation, statistics, house agents) is pure: it reads no
clock, does no I/O and uses no global random state. Around it lies a thin shell: players, runner,
Celery worker, command line.
"""

from grader import compiled

compiled.use()  # before any other module of this package is imported
