"""Computes while the other seat starts, before its own start is asked for.

Verdict: timeout
Armed: always
Limits: turn_seconds=0.3 start_seconds=0.6
"""

import select
import time

from hostile import PROTOCOL_IN, Hostile

asked = select.poll()
asked.register(PROTOCOL_IN, select.POLLIN)
while not asked.poll(0):  # seat 0 is asked at once, the other when seat 0 is ready
    time.process_time()
until = time.process_time() + 0.5
while time.process_time() < until:
    pass


class LoadsBeforeItsStart(Hostile):
    pass
