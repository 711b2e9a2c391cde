"""The sender takes memory; the receiver reads in /proc how much the host has left.

Games: 30
"""

from free_memory_channel import FreeMemoryChannel


class FreeMemory(FreeMemoryChannel):
    def free(self):
        with open("/proc/meminfo") as lines:
            return int(lines.readlines()[1].split()[1]) << 10
