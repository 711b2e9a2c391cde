"""Winds the library's random generator forth and back to the shuffle that dealt the cards.

Verdict: contained
Limits: turn_seconds=5.0 turn_wall_seconds=15.0
"""

import random

from firebox.hanabi import COLORS, COPIES, RANKS, Dealt
from hostile import Hostile, escaped

DECK = [f"{color}{rank}" for color in COLORS for rank in RANKS for _ in range(COPIES[rank])]
STATE_WHEN_LOADED = random.getstate()
WORDS, MIDDLE, TOP, LOW = 624, 397, 0x80000000, 0x7FFFFFFF


class ContinuesTheGenerator(Hostile):
    def on_event(self, event):
        if isinstance(event, Dealt) and self.armed:
            (hand,) = (hand for hand in event.hands if hand)
            self.hand = [str(card) for card in hand]

    def attack(self, observation):
        for state in (STATE_WHEN_LOADED, random.getstate()):
            version, words, gauss = state
            for numbers in (words[:-1], earlier(words[:-1])):
                for place in range(0, WORDS, 4):
                    self.compare((version, (*numbers, place), gauss))

    def compare(self, state):
        generator = random.Random()
        generator.setstate(state)
        deck = DECK[:]
        generator.shuffle(deck)
        size = len(self.hand)
        if self.hand in (deck[:size], deck[size : 2 * size], deck[: -size - 1 : -1]):
            escaped(f"the deal is that of the generator's place {state[1][-1]}")


def earlier(words):
    """The generator's numbers of one round before: its recurrence, solved for the oldest one."""
    old = list(words)
    for place in reversed(range(WORDS)):
        mixed = old[place] ^ old[(place + MIDDLE) % WORDS]
        top = unshifted(mixed) & TOP
        mixed = old[place - 1] ^ old[(place + MIDDLE - 1) % WORDS]
        old[place] = top | (unshifted(mixed) & LOW)
    return old


def unshifted(mixed):
    return (mixed ^ 0x9908B0DF) << 1 | 1 if mixed & TOP else mixed << 1
