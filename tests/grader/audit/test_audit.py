"""The audit's pure half: messages made again, pauses drawn, and the rule over any run of runs."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from grader.audit import (
    Attempt,
    AuditCause,
    AuditEvidence,
    Conclusion,
    Pace,
    RunEnd,
    RunOrder,
    SeatAudit,
    audit_seat,
    pauses_us,
    sample,
    script_of,
)
from grader.audit.rule import ROUNDS, Audit
from grader.audit.words import attempts_in_words
from grader.core import wire
from grader.core.errors import RecordError
from grader.core.games import game_from_options
from grader.core.records import FaultKind, Record
from grader.core.referee import PlayerFailure, Reply, Turn, TurnKind
from grader.play.players import play_game
from tests.grader.played import faulted_record, random_record
from tests.support.every import every

RECORD = random_record()
SCRIPT = script_of(RECORD, 1)
CUES = SCRIPT.cues
PAUSES = {
    Pace.INSTANT: RunOrder(Pace.INSTANT),
    Pace.RECORDED: RunOrder(Pace.RECORDED),
    Pace.JITTERED: RunOrder(Pace.JITTERED, 7),
}


class Listening:
    """A player that answers as a record says, and keeps the lines that it was sent."""

    def __init__(self, record: Record) -> None:
        self._actions = record.actions.split()
        self._game = game_from_options(record.game, record.options)
        self.lines: list[bytes] = []

    def take(self, turn: Turn) -> Reply | PlayerFailure | None:
        self.lines.append(wire.encode(turn.message))
        if turn.kind is not TurnKind.ACT:
            return Reply(None, 0) if turn.kind is TurnKind.START else None
        if turn.number >= len(self._actions):
            return PlayerFailure(FaultKind.TIMEOUT, "late", 1)
        return Reply(dict(self._game.parse(self._actions[turn.number])), 0)


def heard(record: Record, seat: int) -> list[bytes]:
    """The messages that a seat was sent in the game itself."""
    players = [Listening(record) for _ in record.scores]
    game = game_from_options(record.game, record.options)
    play_game(game, bytes.fromhex(record.deal_seed), players)
    return players[seat].lines


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_seats_messages_are_made_again_byte_for_byte(players: int) -> None:
    record = random_record(1, players=players)
    for seat in range(players):
        script = script_of(record, seat)
        lines = [
            wire.encode(turn.message) for turn in (script.start, *[c.turn for c in script.cues])
        ]
        assert lines == heard(record, seat)[:-1]


def test_messages_of_a_faulted_game_end_before_the_fault() -> None:
    record = faulted_record(turn=5)
    lines = [wire.encode(cue.turn.message) for cue in script_of(record, 1).cues]
    assert lines == heard(record, 1)[1:3]
    fault = replace(faulted_record().fault, turn=-1)  # type: ignore[type-var]
    record = replace(faulted_record(), actions="", charged_us=(), fault=fault)
    assert script_of(record, 0).cues == ()


def test_a_record_that_does_not_replay_is_refused() -> None:
    with pytest.raises(RecordError):
        script_of(replace(RECORD, actions="p0 p0"), 0)


def test_the_pause_before_a_turn_is_what_the_other_seats_were_charged() -> None:
    record = random_record(2, players=3)
    first, second, *_ = script_of(record, 1).cues
    charged = record.charged_us
    assert first.paused_us == charged[0]
    assert second.paused_us == charged[2] + charged[3]
    pauses = pauses_us(SCRIPT, PAUSES[Pace.RECORDED], seed=1)
    assert pauses == tuple(cue.paused_us for cue in CUES)


@every(
    ("action", "played"),
    [
        ({"type": "play", "card": 0}, "p0"),
        ({"type": "play", "card": 0, "why": "a hunch"}, "p0"),
        ({"type": "play", "card": True}, None),
        ({"type": "play", "card": 10**30}, None),
        ({}, None),
    ],
)
def test_an_answer_is_read_as_the_referee_reads_it(
    action: Mapping[str, Any], played: str | None
) -> None:
    assert SCRIPT.played(CUES[2], action) == played


# Pauses


def test_random_pauses_follow_from_seed_and_number_and_are_bounded() -> None:
    def pauses(salt: int, seed: int) -> tuple[int, ...]:
        return pauses_us(SCRIPT, RunOrder(Pace.JITTERED, salt), seed=seed)

    assert pauses(0, 1) == pauses(0, 1)
    assert len({pauses(0, 1), pauses(1, 1), pauses(0, 2)}) == 3
    slow = replace(RECORD, charged_us=(60_000_000,) * len(RECORD.charged_us))
    assert max(pauses_us(script_of(slow, 1), PAUSES[Pace.JITTERED], seed=1)) < 400_000


def test_random_pauses_say_yes_and_no_on_both_sides_of_the_games() -> None:
    slow = replace(RECORD, charged_us=(60_000,) * len(RECORD.charged_us))
    script = script_of(slow, 1)
    drawn = [
        p for salt in range(20) for p in pauses_us(script, RunOrder(Pace.JITTERED, salt), seed=3)
    ]
    assert 0.4 < sum(pause < 1_000 for pause in drawn) / len(drawn) < 0.6
    assert 60_000 < max(drawn) < 90_000


def test_a_sample_has_the_requested_number_of_games_in_order_and_depends_on_the_seed() -> None:
    one = sample(range(1000), games=10, seed=1)
    assert len(one) == 10
    assert one == tuple(sorted(one)) == sample(reversed(range(1000)), games=10, seed=1)
    assert one != sample(range(1000), games=10, seed=2)
    assert sample(range(3), games=10, seed=1) == (0, 1, 2)


# The rule

Way = tuple[int | None, str]
REPEATS: Way = (None, "")


def end(way: Way, fault: FaultKind | None = None) -> RunEnd:
    """A run that ends so; its turns took no time."""
    turn, action = way
    turns = [cue for cue in CUES if turn is None or cue.turn.number <= turn]
    detail = "a fault" if fault else ""
    none = (0,) * len(turns)
    return RunEnd(
        turn=turn, action=action, fault=fault, detail=detail, paused_us=none, charged_us=none
    )


def judge(run: Callable[[RunOrder, int], RunEnd | None]) -> SeatAudit:
    """The rule's conclusion on an agent. ``run`` says how each run ends, by order and number."""
    audit: Audit = audit_seat(3, SCRIPT)
    order, number = next(audit), 0
    while True:
        try:
            order = audit.send(run(order, number))
        except StopIteration as stop:
            result: SeatAudit = stop.value
            return result
        number += 1


