"""Answers from the handler of the signal that asks it where it was, and then plays on.

Verdict: timeout
"""

import signal

from hostile import Hostile, forever, send


class AnswersItsInterruption(Hostile):
    def attack(self, observation):
        def answer(number, frame):
            send(
                b'{"type":"action","turn":%d,"action":{"type":"play","card":0}}\n'
                % observation.turn
            )

        signal.signal(signal.SIGUSR1, answer)
        forever()
