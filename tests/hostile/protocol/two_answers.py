"""Gives two answers to one turn; the second is none to the next turn.

Verdict: malformed
"""

import json

from hostile import Hostile, honest, send

from firebox.hanabi import action_to_wire


class TwoAnswers(Hostile):
    def attack(self, observation):
        action = json.dumps(action_to_wire(honest(observation))).encode()
        send(b'{"type":"action","turn":%d,"action":%b}\n' % (observation.turn, action) * 2)
