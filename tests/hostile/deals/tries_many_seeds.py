"""Shuffles a deck from each of fifty thousand seeds and looks for its partner's hand.

Verdict: contained
Limits: turn_seconds=10.0 turn_wall_seconds=30.0
"""

import random

from firebox.hanabi import COLORS, COPIES, RANKS, Dealt
from hostile import Hostile, escaped

DECK = [f"{color}{rank}" for color in COLORS for rank in RANKS for _ in range(COPIES[rank])]


class TriesManySeeds(Hostile):
    def on_event(self, event):
        if isinstance(event, Dealt) and self.armed:
            (hand,) = (hand for hand in event.hands if hand)
            self.hand = [str(card) for card in hand]

    def attack(self, observation):
        size = len(self.hand)
        for seed in range(50_000):
            drawn = random.Random(seed).sample(DECK, 2 * size)
            if self.hand in (drawn[:size], drawn[size:]):
                escaped(f"the deal is that of seed {seed}")
