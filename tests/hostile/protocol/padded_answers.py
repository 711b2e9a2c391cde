"""Pads every answer to almost the longest line, until the quota of the game is used up.

Verdict: output
"""

from hostile import Hostile, honest, send


class PaddedAnswers(Hostile):
    def act(self, observation):
        if self.armed:
            send(b" " * 4000)
        return honest(observation)
