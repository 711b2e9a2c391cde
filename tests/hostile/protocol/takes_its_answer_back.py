"""Opens its pipes again from the other side, to take back answers and to forge questions.

Verdict: contained
Bites: yes
"""

import os

from hostile import PROTOCOL_IN, PROTOCOL_OUT, Hostile, refused


class TakesItsAnswerBack(Hostile):
    def attack(self, observation):
        for descriptor, mode in ((PROTOCOL_OUT, os.O_RDONLY), (PROTOCOL_IN, os.O_WRONLY)):
            path = f"/proc/self/fd/{descriptor}"
            refused(f"open {path}", os.open, path, mode | os.O_NONBLOCK)
