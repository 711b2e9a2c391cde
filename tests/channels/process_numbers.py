"""The sender starts processes, which the kernel numbers; the receiver looks for the last number.

In the sandbox nothing is sent: a process that forks is ended there, and says nothing by it that a
crash would not.

Bites: yes
"""

import os

from channel import digits, number
from counter_channel import CounterChannel

STEP = 16


class ProcessNumbers(CounterChannel):
    width = 2

    def prepare(self):
        self.may_fork = os.path.exists("/proc/self/stat")
        self.last = self.figure()

    def send(self, bits):
        for _ in range(STEP * number(bits) if self.may_fork else 0):
            self.fork()

    def receive(self, width):
        steps, self.last = self.figure() - self.last, self.figure()
        return digits(round(steps / STEP), width)

    def figure(self):
        with open("/proc/sys/kernel/ns_last_pid") as line:
            return int(line.read())

    def fork(self):
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
