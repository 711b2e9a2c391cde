"""Goes on answering when the game is over.

Verdict: contained
"""

import atexit

from hostile import Hostile, send


class AnswersTheEnd(Hostile):
    def attack(self, observation):
        atexit.register(send, b'{"type":"action","turn":0,"action":{}}\n')

    def on_event(self, event):
        if self.armed and self.turns > 20:
            self.late = True

    def __del__(self):
        send(b'{"type":"action","turn":0,"action":{}}\n')
