"""Asks for more of the processor: priority, another core, real time.

Verdict: contained
"""

import os

from hostile import Hostile, denied, refused


class Schedules(Hostile):
    def attack(self, observation):
        refused("nice", os.nice, -5)
        refused("be less nice", os.setpriority, os.PRIO_PROCESS, 0, -10)
        refused("leave its core", os.sched_setaffinity, 0, range(8))
        refused("real time", os.sched_setscheduler, 0, os.SCHED_FIFO, os.sched_param(1))
        denied("sched_setattr", "get_mempolicy", "migrate_pages")
