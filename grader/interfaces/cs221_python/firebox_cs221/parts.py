"""The parts of a state of the simulator: rules, the deck, the table, the trash, hands.

Names are the original's, and so are their capitals.
"""

import random
from collections.abc import Iterable, Sequence
from itertools import product
from math import inf
from typing import Any, Final, TypeAlias

from .util import Counter

__all__ = [
    "Action", "AgentState", "Card", "Deck", "GameStateData", "Rule", "Table", "Trash",
]  # fmt: skip

Card: TypeAlias = tuple[int, int]
"""Colour and number, both from 0."""
Partial: TypeAlias = tuple[int | None, int | None]
Action: TypeAlias = tuple[Any, ...]
"""('play', i), ('discard', i), ('color', player, colour) or ('number', player, number)."""

CHANCE: Final = random.Random()  # noqa: S311 - for playing
"""The generator of cards, apart from ``random``, which belongs to the agent."""


class Rule:
    """The numbers of the rules."""

    def __init__(
        self, numColor: int, numNumber: Sequence[int], numCard: int, numClue: int, numAgent: int
    ) -> None:
        self.numColor, self.numNumber = numColor, numNumber
        """Colours, and the copies of each number in one of them."""
        self.numCard, self.numClue, self.numAgent = numCard, numClue, numAgent


class Deck:
    """The cards to come. ``state`` counts those that may be among them, as the seat knows it."""

    def __init__(self, state: Counter, size: int | None = None) -> None:
        self.state = state
        self.size = sum(state.values()) if size is None else size
        """The real number of cards."""

    def __len__(self) -> int:
        return self.size

    def __bool__(self) -> bool:
        return True  # the original has no length

    def isEmpty(self) -> bool:
        """Return whether there is no card left."""
        return self.size <= 0

    def draw(self) -> Card | None:
        """Take a card that may be the next one; ``None`` if there is none."""
        possible = {kind: count for kind, count in self.state.items() if count > 0}
        if self.isEmpty() or not possible:
            return None
        card: Card = CHANCE.choices(list(possible), list(possible.values()))[0]
        self.state[card] -= 1
        self.size -= 1
        return card

    def deepCopy(self) -> "Deck":
        """Another one in the same state."""
        return Deck(self.state.copy(), self.size)


class Table:
    """The fireworks: ``state`` is the top number of each colour, -1 where there is none."""

    def __init__(self, state: Sequence[int] = (-1,) * 5) -> None:
        self.state = list(state)

    def add(self, card: Card) -> bool:
        """Lay the card down if it comes next in its colour, and return whether it does."""
        fits = self.playable(card)
        self.state[card[0]] += fits
        return fits

    def playable(self, card: Card) -> bool:
        """Return whether the card comes next in its colour."""
        return self.state[card[0]] + 1 == card[1]

    def check(self, card: Card) -> bool:
        """Return whether the card lies there already."""
        return self.state[card[0]] >= card[1]

    def getScore(self) -> int:
        """The number of cards there."""
        return sum(self.state) + len(self.state)

    def deepCopy(self) -> "Table":
        """Another one in the same state."""
        return Table(self.state)


class Trash:
    """The discarded and misplayed cards, counted in ``state``."""

    def __init__(self, state: Counter | None = None) -> None:
        self.state = Counter() if state is None else state

    def add(self, card: Card | None) -> None:
        """Put a copy of the card there."""
        self.state[card] += 1

    def check(self, card: Card) -> int:
        """The number of copies of the card there."""
        return self.state[card]

    def deepCopy(self) -> "Trash":
        """Another one in the same state."""
        return Trash(self.state.copy())


class AgentState:
    """One hand, oldest card first, with what its holder was told of each card."""

    def __init__(
        self,
        cards: Iterable[Partial] = (),
        know: Iterable[tuple[Any, Any]] | None = None,
        infer: Iterable[Any] | None = None,
    ) -> None:
        self.cards: list[Any] = list(cards)
        self.know = [(False, False)] * len(self.cards) if know is None else list(know)
        """For each card two flags: a clue named its colour, and its number."""
        self.infer = [None] * len(self.cards) if infer is None else list(infer)
        """An agent's notes on a card; they move with the card."""

    def pop(self, i: int) -> Any:
        """Take a card out of the hand, and what is known of it; ``None`` beyond the last card."""
        if i >= len(self.cards):
            return None
        del self.know[i], self.infer[i]
        return self.cards.pop(i)

    def add(self, card: Any) -> None:
        """Put a card of which nothing is known at the end."""
        self.cards.append(card)
        self.know.append((False, False))
        self.infer.append(None)

    def copy(self) -> "AgentState":
        """Another one in the same state."""
        return AgentState(self.cards, self.know, self.infer)

    def peek(self) -> list[Partial]:
        """The hand as clues have described it to its holder."""
        return [
            (card[0] if color else None, card[1] if number else None)
            for card, (color, number) in zip(self.cards, self.know, strict=True)
        ]


class GameStateData:
    """All that changes in the course of a game."""

    def __init__(self) -> None:
        self.deck, self.table, self.trash = Deck(Counter()), Table(), Trash()
        self.clue = 0
        self.agentState: list[AgentState] = []
        self.additionalTerms: float = inf
        """Turns left, once a player could not draw."""

    def initialize(self, rule: Rule) -> None:
        """Deal a new game, of open cards."""
        kinds = product(range(rule.numColor), range(len(rule.numNumber)))
        self.deck = Deck(Counter({kind: rule.numNumber[kind[1]] for kind in kinds}))
        self.table, self.trash = Table([-1] * rule.numColor), Trash()
        self.clue, self.additionalTerms = rule.numClue, inf
        self.agentState = [AgentState() for _ in range(rule.numAgent)]
        for hand in self.agentState:
            for _ in range(rule.numCard):
                hand.add(self.deck.draw())

    def deepCopy(self) -> "GameStateData":
        """Another one in the same state."""
        twin = GameStateData()
        twin.deck, twin.table = self.deck.deepCopy(), self.table.deepCopy()
        twin.trash, twin.clue = self.trash.deepCopy(), self.clue
        twin.agentState = self.copyAgentStates(self.agentState)
        twin.additionalTerms = self.additionalTerms
        return twin

    def copyAgentStates(self, agentStates: Iterable[AgentState]) -> list[AgentState]:
        """Hands in the same state as these."""
        return [state.copy() for state in agentStates]
