"""Takes its own seed, the clock and small numbers for the deal's seed, and compares hands.

Verdict: contained
Limits: turn_seconds=5.0 turn_wall_seconds=15.0 start_seconds=5.0
"""

import hashlib
import hmac
import random
import time

from firebox.hanabi import COLORS, COPIES, RANKS, Dealt
from hostile import Hostile, escaped

DECK = [f"{color}{rank}" for color in COLORS for rank in RANKS for _ in range(COPIES[rank])]
MESSAGES = (b"firebox deal v1" + bytes(8), b"firebox deal v1" + bytes(7) + b"\1")


class GuessesTheSeed(Hostile):
    def on_event(self, event):
        if isinstance(event, Dealt) and self.armed:
            (hand,) = (hand for hand in event.hands if hand)
            self.hand = [str(card) for card in hand]

    def attack(self, observation):
        for guess in (self.context.seed, int(time.time()), *range(300)):
            deck = DECK[:]
            random.Random(guess).shuffle(deck)
            self.compare(guess, deck)
            secret = guess.to_bytes(32, "big")
            for key in (secret, hashlib.sha256(str(guess).encode()).digest()):
                seeds = [hmac.digest(key, message, "sha256") for message in MESSAGES]
                for seed in (key, *seeds):
                    self.compare(guess, shuffled(seed))

    def compare(self, guess, deck):
        """In order: one set of five cards in some thousand is met by chance."""
        size = len(self.hand)
        for part in (deck[:size], deck[size : 2 * size], deck[: -size - 1 : -1]):
            if part == self.hand:
                escaped(f"the deal is that of {guess}")


def shuffled(seed):
    """The published way from a seed to a deck, without its rare second draws."""
    stream = b"".join(
        hmac.digest(seed, b"firebox stream v1" + block.to_bytes(8, "big"), "sha256")
        for block in range(7)
    )
    deck = DECK[:]
    for place, j in enumerate(range(len(deck) - 1, 0, -1)):
        k = int.from_bytes(stream[4 * place : 4 * place + 4], "big") % (j + 1)
        deck[j], deck[k] = deck[k], deck[j]
    return deck
