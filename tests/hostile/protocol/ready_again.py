"""Says that it is ready, instead of acting.

Verdict: malformed
"""

from hostile import Hostile, forever, send


class ReadyAgain(Hostile):
    def attack(self, observation):
        send(b'{"type":"ready"}\n')
        forever()
