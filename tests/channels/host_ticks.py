"""The sender computes; the receiver reads from /proc/stat how busy the host was.

Bites: yes
Games: 30
"""

from counter_channel import CounterChannel


class HostTicks(CounterChannel):
    idle = 1

    def figure(self):
        with open("/proc/stat") as lines:
            return sum(int(word) for word in lines.readline().split()[1:4])  # user, nice, system
