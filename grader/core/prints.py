"""The output of agents, by the turn in which it was written.

It is not part of a record and decides nothing: it is for the agent's author. Since an agent decides
its content, its size is bounded here, once on graders and once on the site.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from grader.core.errors import RecordError
from grader.core.records import GamePrints, GameResult, Printed, Record
from grader.core.words import printable

MAX_CHARACTERS: Final = 16 << 10
"""The most output of one game that is kept: its end."""
_CUT: Final = "[… earlier output is not kept …]\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameWithPrints(GameResult):
    """A finished game of a request that asks for the output, too."""

    printed: tuple[Printed, ...] = ()


def with_prints(result: GameResult, printed: Sequence[Printed]) -> GameWithPrints:
    """Return a result together with the output of its game."""
    return GameWithPrints(
        **{field.name: getattr(result, field.name) for field in fields(result)},
        printed=tuple(printed),
    )


def apart(result: GameResult) -> tuple[GameResult, tuple[Printed, ...]]:
    """Return a result as it is stored and exported, and the output of its game."""
    if not isinstance(result, GameWithPrints):
        return result, ()
    plain = GameResult(**{field.name: getattr(result, field.name) for field in fields(GameResult)})
    return plain, result.printed


def bounded(
    printed: Sequence[Printed], *, is_cut: bool = False, characters: int = MAX_CHARACTERS
) -> tuple[Printed, ...]:
    """Escape control characters and keep the end. ``is_cut``: something is missing already."""
    kept: list[Printed] = []
    room = characters - len(_CUT)
    for printed_turn in reversed(printed):
        text = printable(printed_turn.text)
        is_cut = is_cut or len(text) > room
        if room and text:
            kept.append(replace(printed_turn, text=text[-room:]))
            room -= len(kept[-1].text)
    kept.reverse()
    if is_cut and kept:
        kept[0] = replace(kept[0], text=_CUT + kept[0].text)
    return tuple(kept)


def check_prints(prints: GamePrints, record: Record) -> None:
    """Raise RecordError unless this is output of the record's game, within its bounds."""
    if sum(len(entry.text) for entry in prints.printed) > MAX_CHARACTERS:
        raise RecordError(f"game {prints.index}: more than {MAX_CHARACTERS} characters of output")
    if not all(entry.text for entry in prints.printed):
        raise RecordError(f"game {prints.index}: output that is empty")
    seats, fault = range(len(record.scores)), record.fault
    # Seats that act together have later turns than the first of them, whose fault ended the game.
    later = 0 if fault is None else len(seats) - 1 - fault.seat
    turns = range(-1, len(record.actions.split()) + 1 + later)
    if any(entry.turn not in turns or entry.seat not in seats for entry in prints.printed):
        raise RecordError(f"game {prints.index}: output of a turn or seat that the game lacks")