NOT = (Conclusion.NOT_AUDITABLE, None)
INCONCLUSIVE = (Conclusion.INCONCLUSIVE, None)
PAUSED = (Conclusion.DIFFERS, AuditCause.PAUSES)
HOSTS = (FaultKind.TIMEOUT, FaultKind.IDLE, FaultKind.MEMORY)
"""Faults that the host may have caused."""
Run = Callable[[RunOrder, int], RunEnd | None]
JUDGED: dict[str, tuple[Run, tuple[Conclusion, AuditCause | None], int | None]] = {
    "four runs that repeat the record": (lambda *_: end(REPEATS), (Conclusion.SAME, None), 4),
    "random without its pauses": (
        lambda order, number: end(
            REPEATS if order.pace is Pace.RECORDED else (5, f"p{number % 5}")
        ),
        PAUSED,
        None,
    ),
    "random with its pauses": (
        lambda order, number: end(
            (7, f"p{number % 5}") if order.pace is Pace.RECORDED else (5, "p1")
        ),
        PAUSED,
        None,
    ),
    "a crash that only the other pauses bring about": (
        lambda order, _: (
            end(REPEATS) if order.pace is Pace.RECORDED else end((5, ""), FaultKind.CRASH)
        ),
        PAUSED,
        None,
    ),
    "all runs agree against the record": (
        lambda *_: end((5, "p1")),
        (Conclusion.DIFFERS, AuditCause.RECORD),
        None,
    ),
    "runs without pauses differ": (
        lambda _, number: end(REPEATS if number == 0 else (5, "p1")),
        NOT,
        2,
    ),
    "never the same twice: two rounds": (lambda _, number: end((5, f"p{number % 5}")), NOT, 5),
    **{
        f"a suspect with an odd run: {odd}": (
            lambda _, number, odd=odd: end((7, "p0") if number == odd else (5, "p1")),
            NOT,
            None,
        )
        for odd in range(3, 13)
    },
    **{
        f"{kind} once is tried again": (
            lambda _, number, kind=kind: end((5, ""), kind) if number == 1 else end(REPEATS),
            (Conclusion.SAME, None),
            None,
        )
        for kind in HOSTS
    },
    **{
        f"{kind} in every run": (lambda *_, kind=kind: end((5, ""), kind), INCONCLUSIVE, None)
        for kind in (*HOSTS, FaultKind.CRASH)
    },
    "a fault while starting": (lambda *_: end((-1, ""), FaultKind.CRASH), INCONCLUSIVE, None),
    "no time at all": (lambda *_: None, (Conclusion.LEFT_OUT, None), None),
    "a suspect without time left": (
        lambda _, number: end((5, "p1")) if number == 0 else None,
        INCONCLUSIVE,
        None,
    ),
}


