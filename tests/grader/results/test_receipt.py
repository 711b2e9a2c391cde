"""Checks of a grader's report: actions by the rules, and figures within bounds."""

from dataclasses import replace
from typing import Any

import pytest

from grader.core.errors import RecordError
from grader.core.records import (
    AgentLimits,
    AgentRef,
    BatchRequest,
    GamePrints,
    GameRequest,
    GameResult,
    Mode,
    Printed,
)
from grader.results.receipt import MAX_FIGURE, check_requested, check_result, checked_prints
from tests.grader import played
from tests.support.every import every

GOOD = played.result(4, played.random_record())
FAULTED = played.result(4, played.faulted_record())


def test_a_record_of_a_game_that_was_played_is_accepted() -> None:
    check_result(GOOD)
    check_result(FAULTED)
    check_result(replace(GOOD, other_attempt=FAULTED.record))


FORGED: dict[str, dict[str, Any]] = {
    "more points": {"scores": (25, 25)},
    "a million points": {"scores": (1_000_000, 1_000_000)},
    "no actions": {"actions": "", "charged_us": ()},
    "another deal": {"deal_seed": "0" * 64},
    "a fault's score": {"fault": FAULTED.record.fault, "ending": "fault"},
    "another version of the rules": {"rules_version": 99},
    "another ending": {"ending": "perfect"},
    "a negative time": {"charged_us": (-1,) * len(GOOD.record.charged_us)},
    "an endless time": {"charged_us": (MAX_FIGURE + 1,) * len(GOOD.record.charged_us)},
}


@every("changed", FORGED.values())
def test_a_record_that_claims_more_than_was_played_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match="game 4: "):
        check_result(replace(GOOD, record=replace(GOOD.record, **changed)))


BEYOND: dict[str, dict[str, Any]] = {
    "endless wall time": {"wall_ms": float("inf")},
    "no wall time": {"wall_ms": float("nan")},
    "negative wall time": {"wall_ms": -1.0},
    "a slow turn": {"max_charged_us": (MAX_FIGURE + 1, 0)},
    "figures for three": {"max_charged_us": (1, 1, 1)},
    "negative memory": {"peak_memory_kib": (-1, 0)},
    "endless processor time": {"cpu_us": (0, 2**63)},
    "evidence of nothing": {"evidence": FAULTED.evidence},
    "another game's other play": {"other_attempt": played.random_record(1)},
    "another play that is none": {"other_attempt": replace(FAULTED.record, actions="")},
}


@every("changed", BEYOND.values())
def test_figures_beyond_their_bounds_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(RecordError, match="game 4: "):
        check_result(replace(GOOD, **changed))


def test_a_fault_needs_evidence_and_a_seat_that_exists() -> None:
    with pytest.raises(RecordError, match="evidence"):
        check_result(replace(FAULTED, evidence=None))
    fault = FAULTED.record.fault
    assert fault is not None
    nobody: GameResult = replace(
        FAULTED, record=replace(FAULTED.record, fault=replace(fault, turn=-1, seat=7))
    )
    with pytest.raises(RecordError, match="game 4: "):
        check_result(nobody)


REQUEST = BatchRequest(
    evaluation="evaluation",
    batch="batch",
    game=GOOD.record.game,
    options=GOOD.record.options,
    limits=AgentLimits(),
    agents=(AgentRef(interface="stdio-python", sha256="0" * 64),),
    seating=(0,) * len(GOOD.record.scores),
    games=(GameRequest(index=4, deal_seed=GOOD.record.deal_seed),),
    max_consecutive_faults=0,
    check_first=False,
)


def test_the_game_that_was_requested_is_accepted() -> None:
    check_requested((GOOD, replace(FAULTED, index=4)), REQUEST)


@every(
    ("request_of_another", "difference"),
    [
        (replace(REQUEST, game="hearts"), "by other rules"),
        (replace(REQUEST, options={**REQUEST.options, "players": 5}), "by other rules"),
        (replace(REQUEST, games=(GameRequest(index=4, deal_seed="0" * 64),)), "another deal"),
        (replace(REQUEST, games=(replace(REQUEST.games[0], seating=(1, 0)),)), "at seats"),
        (replace(REQUEST, seating=(0, 0, 0)), "2 scores"),
    ],
)
def test_a_game_of_another_request_is_refused(
    request_of_another: BatchRequest, difference: str
) -> None:
    with pytest.raises(RecordError, match=f"game 4 .*{difference}"):
        check_requested((GOOD,), request_of_another)


def test_a_game_in_another_mode_is_refused() -> None:
    together = replace(GOOD, record=replace(GOOD.record, mode=Mode.TEAM))
    with pytest.raises(RecordError, match="game 4 was played in mode team, not seat"):
        check_requested((together,), REQUEST)


def test_a_fault_of_an_agent_that_we_answer_for_is_refused() -> None:
    with pytest.raises(RecordError, match="game 4 was ended by an opponent's fault"):
        check_requested((FAULTED,), replace(REQUEST, ours=(0,)))


ASKED = replace(REQUEST, prints_of=(0,))
PRINTS = GamePrints(index=4, printed=(Printed(turn=0, seat=1, text="thinking"),))


def test_output_that_was_requested_is_taken_once_with_its_game() -> None:
    assert checked_prints((PRINTS,), (GOOD,), ASKED) == (PRINTS,)
    assert checked_prints((replace(PRINTS, index=5),), (GOOD,), ASKED) == ()
    with pytest.raises(RecordError, match="twice"):
        checked_prints((PRINTS, PRINTS), (GOOD,), ASKED)


@pytest.mark.parametrize("request_of_others", [REQUEST, replace(REQUEST, prints_of=(1,))])
def test_output_that_nobody_requested_is_refused(request_of_others: BatchRequest) -> None:
    with pytest.raises(RecordError, match="nobody asked for"):
        checked_prints((PRINTS,), (GOOD,), request_of_others)
