"""A class's own version of the course's module: clues count their turns, games have a memory."""

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
        assert number in range(1, 6)
        self.color = color
        self.number = number
        self.color_clue = [False, 0]
        self.number_clue = [False, 0]
        self.playable = None

    def __str__(self):
        return str(self.color)[0] + str(self.number)

    def __eq__(self, other):
        return str(self) == str(other)


class Hand:
    def __init__(self, deck, n):
        self.cards = [deck.cards.pop(0) for _ in range(n)]

    def __len__(self):
        return len(self.cards)


class Deck:
    card_count = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
    cards_by_player = {2: 5, 3: 5, 4: 4, 5: 4}

    def __init__(self):
        self.cards = [
            Card(c, n) for c in Color for n, k in self.card_count.items() for _ in range(k)
        ]
        random.shuffle(self.cards)


class Game:
    only_robots = True

    def __init__(self, n=2):
        self.players = ["Anna", "Bert", "Chris", "Doris", "Emil"][:n]
        self.deck = Deck()
        self.hands = [Hand(self.deck, self.deck.cards_by_player[n]) for _ in range(n)]
        self.current_hand = self.hands[0]
        self.current_player_name = self.players[0]
        self.discard_pile = Hand(self.deck, 0)
        self.piles = dict.fromkeys(Color, 0)
        self.blue_coins = 8
        self.red_coins = 0
        self.moves = []
        self.memoire = {}
        self.score = 0
        self.ai = None
        self.quiet = False

    def log(self, *args):
        if not self.quiet:
            print(*args)

    def clue(self, what):
        target = self.hands[1] if len(what) == 1 else self.hand_of(what[1])
        touched = [card for card in target.cards if what[0] in str(card)]
        if not touched:
            raise ValueError("touches nothing")
        self.blue_coins -= 1
        for card in touched:
            clue = card.number_clue if what[0].isdigit() else card.color_clue
            clue[0] = what[0]
            clue[1] = len(self.moves)

    def hand_of(self, who):
        at = int(who) if who.isdigit() else [name[0] for name in self.players].index(who)
        return self.hands[at]
