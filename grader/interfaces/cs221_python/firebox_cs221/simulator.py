"""The simulator's types, as agents see them, written from a description of their behaviour.

A seat's state holds what that seat may know. Its own cards are partial, ``(colour or None, number
or None)``, and the deck is what may be in it: all cards that the seat can't see, its own included.
Whoever asks ``generateSuccessor`` for what depends on hidden cards gets one possible future, drawn
at random among the cards that are still possible. Differences from the original are that these
things are hidden, and nothing else.

Names are the original's, and so are their capitals.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import inf
from typing import Any, Final, TypeAlias

from .parts import (
    CHANCE,
    Action,
    AgentState,
    Card,
    Deck,
    GameStateData,
    Partial,
    Rule,
    Table,
    Trash,
)
from .util import Counter

__all__ = [
    "Action", "Agent", "AgentState", "Card", "Counter", "Deck", "Game", "GameState",
    "GameStateData", "Rule", "Table", "Trash", "groupActions",
]  # fmt: skip

_Positions: TypeAlias = dict[int, list[int]]
_KINDS: Final = ("play", "discard", "color", "number")


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


class GameState:
    """A state of the game."""

    def __init__(self, rule: Rule, data: GameStateData, viewer: int | None = None) -> None:
        self.rule = rule
        self.data = data
        self._viewer = viewer  # whose cards are hidden here

    def deepCopy(self) -> "GameState":
        """Another one in the same state. The rules are shared."""
        return GameState(self.rule, self.data.deepCopy(), self._viewer)

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

    def getCardStatistics(self, agentIndex: int) -> tuple[_Positions, _Positions]:
        """The positions in a hand by colour and by number, of the cards that are seen, in order."""
        cards = self.data.agentState[agentIndex].cards
        return _positions(color for color, _ in cards), _positions(number for _, number in cards)

    def getLegalActions(self, agentIndex: int) -> list[Action]:
        """Return legal actions: play and discard for each card, then clues, the next player first.

        For each player colours come before numbers.
        """
        if self.isEnd():
            return []
        held, players = len(self.data.agentState[agentIndex].cards), self.rule.numAgent
        actions: list[Action] = [(kind, i) for i in range(held) for kind in _KINDS[:2]]
        for distance in range(1, players) if self.data.clue > 0 else ():
            player = (agentIndex + distance) % players
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
        """Act in this very state, whatever the rules say, and return another one with its data.

        Hidden cards are drawn at random; one's own next card stays unknown.
        """
        if self.isEnd():
            raise Exception("the game is over")  # noqa: TRY002 - as in the original
        if action[0] in _KINDS[:2]:
            self._lay_possible(agentIndex, action)
        else:
            by_value = self.getCardStatistics(action[1])[_KINDS.index(action[0]) - 2]
            self.clue(action, by_value[action[2]])
            self.endTurn()
        return GameState(self.rule, self.data, self._viewer)

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

    def clue(self, action: Action, touched: Sequence[int]) -> None:
        """Tell a player about the cards that a clue touches."""
        kind, player, value = action
        hand, half = self.data.agentState[player], int(kind == "number")
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

    def lay(self, agentIndex: int, action: Action, card: Any) -> None:
        """Play or discard a card, which everybody sees then; ``None`` is none, discarded."""
        data, (kind, position) = self.data, action
        if kind == "discard":
            data.clue = min(data.clue + 1, self.rule.numClue)
        held = data.agentState[agentIndex].pop(position)
        if held is not None and None in held:
            data.deck.state[card] -= 1
        if kind == "play" and data.table.add(card):
            return
        data.trash.add(card)
        if kind == "play":
            data.clue = max(data.clue - 1, 0)

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

    def _lay_possible(self, agentIndex: int, action: Action) -> None:
        cards, position = self.data.agentState[agentIndex].cards, action[1]
        own = self._own_partial()
        held = cards[position] if position < len(cards) else None
        if agentIndex == self._viewer and held is not None:
            own.pop(position % len(cards), None)
        others = list(own.values())
        self.lay(agentIndex, action, held and self._possible(held, others))
        drawing = not self.data.deck.isEmpty()
        if drawing:
            unseen: Partial = (None, None)
            seen = agentIndex != self._viewer
            self.draw(agentIndex, self._possible(unseen, others) if seen else unseen)
        self.endTurn(failed=not drawing)

    def _own_partial(self) -> dict[int, Partial]:
        """Return the viewer's cards that are not fully known, by position. They are in no deck."""
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


class Game:
    """A whole game among agents of one process, which are used again for the next one."""

    def __init__(
        self,
        agents: Sequence[Any],
        numColor: int = 4,
        numNumber: Sequence[int] = (3, 2, 2, 2, 1),
        numCard: int = 4,
        numClue: int = 7,
    ) -> None:
        self.agents = agents
        self.rule = Rule(numColor, list(numNumber), numCard, numClue, len(agents))

    def run(self, verbose: int = 0) -> int:
        """Deal and play; the score."""
        data = GameStateData()
        data.initialize(self.rule)
        state, index = GameState(self.rule, data), 0
        for agent in self.agents:
            agent.registerInitialState(state)
        while not state.isEnd():
            action = self.agents[index].getAction(state.deepCopy())
            if verbose:
                print(f"{state}\nagent {index}: {action}")
            state = state.generateSuccessor(index, action)
            for agent in self.agents:
                agent.inference(state, index, action)
            index = (index + 1) % len(self.agents)
        return state.getScore()


def groupActions(actions: Iterable[Action]) -> dict[str, list[Action]]:
    """Actions by their kinds. ``info`` stays empty, as in the original."""
    groups: dict[str, list[Action]] = {kind: [] for kind in (*_KINDS, "info")}
    for action in actions:
        groups[action[0]].append(action)
    return groups


def _positions(values: Iterable[int | None]) -> _Positions:
    """The positions of each value, the lowest first, as dictionaries of small numbers once were."""
    found = sorted((value, i) for i, value in enumerate(values) if value is not None)
    return {value: [i for other, i in found if other == value] for value, _ in found}


def _fits(card: Partial, candidate: Card) -> bool:
    return card[0] in {None, candidate[0]} and card[1] in {None, candidate[1]}


def _have_each_one(cards: Sequence[Partial], left: dict[Card, int]) -> bool:
    if not cards:
        return True
    fitting = [[kind for kind in left if left[kind] > 0 and _fits(card, kind)] for card in cards]
    if all(sum(left[kind] for kind in some) >= len(cards) for some in fitting):
        return True  # as nearly always: whatever the others take, there is one more
    return any(
        _have_each_one(cards[1:], left | {choice: left[choice] - 1}) for choice in fitting[0]
    )
