"""The replay audit in real sandboxes: who repeats, who listens to the clock, who rolls dice."""

from collections.abc import Sequence

import pytest

from grader import house
from grader.audit import (
    AuditCause,
    AuditedGame,
    AuditReport,
    AuditRequest,
    Conclusion,
    Pace,
    SeatAudit,
)
from grader.core.errors import SystemFault
from grader.core.records import AgentLimits, GameResult
from grader.play import slot
from grader.play.batch import open_batch
from grader.worker.auditor import audit_games
from sandbox.container import open_container
from tests.support.agents import agent, packed, request_for
from tests.support.depth import deeper
from tests.support.slots import confined

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine", "warm_sandboxes")]

SLOT = confined()
GAMES = deeper(1, deep=2)

SIGNALLING = agent(
    f"""
if observation.turn == {deeper(30, deep=1000)}:
    raise ValueError("enough")
waited = time.monotonic() - self.left
newest = observation.hands[1 - observation.seat].cards[-1]
if newest is not None and newest.color in "RY":
    time.sleep(0.06)
hints = [action for action in observation.legal_actions if isinstance(action, Hint)]
discards = [action for action in observation.legal_actions if isinstance(action, Discard)]
choices = discards if discards and observation.turn // 3 % 2 else hints or discards
self.left = time.monotonic()
return choices[-1 if waited > 0.03 else 0]
""",
    top="from firebox.hanabi import Discard, Hint",
    start="self.left = time.monotonic()",
)
"""Waits, or not, by the partner's newest card; acts by how long the partner took. For some turns:
an audit repeats all pauses many times."""

SEEDED = agent("return random.choice(observation.legal_actions)", top="import random")
UNSEEDED = agent(
    "return random.SystemRandom().choice(observation.legal_actions)", top="import random"
)


def play(archive: bytes, games: int) -> list[GameResult]:
    with open_batch(request_for(range(games)), [archive], SLOT) as batch:
        return list(batch.games())


def audit(
    archive: bytes, results: Sequence[GameResult], *, seconds: float = 120.0, **limits: float
) -> AuditReport:
    batch = request_for([0])
    request = AuditRequest(
        audit="audit",
        agent=batch.agents[0],
        seats=(0, 1),
        limits=AgentLimits(**limits),
        games=tuple(AuditedGame(index=each.index, record=each.record) for each in results),
        seed=1,
        seconds=seconds,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(slot, "open_container", open_container)  # new ones, as its rounds need
        return audit_games(request, archive, SLOT)


def conclusions(report: AuditReport) -> list[Conclusion]:
    return [seat.conclusion for seat in report.seats]


@pytest.mark.parametrize("name", ["convention", "information"])
def test_a_deterministic_agent_repeats_every_move_of_both_seats(name: str) -> None:
    archive = house.bundle(name)
    report = audit(archive, play(archive, GAMES))
    assert conclusions(report) == [Conclusion.SAME] * 2 * GAMES


def test_an_agent_that_uses_the_seeded_generator_repeats_every_move() -> None:
    report = audit(packed(SEEDED), play(packed(SEEDED), 2))
    assert conclusions(report) == [Conclusion.SAME] * 4


def test_an_agent_that_rolls_dice_of_its_own_is_not_auditable() -> None:
    report = audit(packed(UNSEEDED), play(packed(UNSEEDED), GAMES))
    assert conclusions(report) == [Conclusion.NOT_AUDITABLE] * 2 * GAMES


def test_an_agent_that_decides_by_addresses_in_memory_is_not_auditable() -> None:
    """They are the same for every process of a container, and others in the next one."""
    source = agent(
        "page = id(type(observation)) >> 12\n"
        "chance = random.Random(1000 * page + observation.turn)\n"
        "return chance.choice(observation.legal_actions)",
        top="import random",
    )
    report = audit(packed(source), play(packed(source), 1))
    assert conclusions(report) == [Conclusion.NOT_AUDITABLE] * 2


def test_a_search_that_a_clock_cuts_off_is_not_taken_for_one_that_listens() -> None:
    source = agent(
        "end, found = time.monotonic() + 0.01, 0\n"
        "while time.monotonic() < end: found += 1\n"
        "return observation.legal_actions[found % len(observation.legal_actions)]"
    )
    report = audit(packed(source), play(packed(source), 1))
    assert conclusions(report) == [Conclusion.NOT_AUDITABLE] * 2


@pytest.fixture(scope="module")
def signalled(docker_engine: object, warm_sandboxes: object) -> AuditReport:
    return audit(packed(SIGNALLING), play(packed(SIGNALLING), 1))


def flag(report: AuditReport, seat: int) -> SeatAudit:
    return next(each for each in report.seats if each.seat == seat)


@pytest.mark.alone
@pytest.mark.parametrize("seat", [0, 1])
def test_seats_that_talk_by_response_time_are_flagged(signalled: AuditReport, seat: int) -> None:
    found = flag(signalled, seat)
    assert (found.conclusion, found.cause) == (Conclusion.DIFFERS, AuditCause.PAUSES)


@pytest.mark.alone
def test_the_flag_shows_the_turn_the_pauses_and_what_each_run_did(signalled: AuditReport) -> None:
    evidence = flag(signalled, 1).evidence
    assert evidence is not None
    assert evidence.turn % 2 == 1
    unlike = {try_.pace for try_ in evidence.attempts if try_.action != evidence.recorded}
    assert unlike in ({Pace.INSTANT}, {Pace.JITTERED})
    paused = [try_.paused_us for try_ in evidence.attempts if try_.pace is Pace.RECORDED]
    assert paused == [evidence.paused_us] * 6


def test_a_faulted_game_is_compared_up_to_its_fault() -> None:
    archive = packed(agent("if observation.turn >= 6: raise ValueError('lost')"))
    report = audit(archive, play(archive, 1))
    assert [(each.conclusion, each.turns) for each in report.seats] == [(Conclusion.SAME, 3)] * 2


@pytest.mark.usefixtures("short_pauses")
def test_a_timeout_that_the_game_did_not_have_proves_nothing() -> None:
    archive = packed(agent("if observation.turn == 2: time.sleep(0.4)"))
    (first, _) = audit(archive, play(archive, 1), turn_seconds=0.1, turn_wall_seconds=0.3).seats
    assert first.conclusion is Conclusion.INCONCLUSIVE
    assert "allowed are 0.1 s" in first.detail


def test_games_without_time_left_are_skipped() -> None:
    archive = packed(SEEDED)
    assert conclusions(audit(archive, play(archive, 1), seconds=0.0)) == [Conclusion.LEFT_OUT] * 2


def test_sources_that_cannot_be_built_any_more_are_our_fault() -> None:
    results = play(packed(SEEDED), 1)
    with pytest.raises(SystemFault, match="built again"):
        audit(packed("def nothing("), results)
