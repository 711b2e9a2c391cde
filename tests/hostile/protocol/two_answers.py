"""Gives two answers to one turn; the second is none to the next turn.

Verdict: malformed
"""

import json

from firebox.hanabi import action_to_wire
from hostile import Hostile, honest, send


class TwoAnswers(Hostile):
    def attack(self, observation):
        action = json.dumps(action_to_wire(honest(observation))).encode()
        send(b'{"type":"action","turn":%d,"action":%b}\n' % (observation.turn, action) * 2)
