"""Sleeps for ever while it is imported.

Verdict: idle
Armed: always
Limits: start_seconds=0.5
"""

import time

time.sleep(3600)
