"""Games whose rules the site does not have: what can be checked of them, and how they are shown.

Their scores are those that a grader reports. It has played each game twice, in two processes of the
rules, and drawn it; the site checks that the report fits the facts of the game. Pure.
"""

from collections.abc import Iterator

from grader.core.drawn import read_scenes
from grader.core.errors import RecordError
from grader.core.games.base import JsonObject
from grader.core.games.scenes import plain
from grader.core.records import GameResult, Record
from grader.core.referee import BEFORE_FIRST_TURN, FAULT_ENDING
from grader.results.replay import Replayed, ReplayStep, check_clocks, game_of, replayed


def claims(result: GameResult) -> Iterator[str]:
    """Yield what contradicts the facts of the game, in a result and its drawing."""
    for record in filter(None, (result.record, result.other_attempt)):
        yield from _claims(record)
    if result.drawn:
        scenes, record = read_scenes(result.drawn), result.record
        if len(scenes) != len(record.actions.split()) + 1:
            yield f"{len(scenes)} scenes are drawn of {len(record.actions.split())} actions"
        if any(len(scene["scores"]) != len(record.scores) for scene in scenes):
            yield "a scene lacks the points of a seat"
        if any(_named(scene) - {*range(len(record.scores))} for scene in scenes):
            yield "a scene names a seat that is not there"
        if len({frozenset(scene) for scene in scenes}) > 1:
            yield "some scenes are drawn otherwise than others"


def _named(scene: JsonObject) -> set[int]:
    rows = [row["seat"] for row in scene.get("rows", ())]
    return {scene["seat"], scene["to_act"], *rows} - {None}


def _claims(record: Record) -> Iterator[str]:
    game, fault = game_of(record), record.fault
    low, high = game.score_range
    check_clocks(record)
    if len(record.scores) != game.seats or any(not low <= each <= high for each in record.scores):
        yield f"the scores {record.scores} are beyond {low} to {high}, or of other seats"
    if fault is None and record.ending not in game.endings:
        yield "the game has no such ending"
    if fault is not None and record.ending != FAULT_ENDING:
        yield "a fault ended the game, but its ending is another"
    if fault is not None and record.scores != game.forfeit(fault.seat):
        yield f"a faulted game scores {game.forfeit(fault.seat)}, the record says {record.scores}"
    turns = {BEFORE_FIRST_TURN, *range(len(record.actions.split()), len(record.charged_us) + 1)}
    if fault is not None and fault.turn not in turns:
        yield f"the fault is in turn {fault.turn}"


def shown_again(record: Record, drawn: str) -> Replayed:
    """Return a play as viewers show it: played again, or as its grader drew it.

    Raises RecordError if neither is possible.
    """
    game = game_of(record)
    if not game.folder:
        return replayed(record)
    if not drawn:
        raise RecordError(f"this play of {game.title} was too long to be drawn")
    scenes = read_scenes(drawn)
    steps = tuple(
        ReplayStep(
            turn=turn,
            seat=scene["seat"] or 0,
            action={},
            words=plain(scene["said"]).removesuffix("."),
            figures={},
        )
        for turn, scene in enumerate(scenes[1:])
    )
    return Replayed(
        record=record, state=None, steps=steps, scenes=tuple(scenes), table=scenes[-1]["text"]
    )
