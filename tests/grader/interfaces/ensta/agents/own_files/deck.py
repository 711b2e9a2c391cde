"""One file of the module only, changed: a card knows how often it was told about."""

import random
from enum import Enum


class Color(Enum):
    Red = 31
    Blue = 34
    Green = 32
    White = 37
    Yellow = 33

    def __str__(self):
        return self.name


class Card:
    def __init__(self, color, number):
        self.color, self.number = color, number
        self.color_clue = self.number_clue = False
        self.told = 0

    def __str__(self):
        return str(self.color)[0] + str(self.number)

    def __eq__(self, other):
        return str(self) == str(other)

    def __setattr__(self, name, value):
        if name.endswith("_clue") and value:
            self.told += 1
        super().__setattr__(name, value)


class Hand:
    def __init__(self, cards):
        self.cards = cards

    def __len__(self):
        return len(self.cards)

    def pop(self, i):
        return self.cards.pop(i - 1)

    def append(self, card):
        self.cards.append(card)


class Deck:
    card_count = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
    cards_by_player = {2: 5, 3: 5, 4: 4, 5: 4}

    def __init__(self):
        self.cards = [
            Card(c, n) for c in Color for n in self.card_count for _ in range(self.card_count[n])
        ]
        random.shuffle(self.cards)


class Game:
    def __init__(self, n):
        self.players = ["Alice", "Benji", "Clara", "Dante", "Elric"][:n]
        self.deck = Deck()
        size = Deck.cards_by_player[n]
        self.hands = [Hand([self.deck.cards.pop(0) for _ in range(size)]) for _ in range(n)]
        self.discard_pile = Hand([])
        self.piles = dict.fromkeys(Color, 0)
        self.blue_coins, self.red_coins = 8, 0
        self.moves, self.quiet, self.ai = [], False, None

    @property
    def current_hand(self):
        return self.hands[0]

    @property
    def current_player_name(self):
        return self.players[0]
