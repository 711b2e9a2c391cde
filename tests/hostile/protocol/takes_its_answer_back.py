"""Writes answers and reads them out of the pipe again, under the eyes of whoever waits for them.

Verdict: timeout
"""

import os

from hostile import PROTOCOL_OUT, Hostile, forever, send


class TakesItsAnswerBack(Hostile):
    def attack(self, observation):
        try:
            back = os.open(f"/proc/self/fd/{PROTOCOL_OUT}", os.O_RDONLY | os.O_NONBLOCK)
        except OSError:
            forever()
        while True:
            send(b" ")
            os.read(back, 1)
