"""The viewer of recorded games: its data, scripts and page. It holds no rules of games.

Its data are the record, replayed by the rules, as states in JSON: the game's own ``scenes``. The
first is sent whole, every other one as what differs from the one before: so a viewer only replaces
values. Pure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from grader.core.games import Game, JsonObject, presented
from grader.core.games.outcomes import DRAW, LOSS, WIN, counts_wins, score_words
from grader.core.games.presentation import Elsewhere
from grader.core.games.scenes import Mark, Tone
from grader.core.records import Evidence, Fault, Printed, Record
from grader.core.referee import BEFORE_FIRST_TURN, FAULT_ENDING
from grader.core.words import printable, seat_words
from grader.results.replay import Replayed, game_of, replayed

FORMAT: Final = 1
"""Version of what ``viewed`` returns; scripts of another version must not read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """The occupant of a seat."""

    name: str
    own: bool = False
    """True for the agent that the reader came to watch."""


def viewed(
    record: Record, *, seats: Sequence[Seat], printed: Iterable[Printed] = ()
) -> dict[str, Any]:
    """Replay a record for the viewer. Raises RecordError with the place where it is wrong."""
    return shown(replayed(record), seats=seats, printed=printed)


def shown(
    playback: Replayed, *, seats: Sequence[Seat], printed: Iterable[Printed] = ()
) -> dict[str, Any]:
    """Return the viewer's data of a replayed game.

    ``turns`` has an entry for each action, and one for the fault that ended the game; the clock of
    a turn is the entry of ``charged_us`` at the same place, if there is one.
    """
    record, game = playback.record, game_of(playback.record)
    scenes = _with_fault(game, playback.scenes, record.fault)
    data = _data(game, scenes, seats, record.charged_us, record.ending)
    lines = [[entry.turn, entry.seat, printable(entry.text)] for entry in printed]
    return data | {"scores": list(record.scores), "printed": lines}


def played(
    game: Game,
    deal_seed: bytes,
    actions: Sequence[str],
    *,
    seats: Sequence[Seat],
    charged_us: Sequence[int | None] = (),
    ending: str = "",
    fault: Fault | None = None,
    viewer: int | None = None,
) -> dict[str, Any]:
    """Play legal actions for the viewer, whether or not the game is over with them.

    With a ``viewer`` the data holds what that seat may know, and nothing else.
    """
    scenes = _with_fault(
        game, presented(game).scenes(deal_seed, map(game.parse, actions), viewer), fault
    )
    return _data(game, scenes, seats, charged_us, ending)


def _with_fault(game: Game, scenes: Iterable[JsonObject], fault: Fault | None) -> list[JsonObject]:
    scenes = list(scenes)
    if fault is None:
        return scenes
    return [*scenes, {**scenes[-1], **_faulted(fault), "scores": list(game.forfeit(fault.seat))}]


def _data(
    game: Game,
    scenes: Sequence[JsonObject],
    seats: Sequence[Seat],
    charged_us: Sequence[int | None],
    ending: str,
) -> dict[str, Any]:
    drawn = {} if game.view is None else {"grid": game.view.data}
    return {
        **drawn,
        **_results(game),
        "v": FORMAT,
        "game": game.name,
        "title": game.title,
        "rules": game.rules_title,
        "options": dict(game.options),
        "seats": [{"name": printable(seat.name), "own": seat.own} for seat in seats],
        "ending": ending_words(game, ending),
        "scores": list(scenes[-1]["scores"]),
        "first": scenes[0],
        "turns": list(differences(scenes)),
        "charged_us": list(charged_us),
        "printed": [],
    }


def _results(game: Game) -> JsonObject:
    if counts_wins(game):
        return {"results": {str(score): score_words(game, score) for score in (WIN, DRAW, LOSS)}}
    return {} if game.unit == 1 else {"unit": [game.unit.numerator, game.unit.denominator]}


def printed_in(record: Record, evidence: Evidence | None) -> list[Printed]:
    """Return the output of the agent whose fault ended the game, at the turn of the fault."""
    fault = record.fault
    if fault is None or evidence is None or not evidence.stderr:
        return []
    return [Printed(turn=max(fault.turn, 0), seat=fault.seat, text=evidence.stderr)]


def elsewhere(record: Record) -> Elsewhere | None:
    """The game for another site that shows games of its kind; ``None`` if there is none.

    Raises RecordError if the record is of other rules than ours.
    """
    game = game_of(record)
    if game.folder:
        return None
    return presented(game).elsewhere(bytes.fromhex(record.deal_seed), _actions(game, record))


def _actions(game: Game, record: Record) -> list[JsonObject]:
    return [game.parse(notation) for notation in record.actions.split()]


def ending_words(game: Game, ending: str) -> str:
    """Return the text for the end of a game."""
    if ending == FAULT_ENDING:
        return "ended by a fault"
    return game.endings.get(ending, ending.replace("_", " "))


def _faulted(fault: Fault) -> dict[str, Any]:
    when = "while starting" if fault.turn == BEFORE_FIRST_TURN else "and ends the game"
    return {
        "seat": fault.seat,
        "to_act": None,
        "said": [f"{seat_words(fault.seat).capitalize()} fails {when}: ", ["", fault.kind], "."],
        "brief": ["fails: ", ["", fault.kind]],
        "effect": printable(fault.detail[:1].upper() + fault.detail[1:]),
        "tone": Tone.BAD,
        "mark": Mark.FAULT,
        "move": None,
    }


def differences(scenes: Sequence[JsonObject]) -> Iterator[dict[str, Any]]:
    """Yield the values of each scene but the first that differ from the scene before."""
    for before, after in pairwise(scenes):
        yield {key: value for key, value in after.items() if before[key] != value}


def restored(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """All scenes of what ``viewed`` returned, as a viewer restores them."""
    scene = dict(data["first"])
    yield scene
    for changed in data["turns"]:
        scene = {**scene, **changed}
        yield scene
