"""The sender computes; the receiver reads for how long processes of the host had to wait.

Games: 30
"""

from counter_channel import CounterChannel


class Pressure(CounterChannel):
    def figure(self):
        figures = [self.attempt(self.total, what) for what in ("cpu", "memory", "io")]
        return sum(figure for figure in figures if figure is not None)

    def total(self, what):
        with open(f"/proc/pressure/{what}") as lines:
            return int(lines.readline().rpartition("=")[2])
