"""Reads what /proc tells about the whole host, a channel between seats.

Verdict: contained
Bites: yes
"""

from hostile import Hostile, unreadable


class HostProc(Hostile):
    def attack(self, observation):
        names = "cpuinfo diskstats interrupts loadavg locks meminfo mounts stat uptime vmstat"
        unreadable("/proc", *(f"/proc/{name}" for name in names.split()))
        unreadable("/proc/pressure/cpu", "/proc/net/unix", "/proc/sys/fs/file-nr")
