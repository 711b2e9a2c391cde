"""The seats that share a process: who decides it, and what records say of it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from grader.audit import AuditedGame, AuditRequest, Conclusion, script_of
from grader.core.errors import RecordError
from grader.core.games import game_from_options
from grader.core.records import (
    AgentLimits,
    AgentRef,
    BatchRequest,
    Mode,
    Record,
    from_json,
    to_json,
)
from grader.core.referee import PlayerFailure, Reply, Turn, TurnKind
from grader.interfaces import INTERFACES, mode_of
from grader.play.batch import open_batch
from grader.play.games import seat_groups
from grader.play.players import TeamSeat, play_game
from grader.results.export import verify_export
from grader.results.replay import render, replay
from grader.worker.auditor import _Auditor
from tests.grader.played import export, random_record
from tests.support.agents import NOBODY, STEADY, agent, packed, request_for
from tests.support.every import every
from tests.support.slots import UNCONFINED

pytestmark = pytest.mark.usefixtures("warm_sandboxes")

ENSTA = "ensta-python"


@every(
    ("interfaces", "seating", "asked", "mode"),
    [
        (["python"], (0, 0), None, Mode.SEAT),
        (["python"], (0, 0), Mode.SEAT, Mode.SEAT),
        ([ENSTA], (0, 0, 0), None, Mode.TEAM),
        ([ENSTA], (0, 0, 0), Mode.SEAT, Mode.SEAT),
        ([ENSTA, ENSTA], (0, 1), None, Mode.SEAT),
        ([ENSTA, ENSTA], (0, 1, 0, 1), Mode.TEAM, Mode.TEAM),
        ([ENSTA, "python"], (0, 1), None, Mode.SEAT),
    ],
)
def test_an_interface_prefers_a_mode_for_an_agent_that_has_all_seats(
    interfaces: Sequence[str], seating: tuple[int, ...], asked: Mode | None, mode: Mode
) -> None:
    assert mode_of(interfaces, seating, asked) is mode


@pytest.mark.parametrize("interfaces", [["python"], [ENSTA, "python"], ["nonsense"]])
def test_a_mode_that_an_interface_does_not_have_is_refused(interfaces: list[str]) -> None:
    with pytest.raises(RecordError):
        mode_of(interfaces, (0, 0), Mode.TEAM)


def test_every_interface_has_a_process_for_each_seat_and_groups_for_those_of_one() -> None:
    assert all(Mode.SEAT in interface.modes for interface in INTERFACES.values())
    assert [group.seats for group in seat_groups((0, 1, 0), Mode.SEAT)] == [(0,), (1,), (2,)]
    assert [group.seats for group in seat_groups((0, 1, 0), Mode.TEAM)] == [(0, 2), (1,)]
    assert [group.agent for group in seat_groups((1, 0, 0), Mode.TEAM)] == [1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("seating", [(0, 0), (1, 0), (0, 1)])
def test_a_games_own_seats_are_those_that_a_request_could_have(seating: tuple[int, int]) -> None:
    request = request_for([5], seating=(0, 1), sha256=[NOBODY, NOBODY])
    moved = replace(request, games=(replace(request.games[0], seating=seating),))
    assert plainly(moved) == plainly(replace(request, seating=seating))


def plainly(request: BatchRequest) -> str:
    """The actions of a request's game between an agent that hints and one that takes its first."""
    eager = agent("return observation.legal_actions[0]")
    slot = UNCONFINED
    with open_batch(request, [packed(STEADY), packed(eager)], slot) as batch:
        (result,) = batch.games()
    return result.record.actions


class FirstAction:
    """A process, as far as a seat of a team needs one."""

    peak_memory_kib, cpu_us = 9000, 70

    def __init__(self) -> None:
        self.sent: list[Any] = []

    def take(self, turn: Turn) -> Reply | PlayerFailure | None:
        self.sent.append(turn.message)
        if turn.kind is TurnKind.ACT:
            return Reply(dict(turn.message["legal"][0]), 10 * (turn.seat + 1))
        return Reply(None, 5) if turn.kind is TurnKind.START else None


def team_game() -> tuple[Record, FirstAction, list[TeamSeat]]:
    process: Any = FirstAction()
    seats = [TeamSeat(process, accounts=seat == 0) for seat in range(3)]
    game = game_from_options("hanabi", {"variant": "ensta", "players": 3})
    return play_game(game, bytes(32), seats, Mode.TEAM), process, seats


def test_a_team_is_told_the_seat_and_its_process_is_counted_once() -> None:
    record, process, seats = team_game()
    turns = len(record.actions.split())
    told = [message["seat"] for message in process.sent]
    assert told == [0, 1, 2] + [turn % 3 for turn in range(turns)] + [0, 1, 2]
    assert record.charged_us[:3] == (10, 20, 30)
    assert [seat.max_charged_us for seat in seats] == [10, 20, 30]
    assert [seat.peak_memory_kib for seat in seats] == [9000, 0, 0]
    assert [seat.cpu_us for seat in seats] == [70, 0, 0]


def test_a_record_says_its_mode_and_replays_in_any() -> None:
    record, _, _ = team_game()
    assert record.mode is Mode.TEAM
    assert from_json(to_json(record), Record) == record
    assert replay(record).scores() == record.scores
    assert "mode      team: one process played all seats of an agent" in render(record)
    assert "mode " not in render(replace(record, mode=Mode.SEAT))
    before = to_json(random_record()).replace(',"mode":"seat"', "")
    assert "mode" not in before  # as records were before there were modes
    assert from_json(before, Record) == random_record()


def test_an_export_with_games_of_another_mode_is_detected() -> None:
    played = random_record(variant="ensta")
    whole = export([replace(played, mode=Mode.TEAM)])
    options = dict(played.options)
    whole = replace(
        whole,
        spec=replace(whole.spec, options=options),
        agents=(AgentRef(interface=ENSTA, sha256="0" * 64),),
    )
    assert verify_export(whole).ok
    alone = replace(whole, spec=replace(whole.spec, mode=Mode.SEAT))
    (finding,) = verify_export(alone).findings
    assert finding.text == "it was played in mode team, the evaluation's is seat"


def test_seats_that_shared_a_process_are_not_audited() -> None:
    record, _, _ = team_game()
    request = AuditRequest(
        audit="audit",
        agent=AgentRef(interface=ENSTA, sha256="0" * 64),
        seats=(0,),
        limits=AgentLimits(),
        games=(),
        seed=1,
        seconds=60.0,
    )
    table: Any = None  # which nothing may touch
    game = AuditedGame(index=0, record=record)
    looked = _Auditor(request, float("inf")).look_at(table, game, script_of(record, 0))
    assert looked.conclusion is Conclusion.LEFT_OUT
