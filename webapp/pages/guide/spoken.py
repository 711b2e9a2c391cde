"""Examples of what the referee and an agent say to each other, from a game that is played here.

Everybody takes the first legal action; the examples are those of the first seat.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from grader.core import wire
from grader.core.deals import REFERENCE_SECRET, deal_seed
from grader.core.games import GAMES, Game, JsonObject
from grader.core.referee import Reply, Turn, TurnKind, referee

_SEED: Final = deal_seed(REFERENCE_SECRET, 0)
_SHOWN: Final = 6
"""Messages before those that a transcript leaves out."""


def spoken(name: str) -> dict[str, Any]:
    """Return a transcript by the game's standard rules, and an example of each action and event."""
    game = GAMES[name].from_options({"players": GAMES[name].default_players})
    turns = [turn for turn in _played(game) if turn.seat == 0]
    actions = _of_each_type(turns, "legal")
    return {
        "deal": _SEED.hex(),
        "transcript": list(_transcript(turns)),
        "actions": [(_line(action), game.notate(action)) for action in actions],
        "events": [(event["type"], _line(event)) for event in _of_each_type(turns, "events")],
    }


def _played(game: Game) -> Iterator[Turn]:
    play = referee(game, _SEED)
    answer = None
    while True:
        try:
            turn = play.send(answer)
        except StopIteration:
            return
        yield turn
        legal = turn.message["legal"][0] if turn.kind is TurnKind.ACT else None
        answer = None if turn.kind is TurnKind.END else Reply(legal, 0)


def _of_each_type(turns: Sequence[Turn], field: str) -> Sequence[JsonObject]:
    first: dict[str, JsonObject] = {}
    for turn in turns:
        for each in turn.message.get(field, ()):
            first.setdefault(each["type"], each)
    return tuple(first.values())


def _transcript(turns: Sequence[Turn]) -> Iterator[str]:
    for turn in turns[:_SHOWN]:
        yield f"→ {_line(turn.message)}"
        if turn.kind is TurnKind.START:
            yield f"← {_line({'type': 'ready'})}"
        else:
            action = turn.message["legal"][0]
            yield f"← {_line({'type': 'action', 'turn': turn.number, 'action': action})}"
    yield "…"
    yield f"→ {_line(turns[-1].message)}"


def _line(message: JsonObject) -> str:
    return wire.encode(message).decode().rstrip()
