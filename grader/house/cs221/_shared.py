"""Functions that the strategies share: looking at clues and at cards."""

from collections.abc import Iterator
from typing import Any

from grader.interfaces.cs221_python.firebox_cs221.simulator import Action, GameState


def is_clue(action: Action) -> bool:
    """Return whether an action is a clue."""
    return action[0] in {"color", "number"}


def clues(state: GameState, index: int) -> list[Action]:
    """The clues that a player can give."""
    return [action for action in state.getLegalActions(index) if is_clue(action)]


def touched(state: GameState, clue: Action) -> list[int]:
    """Positions of the cards that a clue points at, in a hand where that can be seen."""
    kind, player, value = clue
    half = int(kind == "number")
    cards = state.data.agentState[player].cards
    return [i for i, card in enumerate(cards) if card[half] == value]


def others(state: GameState, index: int) -> Iterator[int]:
    """The other players in the order of their turns."""
    players = state.getNumAgents()
    for distance in range(1, players):
        yield (index + distance) % players


def may_fit(state: GameState, card: Any) -> bool:
    """Return whether a partial card can be one that comes next."""
    color, number = card
    return any(
        top < 4 and color in {None, pile} and number in {None, top + 1}
        for pile, top in enumerate(state.data.table.state)
    )


def safest_discard(state: GameState, index: int) -> Action:
    """Return the first card that is certainly on the table already; else the first expendable."""
    known = state.data.agentState[index].peek()
    for i, card in enumerate(known):
        if state.isDiscardable(card):
            return ("discard", i)
    for i, card in enumerate(known):
        if card == (None, None) or not state.isDangerous(card):
            return ("discard", i)
    return ("discard", 0)
