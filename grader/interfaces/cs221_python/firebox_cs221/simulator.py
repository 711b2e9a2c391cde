"""The simulator's types, as agents see them, written from a description of their behaviour.

A seat's state holds what that seat may know. Its own cards are partial, ``(colour or None, number
or None)``, and the deck is what may be in it: all cards that the seat can't see, its own included.
Whoever asks ``generateSuccessor`` for what depends on hidden cards gets one possible future, drawn
at random among the cards that are still possible. Differences from the original are that these
things are hidden, and nothing else.

Names are the original's, and so are their capitals.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import inf
from typing import Any, Final, TypeAlias

from .util import Counter

__all__ = [
    "Action", "Agent", "AgentState", "Card", "Data", "Deck", "GameState", "IllegalAction", "Rule",
    "Table", "Trash",
]  # fmt: skip

Card: TypeAlias = tuple[int, int]
"""Colour and number, both from 0."""
Partial: TypeAlias = tuple[int | None, int | None]
Action: TypeAlias = tuple[Any, ...]
"""('play', i), ('discard', i), ('color', player, colour) or ('number', player, number)."""

CHANCE: Final = random.Random()  # noqa: S311 - for playing
"""The generator of ``generateSuccessor``, apart from ``random``, which belongs to the agent."""


class IllegalAction(Exception):  # noqa: N818 - it is no error of the simulator's
    """An action that the rules refuse."""


class Agent:
    """A base class that agents may inherit from."""

    def __init__(self, index: int = 0) -> None:
        self.index = index

    def registerInitialState(self, gameState: "GameState") -> None:
        """Called once, with the state after the deal."""

    def inference(self, gameState: "GameState", agentIndex: int, action: Action) -> None:
        """Called after every action of anybody, with the state that it led to."""

    def getAction(self, gameState: "GameState") -> Action:
        """Choose an action."""
        raise NotImplementedError(f"{type(self).__name__} has no getAction of its own")


class Rule:
    """The numbers of the rules."""

    def __init__(self, numAgent: int = 3, numCard: int = 4, numClue: int = 7) -> None:
        self.numColor = 5
        self.numNumber = [3, 2, 2, 2, 1]
        """Copies of each number in one colour."""
        self.numAgent, self.numCard, self.numClue = numAgent, numCard, numClue


class Deck:
    """The cards to come. ``state`` counts those that may be among them, as the seat knows it."""

    def __init__(self, state: Counter, size: int) -> None:
        self.state = state
        self.size = size
        """The real number of cards."""

    def __len__(self) -> int:
        return self.size

    def isEmpty(self) -> bool:
        """Return whether there is no card left."""
        return self.size <= 0

    def copy(self) -> "Deck":
        """Another one in the same state."""
        return Deck(self.state.copy(), self.size)


class Table:
    """The fireworks: ``state`` is the top number of each colour, -1 where there is none."""

    def __init__(self, state: Sequence[int] = (-1,) * 5) -> None:
        self.state = list(state)

    def playable(self, card: Card) -> bool:
        """Return whether the card comes next in its colour."""
        return self.state[card[0]] + 1 == card[1]

    def check(self, card: Card) -> bool:
        """Return whether the card lies there already."""
        return self.state[card[0]] >= card[1]

    def getScore(self) -> int:
        """The number of cards there."""
        return sum(self.state) + len(self.state)

    def copy(self) -> "Table":
        """Another one in the same state."""
        return Table(self.state)


class Trash:
    """The discarded and misplayed cards, counted in ``state``."""

    def __init__(self, state: Counter | None = None) -> None:
        self.state = Counter() if state is None else state

    def check(self, card: Card) -> int:
        """The number of copies of the card there."""
        return self.state[card]

    def copy(self) -> "Trash":
        """Another one in the same state."""
        return Trash(self.state.copy())


class AgentState:
    """One hand, oldest card first, with what its holder was told of each card."""

    def __init__(self, cards: Sequence[Partial] = ()) -> None:
        self.cards: list[Any] = list(cards)
        self.know = [(False, False)] * len(self.cards)
        """For each card two flags: a clue named its colour, and its number."""
        self.infer: list[Any] = [None] * len(self.cards)
        """An agent's notes on a card; they move with the card."""

    def pop(self, i: int) -> Any:
        """Take a card out of the hand, and what is known of it; ``None`` beyond the last card."""
        if i >= len(self.cards):
            return None
        del self.know[i], self.infer[i]
        return self.cards.pop(i)

    def add(self, card: Partial) -> None:
        """Put a card of which nothing is known at the end."""
        self.cards.append(card)
        self.know.append((False, False))
        self.infer.append(None)

    def copy(self) -> "AgentState":
        """Another one in the same state."""
        twin = AgentState(self.cards)
        twin.know, twin.infer = list(self.know), list(self.infer)
        return twin

    def peek(self) -> list[Partial]:
        """The hand as clues have described it to its holder."""
        return [
            (card[0] if color else None, card[1] if number else None)
            for card, (color, number) in zip(self.cards, self.know, strict=True)
        ]


