"""What the expressions of test_facts.py use."""

# ruff: noqa: F401, F403, F405 - star imports are what is tested

import copy
from math import inf

from agent import *
from game import *
from gameState import *
from util import *

HANDS = (
    [(0, 0), (1, 1), (2, 2), (3, 3)],
    [(0, 0), (0, 1), (1, 0), (4, 4)],
    [(2, 0), (2, 1), (3, 0), (3, 4)],
)


def rule(players=3):
    return Rule(5, [3, 2, 2, 2, 1], 4, 7, players)


def state(clue=7, table=None, last=None):
    """A state of three with open cards; ``last`` turns are left, and no card in the deck."""
    data = GameStateData()
    data.initialize(rule())
    deck = Counter({(c, n): (3, 2, 2, 2, 1)[n] for c in range(5) for n in range(5)})
    for hand, cards in zip(data.agentState, HANDS):
        hand.cards = list(cards)
        for card in cards:
            deck[card] -= 1
    data.deck.state, data.clue = deck, clue
    if table is not None:
        data.table.state = list(table)
    if last is not None:
        while data.deck.draw():
            pass
        data.additionalTerms = last
    return GameState(data=data, rule=rule())


def hand(*cards):
    return AgentState(list(cards))


def after(acting, *action, **kind):
    """The data after an action."""
    return state(**kind).generateSuccessor(acting, action).data


class Player(Agent):
    """Acts by chance, and counts what it is told."""

    told, begun, kept = 0, 0, 0

    def registerInitialState(self, gameState):
        self.begun += 1

    def inference(self, gameState, agentIndex, action):
        self.told += 1
        self.kept += gameState.data.agentState[self.index].infer[:1] == ["lost"]

    def getAction(self, gameState):
        gameState.data.agentState[self.index].infer[0] = "lost"
        return random.choice(gameState.getLegalActions(self.index))


def played(**rules):
    """A game that was played, with the number of turns as its agents count them."""
    made = Game([Player(0), Player(1), Player(2)], **rules)
    made.score = made.run()
    return made
