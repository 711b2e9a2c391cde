"""Our final agent: reads clues as 'play the left-most', keeps what it knows in infer."""

import copy
import itertools
import math
import random
from collections import Counter as Count, namedtuple
from dataclasses import dataclass, field
from functools import lru_cache

from game import Agent
from util import *

Clue = namedtuple("Clue", "kind player value")
ALL_CARDS = [(c, n) for c in range(5) for n in range(5)]
MEMO = {}


@dataclass
class Thought:
    """The agent's knowledge of one of its cards."""

    possible: set = field(default_factory=lambda: set(ALL_CARDS))
    meant: bool = False
    age: int = 0

    def __len__(self):
        return len(self.possible)


@lru_cache(maxsize=None)
def entropy(n):
    return math.log2(n) if n else 0.0


class ConventionAgent(Agent):
    def __init__(self, index):
        super().__init__(index)
        self.me = index
        self.turn = 0
        self.log = []

    def registerInitialState(self, gameState):
        hand = gameState.data.agentState[self.me]
        hand.infer = [Thought() for _ in hand.cards]

    def inference(self, gameState, agentIndex, action):
        self.turn += 1
        mine = gameState.data.agentState[self.me]
        for i in range(len(mine.infer)):
            if mine.infer[i] is None:
                mine.infer[i] = Thought(age=self.turn)
        if action[0] in ("color", "number"):
            clue = Clue(*action)
            if clue.player == self.me:
                half = ("color", "number").index(clue.kind)
                touched = []
                for i, (card, thought) in enumerate(zip(mine.peek(), mine.infer)):
                    is_it = card[half] == clue.value and mine.know[i][half]
                    thought.possible = {
                        p for p in thought.possible if (p[half] == clue.value) == is_it
                    }
                    if is_it:
                        touched.append(i)
                fresh = [i for i in touched if not mine.infer[i].meant]
                if fresh:
                    mine.infer[fresh[-1]].meant = True
        snapshot = copy.deepcopy(gameState)
        assert snapshot.getScore() == gameState.getScore()
        self.log.append((agentIndex, action, snapshot.data.clue))

    def visible(self, gameState):
        seen = Count()
        for p, state in enumerate(gameState.data.agentState):
            if p != self.me:
                seen.update(map(tuple, state.cards))
        seen.update({card: n for card, n in gameState.data.trash.state.items()})
        for c, top in enumerate(gameState.data.table.state):
            seen.update((c, n) for n in range(top + 1))
        return seen

    def getAction(self, gameState):
        data = gameState.data
        mine = data.agentState[self.me]
        seen = self.visible(gameState)
        for t in mine.infer:
            t.possible = {
                p for p in t.possible if seen[p] < gameState.rule.numNumber[p[1]]
            } or t.possible
        options = []
        for i, t in enumerate(mine.infer):
            good = sum(data.table.playable(p) for p in t.possible) / max(1, len(t))
            useless = all(data.table.check(p) for p in t.possible)
            risk = max((gameState.isDangerous(p) for p in t.possible), default=False)
            options.append((good, useless, risk, i))
            if good == 1:
                return "play", i
        for good, useless, risk, i in sorted(options, reverse=True):
            if mine.infer[i].meant and good > 0.25 and data.clue > 0:
                return ["play", i]
        if data.clue > 0:
            best = max(self.clues(gameState), key=lambda pair: pair[0], default=None)
            if best and best[0] > 0:
                return best[1]
        for good, useless, risk, i in options:
            if useless:
                return ("discard", i)
        safe = [i for good, useless, risk, i in options if not risk and not mine.infer[i].meant]
        if data.clue < gameState.rule.numClue or not data.clue:
            return ("discard", safe[0] if safe else 0)
        return random.choice([a for a in gameState.getLegalActions(self.me) if a[0] == "number"])

    def clues(self, gameState):
        n = gameState.getNumAgents()
        for player, kind in itertools.product(
            ((self.me + k) % n for k in range(1, n)), ("color", "number")
        ):
            state = gameState.data.agentState[player]
            half = int(kind == "number")
            for value in {card[half] for card in state.cards}:
                touched = [i for i, card in enumerate(state.cards) if card[half] == value]
                fresh = [i for i in touched if not any(state.know[i])]
                if not fresh:
                    continue
                target = state.cards[fresh[-1]]
                gain = entropy(25) - entropy(25 // 5)
                good = 10 if gameState.isPlayable(target) else -10
                yield good + gain * len(fresh) - (player - self.me) % n / 10, (kind, player, value)
