"""A turn of a game as the site draws it: without scripts, and until the scripts have drawn theirs.

The address says which turn it is and who looks, as the scripts write it: ``?turn=34&as=0``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from grader.core.games import Game
from grader.core.games.scenes import Mark
from grader.core.games.stills import Row
from webapp.pages.addresses import whole_number

__all__ = ["Link", "StillTurn", "still_turn"]

_MARKED: Final = (Mark.LOSS, Mark.MISTAKE, Mark.FAULT)


@dataclass(frozen=True, slots=True)
class Link:
    """A way to another turn, or to another view of this one."""

    words: str
    query: str
    """Empty where it leads nowhere."""
    is_here: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StillTurn:
    """The table after a turn, and ways to others."""

    game: str
    name: str
    """The turn's: ``Turn 12``, ``The deal``."""
    sentence: str
    figures: tuple[tuple[str, str], ...]
    rows: tuple[tuple[Row, str], ...]
    """Rows of cards, each with the name of the agent that holds them."""
    text: str
    """The table of a game that draws no cards."""
    label: str
    """The agent's, where two games stand side by side."""
    position: int
    """0 at the deal."""
    turns: tuple[Link, ...]
    views: tuple[Link, ...]


def still_turn(
    game: Game,
    scenes: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    asked: Mapping[str, str],
    *,
    label: str = "",
) -> StillTurn:
    """Return the turn that is asked for; a game that a fault ended is shown at the fault."""
    position, seat = _position(asked, scenes), _seat(asked, len(names))
    scene = scenes[position]
    shown = game.still(scene, seat)
    rows = ((row, "" if row.seat is None else names[row.seat]) for row in shown.rows)
    return StillTurn(
        game=game.name,
        name=_name(position),
        sentence="" if position == 0 else shown.sentence,
        figures=shown.figures,
        rows=tuple(rows),
        text=scene.get("text", ""),
        label=label,
        position=position,
        turns=tuple(_turns(scenes, position, seat)),
        views=tuple(_views(position, seat, len(names))) if shown.rows else (),
    )


def _name(position: int) -> str:
    return f"Turn {position - 1}" if position else "The deal"


def _position(asked: Mapping[str, str], scenes: Sequence[Mapping[str, Any]]) -> int:
    last, turn = len(scenes) - 1, asked.get("turn", "")
    if turn == "deal":
        return 0
    number = whole_number(turn)
    if number is None:
        return last if scenes[-1]["mark"] == Mark.FAULT else 0
    return min(number + 1, last)


def _seat(asked: Mapping[str, str], seats: int) -> int | None:
    number = whole_number(asked.get("as", ""))
    return number if number is not None and number < seats else None


def _query(position: int, seat: int | None) -> str:
    turn = str(position - 1) if position else "deal"
    return f"?turn={turn}" + ("" if seat is None else f"&as={seat}")


def _turns(scenes: Sequence[Mapping[str, Any]], position: int, seat: int | None) -> Iterator[Link]:
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
        yield Link(words, _query(to, seat) if leads else "")


def _views(position: int, seat: int | None, seats: int) -> Iterator[Link]:
    for own_seat in (None, *range(seats)):
        words = "All cards" if own_seat is None else f"As seat {own_seat}"
        yield Link(words, _query(position, own_seat), is_here=own_seat == seat)
