"""Answers at once and goes on computing while the others have their turns.

Verdict: timeout
"""

from hostile import Hostile, forever, send


class ThinksBetweenTurns(Hostile):
    def attack(self, observation):
        send(
            b'{"type":"action","turn":%d,"action":{"type":"hint","to":%d,"rank":%d}}\n'
            % (observation.turn, 1 - observation.seat, self.rank(observation))
        )
        forever()

    def rank(self, observation):
        return observation.hands[1 - observation.seat][0].rank
