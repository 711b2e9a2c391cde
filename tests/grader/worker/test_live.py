"""Agents that play with people: their processes are kept, and begun again on what was recorded."""

import hashlib
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.core.deals import deal_seed
from grader.core.games import game_from_options
from grader.core.live import SeatReport, SeatRequest
from grader.core.records import AgentLimits, AgentRef, FaultKind
from grader.play.slot import Slot
from grader.worker import live
from grader.worker.live import LiveSeats
from tests.support.agents import agent, packed

pytestmark = pytest.mark.slow

GAME = game_from_options("hanabi", {"players": 2})
DEALT = deal_seed(b"a game with a person", 0).hex()
COUNTING = agent(
    "self.turns += 1\nreturn observation.legal_actions[self.turns]", start="self.turns = 0"
)
"""Its actions tell how many turns its process has been asked."""
READING = agent("with open(__file__) as own: own.read()\nreturn observation.legal_actions[0]")
SLEEPING = agent(
    "left = MARK.read_text()\nMARK.write_text(left[1:])\nif left: time.sleep(0.13)",
    top="from pathlib import Path\nMARK = Path('LEFT')",
)
"""Times out for as many processes as there are characters in a file."""
FAILING = agent("if observation.turn > 1: raise ValueError('lost')\nprint('here')")


class Desk:
    """Live seats, and the questions about one game."""

    def __init__(self, source: str) -> None:
        self.archive = packed(source)
        self.fetched = 0
        self.seats = LiveSeats(Slot(core=None, sandboxed=False), self.fetch)

    def fetch(self, sha256: str) -> bytes:
        assert sha256 == hashlib.sha256(self.archive).hexdigest()
        self.fetched += 1
        return self.archive

    def ask(self, actions: str, *, table: str = "table", **changes: object) -> SeatReport:
        request = SeatRequest(
            ask="ask",
            table=table,
            game=GAME.name,
            rules_version=GAME.rules_version,
            options=dict(GAME.options),
            deal_seed=DEALT,
            actions=actions,
            seat=1,
            agent=AgentRef(interface="python", sha256=hashlib.sha256(self.archive).hexdigest()),
            limits=AgentLimits(),
        )
        request = replace(request, **changes)  # type: ignore[arg-type]  # fields of the request
        report = self.seats.answer(request)
        assert report.request == request.digest()
        return report


@pytest.fixture
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    made = Desk(request.param)
    yield made
    made.seats.close()


def card(report: SeatReport) -> object:
    assert report.action is not None, report
    return report.action["card"]


@pytest.mark.parametrize("desk", [COUNTING], indirect=True)
def test_a_process_is_kept_from_turn_to_turn(desk: Desk) -> None:
    assert card(desk.ask("p0")) == 1
    assert card(desk.ask("p0 p1 p0")) == 2
    assert desk.fetched == 1


@pytest.mark.parametrize("desk", [COUNTING], indirect=True)
def test_a_process_that_is_gone_is_begun_again_on_what_was_recorded(desk: Desk) -> None:
    desk.ask("p0")
    desk.seats.close()
    report = desk.ask("p0 p1 p0")
    assert (card(report), report.differs_at, desk.fetched) == (2, None, 2)


@pytest.mark.parametrize("desk", [COUNTING], indirect=True)
def test_a_different_answer_is_reported_and_the_recorded_one_stands(desk: Desk) -> None:
    report = desk.ask("p0 p4 p0")
    assert (card(report), report.differs_at) == (2, 1)


@pytest.mark.parametrize("desk", [COUNTING], indirect=True)
def test_a_process_of_another_course_of_the_game_is_not_used(desk: Desk) -> None:
    desk.ask("p0")
    assert card(desk.ask("p0 p3 p0")) == 2
    assert desk.fetched == 2


@pytest.mark.parametrize("desk", [COUNTING], indirect=True)
def test_no_more_processes_than_the_maximum_are_kept(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "MAX_KEPT", 1)
    desk.ask("p0", table="first")
    desk.ask("p0", table="second")
    assert card(desk.ask("p0 p1 p0", table="first")) == 2
    assert desk.fetched == 3


@pytest.mark.parametrize("desk", [COUNTING], indirect=True)
def test_processes_of_unused_games_end(desk: Desk) -> None:
    desk.ask("p0")
    desk.seats.end_unused(before=time.monotonic() - 60)
    desk.ask("p0 p1 p0")
    assert desk.fetched == 1
    desk.seats.end_unused(before=time.monotonic() + 1)
    desk.ask("p0 p1 p0")
    assert desk.fetched == 2


@pytest.mark.parametrize("desk", [FAILING], indirect=True)
def test_a_fault_comes_with_what_was_printed(desk: Desk) -> None:
    first = desk.ask("p0")
    report = desk.ask(f"p0 {GAME.notate(first.action or {})} p0")
    assert report.fault is not None
    assert report.fault.kind is FaultKind.CRASH
    assert report.evidence is not None
    assert "here" in report.evidence.stderr
    assert "ValueError: lost" in report.evidence.stderr


@pytest.mark.parametrize("desk", [READING], indirect=True)
def test_an_agent_whose_files_the_host_removed_is_begun_again_and_not_blamed(desk: Desk) -> None:
    assert desk.ask("p0").fault is None
    for kept in desk.seats._kept.values():
        for opened in kept.single._games.pool.sandboxes:
            (opened.directory.agent / "agent.py").unlink()
    report = desk.ask("p0 p0 p0")
    assert (report.fault, report.system_fault, desk.fetched) == (None, "", 2)


@pytest.mark.parametrize(("sleeps", "kind"), [(1, None), (2, FaultKind.TIMEOUT)])
def test_a_timeout_that_the_host_may_have_caused_stands_the_second_time(
    sleeps: int, kind: FaultKind | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sandbox.clock.stolen_ns", lambda _: time.perf_counter_ns())
    left = tmp_path / "left"
    left.write_text("!" * sleeps)
    desk = Desk(SLEEPING.replace("LEFT", str(left)))
    with closing(desk.seats):
        report = desk.ask("p0", limits=AgentLimits(turn_seconds=0.1))
    assert (report.fault and report.fault.kind, report.system_fault) == (kind, "")
    assert (desk.fetched, left.read_text()) == (2, "")


@pytest.mark.parametrize("desk", [COUNTING], indirect=True)
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rules_version": 99}, "other rules"),
        ({"seat": 0}, "not this seat's turn"),
        ({"options": {"variant": "standard"}}, "other rules"),
    ],
)
def test_a_request_that_cannot_be_answered_is_our_failure(
    desk: Desk, changes: dict[str, object], said: str
) -> None:
    report = desk.ask("p0", **changes)
    assert said in report.system_fault
    assert report.action is None
