"""Reads and overwrites its own memory and settings through /proc.

Verdict: contained
Bites: yes
"""

from hostile import Hostile, unreadable, unwritable


class OwnProc(Hostile):
    def attack(self, observation):
        names = "cgroup environ maps mem mountinfo pagemap smaps stat status"
        unreadable(*(f"/proc/self/{name}" for name in names.split()))
        unwritable("/proc/self/mem", "/proc/self/exe", "/proc/self/oom_score_adj")
        unwritable("/proc/self/comm", "/proc/self/uid_map", "/proc/thread-self/comm")
