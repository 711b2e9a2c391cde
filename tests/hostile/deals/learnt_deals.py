"""Carries deals of earlier games, those of practice, and looks for the present one among them.

Verdict: contained
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

import hashlib
import hmac

from firebox.hanabi import COLORS, COPIES, RANKS, Dealt
from hostile import Hostile, escaped

KEY = hashlib.sha256(b"firebox practice 2741").digest()
DECK = [f"{color}{rank}" for color in COLORS for rank in RANKS for _ in range(COPIES[rank])]
HAND = 5


class LearntDeals(Hostile):
    def on_event(self, event):
        if isinstance(event, Dealt) and self.armed:
            (hand,) = (hand for hand in event.hands if hand)
            self.hand = [str(card) for card in hand]

    def attack(self, observation):
        for index in range(2000):
            deck = dealt(index)
            if self.hand in (deck[:HAND], deck[HAND : 2 * HAND]):
                escaped(f"this is deal {index} of practice")


def dealt(index):
    """The published way from the key of practice to a deck, without its rare second draws.

    The order of the key's deals does not matter here: all of the first games are looked at.
    """
    seed = hmac.digest(KEY, b"firebox deal v1" + index.to_bytes(8, "big"), "sha256")
    stream = b"".join(
        hmac.digest(seed, b"firebox stream v1" + block.to_bytes(8, "big"), "sha256")
        for block in range(7)
    )
    deck = DECK[:]
    for place, j in enumerate(range(len(deck) - 1, 0, -1)):
        k = int.from_bytes(stream[4 * place : 4 * place + 4], "big") % (j + 1)
        deck[j], deck[k] = deck[k], deck[j]
    return deck
