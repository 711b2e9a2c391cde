"""A turn of a game as the site draws it: without scripts, and until the scripts have drawn theirs.

The address says which turn it is and who looks, as the scripts write it: ``?turn=34&as=0``. The
table after a deal is ``?turn=deal``; of a later part of the game ``?turn=deal2``, with its number.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from grader.core.games import Game, presented
from grader.core.games.grids import StillGrid
from grader.core.games.presentation import StillRow
from grader.core.games.scenes import Mark, actions_before
from grader.core.words import seat_words
from webapp.pages.addresses import whole_number

_DEAL: Final = "deal"
_MARKED: Final = (Mark.LOSS, Mark.MISTAKE, Mark.FAULT)


@dataclass(frozen=True, slots=True)
class TurnLink:
    """A way to another turn, or to another view of this one."""

    words: str
    query: str
    """Empty where it leads nowhere."""
    is_here: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPicture:
    """The table after a turn, and ways to others."""

    game: str
    name: str
    """The turn's: ``Turn 12``, ``The deal``."""
    sentence: str
    figures: tuple[tuple[str, str], ...]
    rows: tuple[tuple[StillRow, str], ...]
    """Rows of cards, each with the name of the agent that holds them."""
    grid: StillGrid
    text: str
    """The table of a game that draws nothing."""
    label: str
    """The agent's, where two games stand side by side."""
    position: int
    """0 at the deal."""
    turns: tuple[TurnLink, ...]
    views: tuple[TurnLink, ...]


def turn_picture(
    game: Game,
    scenes: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    asked: Mapping[str, str],
    *,
    label: str = "",
) -> TurnPicture:
    """Return the turn that is asked for; a game that a fault ended is shown at the fault."""
    position, seat = _position(asked, scenes), _seat(asked, len(names))
    scene = scenes[position]
    shown = presented(game).still(scene, seat)
    hides = shown.rows and "rows" not in scene  # rows of a scene are the same for all views
    rows = ((row, "" if row.seat is None else names[row.seat]) for row in shown.rows)
    return TurnPicture(
        game=game.name,
        name=_name(_place(scenes, position)),
        sentence="" if scene["seat"] is None else shown.sentence,
        figures=shown.figures,
        rows=tuple(rows),
        grid=shown.grid,
        text=scene.get("text", ""),
        label=label,
        position=position,
        turns=tuple(_turns(scenes, position, seat)),
        views=tuple(_views(_place(scenes, position), seat, len(names))) if hides else (),
    )


def _name(place: str) -> str:
    return "The deal" if place.startswith(_DEAL) else f"Turn {place}"


def _position(asked: Mapping[str, str], scenes: Sequence[Mapping[str, Any]]) -> int:
    last, turn = len(scenes) - 1, asked.get("turn", "")
    if turn.startswith(_DEAL):
        deals = [at for at, scene in enumerate(scenes) if scene["seat"] is None]
        return next((at for at in deals if _place(scenes, at) == turn), 0)
    number = whole_number(turn)
    if number is None:
        return last if scenes[-1]["mark"] == Mark.FAULT else 0
    return min(bisect_left(actions_before(scenes), number + 1), last)


def _place(scenes: Sequence[Mapping[str, Any]], position: int) -> str:
    """Return a position as addresses have it: the turn's number, or the deal."""
    scene = scenes[position]
    if scene["seat"] is None:
        return f"{_DEAL}{scene['part']}" if position else _DEAL
    return str(actions_before(scenes[: position + 1])[-1] - 1)


def _seat(asked: Mapping[str, str], seats: int) -> int | None:
    number = whole_number(asked.get("as", ""))
    return number if number is not None and number < seats else None


def _query(place: str, seat: int | None) -> str:
    return f"?turn={place}" + ("" if seat is None else f"&as={seat}")


def _turns(
    scenes: Sequence[Mapping[str, Any]], position: int, seat: int | None
) -> Iterator[TurnLink]:
    last = len(scenes) - 1
    marked = [at for at, scene in enumerate(scenes) if scene["mark"] in _MARKED and at > position]
    ways = [
        ("First turn", 0, position > 0),
        ("Back", position - 1, position > 0),
        ("Forward", position + 1, position < last),
        ("Last turn", last, position < last),
        ("Next mistake", marked[0] if marked else 0, bool(marked)),
    ]
    for words, to, leads in ways:
        yield TurnLink(words, _query(_place(scenes, to), seat) if leads else "")


def _views(place: str, seat: int | None, seats: int) -> Iterator[TurnLink]:
    for own_seat in (None, *range(seats)):
        words = "All cards" if own_seat is None else f"As {seat_words(own_seat)}"
        yield TurnLink(words, _query(place, own_seat), is_here=own_seat == seat)
