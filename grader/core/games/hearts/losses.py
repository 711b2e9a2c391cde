"""Finds where a seat gets its points in Hearts. Fewest points win, so each point is a loss."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from grader.core.games.base import JsonObject
from grader.core.games.hearts.cards import POINTS
from grader.core.games.hearts.rules import HeartsState
from grader.core.games.presentation import Loss

LOSS_CAUSES: Final[Mapping[str, str]] = {
    "queen": "Took the queen of spades",
    "led": "Took hearts in a trick it led",
    "followed": "Took hearts in a trick another led",
    "moon": "Took every point, or another seat did",
}
_QUEEN: Final = "SQ"


def losses(state: HeartsState, actions: Iterable[JsonObject], seat: int) -> Iterator[Loss]:
    """Play legal actions; yield the cost of each trick to a seat, once its hand is counted."""
    trick: list[tuple[int, str]] = []
    taken: list[Loss] = []
    number = 0
    for action in actions:
        turn, actor, told = state.turn, state.seat_to_act, len(state.events(0))
        state.apply(action)
        if action["type"] == "play" and actor is not None:
            trick.append((actor, action["card"]))
        for event in state.events(0)[told:]:
            match event["type"]:
                case "trick":
                    number += 1
                    if event["winner"] == seat:
                        taken += _of_trick(trick, turn, number, seat)
                    trick = []
                case "hand":
                    yield from _of_hand(taken, event, turn, number, seat)
                    taken, number = [], 0


def _of_trick(
    trick: Sequence[tuple[int, str]], turn: int, number: int, seat: int
) -> Iterator[Loss]:
    cards = [card for _, card in trick]
    if _QUEEN in cards:
        words = f"Trick {number} brings the queen of spades"
        yield Loss("queen", POINTS[_QUEEN], turn, number, card="queen of spades", words=words)
    if hearts := sum(POINTS[card] for card in cards if card != _QUEEN):
        cause = "led" if trick[0][0] == seat else "followed"
        words = f"Trick {number} brings hearts"
        yield Loss(cause, hearts, turn, number, card="hearts", words=words)


def _of_hand(
    taken: Sequence[Loss], hand: Mapping[str, Any], turn: int, number: int, seat: int
) -> Iterator[Loss]:
    points: int = hand["points"][seat]
    if points == sum(loss.points for loss in taken):
        yield from taken
    elif points:
        words = "A seat takes every point of the hand"
        yield Loss("moon", points, turn, number, words=words)
