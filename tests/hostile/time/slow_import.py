"""Computes for ever while its module is imported.

Verdict: timeout
Armed: always
Limits: start_seconds=0.4
"""

from hostile import Hostile, forever

forever()


class SlowImport(Hostile):
    pass