@every("case", JUDGED)
def test_the_rule_concludes(case: str) -> None:
    run, expected, runs = JUDGED[case]
    found = judge(run)
    assert (found.conclusion, found.cause) == expected
    assert runs in {None, found.runs}
    if found.conclusion is Conclusion.SAME or case == "a fault while starting":
        assert found.evidence is None
    if "in every run" in case:
        assert found.detail == "a fault"


@pytest.mark.parametrize("other", [Pace.INSTANT, Pace.JITTERED])
def test_runs_that_differ_with_other_pauses_only_are_flagged(other: Pace) -> None:
    found = judge(lambda order, _: end((5, "p1") if order.pace is other else REPEATS))
    assert (found.conclusion, found.cause) == (Conclusion.DIFFERS, AuditCause.PAUSES)
    assert found.evidence is not None
    assert (found.evidence.turn, found.evidence.recorded) == (5, CUES[2].recorded)


def test_evidence_has_an_attempt_of_every_run_that_came_so_far_in_words() -> None:
    found = judge(lambda order, _: end((5, "p1") if order.pace is Pace.INSTANT else REPEATS))
    assert found.evidence is not None
    did = [(attempt.pace, attempt.action) for attempt in found.evidence.attempts]
    assert did.count((Pace.INSTANT, "p1")) == 1 + ROUNDS
    assert did.count((Pace.RECORDED, CUES[2].recorded)) == ROUNDS
    assert set(found.evidence.words) == {"p1", CUES[2].recorded}
    assert found.evidence.words["p1"].startswith("seat 2 misplays card 2")


def test_rounds_alternate_and_begin_in_a_new_container() -> None:
    orders: list[RunOrder] = []

    def run(order: RunOrder, _number: int) -> RunEnd:
        orders.append(order)
        return end((5, "p1"))

    judge(run)
    rounds = orders[1:]
    assert [order.renewed for order in rounds] == [True, False] * ROUNDS
    first, second = Pace.INSTANT, Pace.RECORDED
    assert [order.pace for order in rounds[:4]] == [first, second, second, first]


def test_an_action_without_words_is_shown_by_its_notation() -> None:
    runs = [
        Attempt(pace=Pace.INSTANT, paused_us=0, action=action, fault=fault, charged_us=1)
        for action, fault in (("d0", None), ("d0", None), ("p1", None), ("", FaultKind.CRASH))
    ]
    evidence = AuditEvidence(
        turn=3,
        recorded="d0",
        paused_us=0,
        charged_us=1,
        attempts=tuple(runs),
        words={"d0": "discards its oldest"},
    )
    (line,) = attempts_in_words(evidence)
    assert line == "without pauses: 2× d0, discards its oldest; 1× p1; 1× fault crash"
