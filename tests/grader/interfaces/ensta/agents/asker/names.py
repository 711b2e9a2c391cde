"""What the expressions of test_facts.py use."""

# ruff: noqa: F403, F405 - star imports are what is tested

import copy as copies

import hanabi
from hanabi.ai import AI, Cheater
from hanabi.deck import *


def game(players=2, **attributes):
    """A game with the cards in the order of a new deck."""
    made = Game(players)
    made.reset(players, False, Deck().cards)
    made.quiet = True
    vars(made).update(attributes)
    return made


def after(*moves, **attributes):
    """A game after these moves; the last word is how it ended, if it did."""
    made = game(**attributes)
    for move in moves:
        made.turn(move)
    return made


def ended(made, *moves):
    """How a game ended by these moves."""
    try:
        for move in moves:
            made.turn(move)
    except StopIteration as stop:
        return type(stop).__name__
    return "not yet"


def shown(cards):
    return " ".join(map(str, cards))


def clues(hand):
    return [(card.color_clue, card.number_clue) for card in hand.cards]


class Scripted(AI):
    """Makes these moves, and then raises an exception."""

    def __init__(self, game, *moves, end=StopIteration):
        super().__init__(game)
        self.moves, self.end = list(moves), end

    def play(self):
        if not self.moves:
            raise self.end
        return self.moves.pop(0)


def scripted(*moves, end=StopIteration):
    made = game()
    made.ai = Scripted(made, *moves, end=end)
    return made
