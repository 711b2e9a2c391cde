"""Sends the game what looks like the end of a perfect game.

Verdict: malformed
"""

from hostile import Hostile, send


class AnnouncesAResult(Hostile):
    def attack(self, observation):
        send(b'{"type":"end","events":[],"scores":[25,25],"ending":"perfect"}\n')
