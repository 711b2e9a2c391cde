"""Finds where a game of Hanabi loses points, compared with the best score."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from grader.core.games.base import JsonObject
from grader.core.games.hanabi.cards import PERFECT_SCORE, WORDS
from grader.core.games.hanabi.endings import HanabiEnding
from grader.core.games.hanabi.rules import HanabiState
from grader.core.games.hanabi.view import reach_of
from grader.core.games.presentation import Loss

LOSS_CAUSES: Final[Mapping[str, str]] = {
    "held": "Still in a hand or the deck at the end",
    "discarded": "Last copy discarded",
    "misplayed": "Last copy misplayed",
    "strikes": "Last life lost",
}
_ENDED: Final = {"discarded": "is discarded", "misplayed": "is misplayed"}


def losses(state: HanabiState, actions: Iterable[JsonObject]) -> Iterator[Loss]:
    """Play legal actions; yield each loss when it becomes certain. All seats lose alike."""
    possible, turn = PERFECT_SCORE, 0
    for action in actions:
        turn, told = state.turn, len(state.events(0))
        state.apply(action)
        done = state.events(0)[told]
        if action["type"] in {"play", "discard"} and not done.get("success"):
            left = sum(reach_of(state.table()).values())
            if left < possible:
                yield _lost(possible - left, turn, done, is_play=action["type"] == "play")
            possible = left
    yield from _at_end(state, possible, turn)


def _lost(points: int, turn: int, done: JsonObject, *, is_play: bool) -> Loss:
    cause, card = "misplayed" if is_play else "discarded", done["card"]
    name = f"{WORDS[card[0]]} {card[1]}"
    words = f"The last {name} {_ENDED[cause]}"
    return Loss(cause, points, turn, turn, card=name, words=words)


def _at_end(state: HanabiState, possible: int, turn: int) -> Iterator[Loss]:
    rest = possible - state.scores()[0]
    if rest and state.ending == HanabiEnding.STRIKES:
        yield Loss("strikes", rest, turn, turn, words="The last life is lost")
    elif rest and state.ending is not None:
        yield Loss("held", rest, turn, turn, words="The last round ends")