class Data:
    """All that changes in the course of a game."""

    def __init__(
        self, deck: Deck, clue: int, table: Table, trash: Trash, agentState: list[AgentState]
    ) -> None:
        self.deck, self.table, self.trash = deck, table, trash
        self.clue = clue
        self.agentState = agentState
        self.additionalTerms: float = inf
        """Turns left, once a player could not draw."""

    def copy(self) -> "Data":
        """Another one in the same state."""
        hands = [hand.copy() for hand in self.agentState]
        twin = Data(self.deck.copy(), self.clue, self.table.copy(), self.trash.copy(), hands)
        twin.additionalTerms = self.additionalTerms
        return twin


class GameState:
    """A state of the game."""

    def __init__(self, rule: Rule, data: Data, viewer: int | None = None) -> None:
        self.rule = rule
        self.data = data
        self._viewer = viewer  # whose cards are hidden here

    def deepCopy(self) -> "GameState":
        """Another one in the same state. The rules are shared."""
        return GameState(self.rule, self.data.copy(), self._viewer)

    def getNumAgents(self) -> int:
        """The number of players."""
        return self.rule.numAgent

    def getScore(self) -> int:
        """Cards on the table."""
        return self.data.table.getScore()

    def isWin(self) -> bool:
        """Return whether all fireworks are complete."""
        return self.getScore() == self.rule.numColor * len(self.rule.numNumber)

    def isEnd(self) -> bool:
        """Return whether nobody acts any more."""
        return self.isWin() or self.data.additionalTerms <= 0

    def getCardStatistics(self, agentIndex: int) -> "tuple[_Statistics, _Statistics]":
        """The positions in a hand by colour and by number, of the cards that are seen, in order."""
        cards = self.data.agentState[agentIndex].cards
        return _positions(color for color, _ in cards), _positions(number for _, number in cards)

    def getLegalActions(self, agentIndex: int) -> list[Action]:
        """Return legal actions: plays, discards, then clues by player, colours before numbers."""
        if self.isEnd():
            return []
        held = range(len(self.data.agentState[agentIndex].cards))
        actions: list[Action] = [("play", i) for i in held]
        actions += [("discard", i) for i in held]
        for player in range(self.rule.numAgent) if self.data.clue > 0 else ():
            if player != agentIndex:
                colors, numbers = self.getCardStatistics(player)
                actions += [("color", player, color) for color in colors]
                actions += [("number", player, number) for number in numbers]
        return actions

    def isPlayable(self, card: Partial) -> bool:
        """Return whether the card surely comes next. Of a partial one: all that it can still be."""
        return self._holds_for_all(card, self.data.table.playable)

    def isDiscardable(self, card: Partial) -> bool:
        """Return whether the card surely lies on the table already."""
        return self._holds_for_all(card, self.data.table.check)

    def isDangerous(self, card: Partial) -> bool:
        """Return whether the card is surely the last of its kind, and not on the table."""
        return self._holds_for_all(card, self._isLast)

    def generateSuccessor(self, agentIndex: int, action: Action) -> "GameState":
        """The state after an action. Raises IllegalAction.

        What is hidden becomes something that it may be: the card that is played or discarded, and
        the one that another player draws. One's own next card is as unknown as it will be.
        """
        if tuple(action) not in self.getLegalActions(agentIndex):
            raise IllegalAction(f"agent {agentIndex} cannot do {action!r} here")
        successor = self.deepCopy()
        successor._guess(agentIndex, action)
        return successor

    def __str__(self) -> str:
        data = self.data
        hands = [f"agent {i}: {hand.cards}" for i, hand in enumerate(data.agentState)]
        table = f"table {data.table.state}, {data.clue} clues, {len(data.deck)} cards in the deck"
        return "\n".join([table, *hands])

    # What may be asked of cards.

    def _holds_for_all(self, card: Partial, test: Callable[[Card], bool]) -> bool:
        color, number = card
        if color is not None and number is not None:
            return test((color, number))
        return all(test(candidate) for candidate in self._candidates(color, number))

    def _candidates(self, color: int | None, number: int | None) -> Iterator[Card]:
        """Yield the possible faces of a partial card, of which not all copies are known gone."""
        colors = range(self.rule.numColor) if color is None else (color,)
        numbers = range(len(self.rule.numNumber)) if number is None else (number,)
        table, trash = self.data.table, self.data.trash.state
        for kind in product(colors, numbers):
            if trash[kind] + table.check(kind) < self.rule.numNumber[kind[1]]:
                yield kind

    def _isLast(self, card: Card) -> bool:
        copies = self.rule.numNumber[card[1]]
        return not self.data.table.check(card) and self.data.trash.check(card) >= copies - 1

    # What actions do. Not for agents: they ask for successors.

    def clue(self, action: Action, touched: Sequence[int] | None = None) -> None:
        """Tell a player about the cards that a clue touches: given, or those it is seen to."""
        kind, player, value = action
        hand, half = self.data.agentState[player], int(kind == "number")
        if touched is None:
            touched = [i for i, card in enumerate(hand.cards) if card[half] == value]
        for i in touched:
            (color, number), (knows_color, knows_number) = hand.cards[i], hand.know[i]
            partial = None in hand.cards[i]
            if half:
                hand.cards[i], hand.know[i] = (color, value), (knows_color, True)
            else:
                hand.cards[i], hand.know[i] = (value, number), (True, knows_number)
            if partial and None not in hand.cards[i]:
                self.data.deck.state[hand.cards[i]] -= 1
        self.data.clue -= 1

    def lay(self, agentIndex: int, action: Action, card: Card | None) -> None:
        """Play or discard a card, which everybody sees then; ``None`` is none, discarded."""
        data = self.data
        held = data.agentState[agentIndex].pop(action[1])
        if held is not None and None in held:
            data.deck.state[card] -= 1
        if card is not None and action[0] == "play" and data.table.playable(card):
            data.table.state[card[0]] += 1
            return
        data.trash.state[card] += 1
        change = -1 if action[0] == "play" else 1
        data.clue = min(max(data.clue + change, 0), self.rule.numClue)

    def draw(self, agentIndex: int, card: Partial) -> None:
        """Take a card from the deck, to the end of the hand."""
        deck = self.data.deck
        deck.size -= 1
        if None not in card:
            deck.state[card] -= 1
        self.data.agentState[agentIndex].add(card)

    def endTurn(self, *, failed: bool = False) -> None:
        """Count turns from the first draw that ``failed``, for there was no card."""
        if self.data.additionalTerms != inf:
            self.data.additionalTerms -= 1
        elif failed:
            self.data.additionalTerms = self.rule.numAgent

    def _guess(self, agentIndex: int, action: Action) -> None:
        """Act, making up what is hidden."""
        if action[0] in {"color", "number"}:
            self.clue(action)
            self.endTurn()
            return
        own = self._own_partial()
        held = self.data.agentState[agentIndex].cards[action[1]]
        others = [card for i, card in own.items() if (agentIndex, i) != (self._viewer, action[1])]
        self.lay(agentIndex, action, self._possible(held, others))
        drawing = len(self.data.deck) > 0
        if drawing:
            unseen: Partial = (None, None)
            seen = agentIndex != self._viewer
            self.draw(agentIndex, self._possible(unseen, others) if seen else unseen)
        self.endTurn(failed=not drawing)

    def _own_partial(self) -> dict[int, Partial]:
        """The viewer's cards that are not known completely, by position. They are in no deck."""
        if self._viewer is None:
            return {}
        cards = self.data.agentState[self._viewer].cards
        return {i: card for i, card in enumerate(cards) if None in card}

    def _possible(self, card: Partial, others: Sequence[Partial]) -> Any:
        """Something that a card may be, as likely as it is, that leaves the ``others`` something.

        In a state that follows from the game there is such a card; what an agent has changed in
        its state may leave none, and then the others have to go without.
        """
        if None not in card:
            return card
        left = {kind: count for kind, count in self.data.deck.state.items() if count > 0}
        fitting = [kind for kind in left if _fits(card, kind)]
        possible = {kind: left[kind] for kind in fitting}
        while possible:
            (choice,) = CHANCE.choices(list(possible), list(possible.values()))
            if _have_each_one(others, left | {choice: left[choice] - 1}):
                return choice
            del possible[choice]
        color, number = card
        return CHANCE.choice(
            fitting or list(self._candidates(*card)) or [(color or 0, number or 0)]
        )


class _Statistics(dict[int, list[int]]):
    """Positions by colour or number; of what is not there, none."""

    def __missing__(self, key: int) -> list[int]:
        return []


def _positions(values: Iterable[int | None]) -> _Statistics:
    """The positions of each value, the lowest first, as dictionaries of small numbers once were."""
    found = sorted((value, i) for i, value in enumerate(values) if value is not None)
    return _Statistics({value: [i for other, i in found if other == value] for value, _ in found})


def _fits(card: Partial, candidate: Card) -> bool:
    return card[0] in {None, candidate[0]} and card[1] in {None, candidate[1]}


def _have_each_one(cards: Sequence[Partial], left: dict[Card, int]) -> bool:
    """Return whether all these cards together can be among those that are left."""
    if not cards:
        return True
    fitting = [[kind for kind in left if left[kind] > 0 and _fits(card, kind)] for card in cards]
    if all(sum(left[kind] for kind in some) >= len(cards) for some in fitting):
        return True  # as nearly always: whatever the others take, there is one more
    return any(
        _have_each_one(cards[1:], left | {choice: left[choice] - 1}) for choice in fitting[0]
    )
