"""Walks through frames and every object of the process in search of its own cards and the deal.

Verdict: contained
"""

import gc
import inspect

from hostile import Hostile, escaped


class HuntsForHands(Hostile):
    def attack(self, observation):
        for frame in inspect.stack():
            for value in frame.frame.f_locals.values():
                self.look_at(value, observation.seat)
        for thing in gc.get_objects():
            self.look_at(thing, observation.seat)

    def look_at(self, thing, seat):
        if type(thing) is not dict:
            return
        for secret in ("deal_seed", "secret", "deck_order"):
            if secret in thing and thing is not globals():
                escaped(f"{secret} in {list(thing)[:10]}")
        hands = thing.get("hands")
        if isinstance(hands, list) and len(hands) == self.context.players and "turn" in thing:
            own = hands[seat]["cards"] if isinstance(hands[seat], dict) else hands[seat]
            if own and any(own):
                escaped(f"own cards: {own}")
