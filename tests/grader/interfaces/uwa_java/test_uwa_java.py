"""Agents in Java against the package ``hanabAI``, in the real sandbox."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from grader.audit import AuditedGame, AuditRequest, Conclusion
from grader.core.records import AgentLimits, AgentRef, FaultKind, GameResult
from grader.worker.auditor import audit_games
from tests.grader.interfaces.outcomes import played
from tests.grader.interfaces.uwa_java.playing import (
    HERE,
    PATIENT,
    SLOT,
    archive,
    asked,
    outcome,
    play,
    several,
    told,
)
from tests.support import archives
from tests.support.deeds import Deeds, deals_for, first_cards, open_deeds
from tests.support.depth import deeper

AGENTS = sorted(HERE.glob("agents/Agent*.java"))
CHECK = HERE / "agents" / "Check.java"
IMPATIENT = AgentLimits(turn_seconds=0.5, turn_wall_seconds=1.0)
"""For agents that must run out of time."""
FAULTS = {
    "ReturnsNull": FaultKind.ILLEGAL,
    "DiscardsAtEight": FaultKind.ILLEGAL,
    "LiesInHints": FaultKind.ILLEGAL,
    "BadPosition": FaultKind.ILLEGAL,
    "SomebodyElse": FaultKind.ILLEGAL,
    "Throws": FaultKind.CRASH,
    "Recurses": FaultKind.CRASH,
    "Exits": FaultKind.CRASH,
    "Hoards": FaultKind.MEMORY,
    "StartsThread": FaultKind.FORBIDDEN,
    "UsesPool": FaultKind.FORBIDDEN,
    "Executes": FaultKind.CRASH,
}
OUT_OF_TIME = {"Loops": FaultKind.TIMEOUT, "Sleeps": FaultKind.IDLE}
pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]


@pytest.mark.parametrize("players", deeper([3, 4], deep=[2, 3, 4, 5]))
def test_agents_that_look_at_everything_find_all_as_it_should_be(players: int) -> None:
    """The agents share tables, and change seats in the second game of each."""
    seatings = [
        tuple((first + seat) % len(AGENTS) for seat in range(players))
        for first in range(0, len(AGENTS), players)
    ]
    seatings = [order for seats in seatings for order in (seats, seats[::-1])]
    request = asked(players, len(seatings))
    request = replace(
        request,
        agents=request.agents * len(AGENTS),
        seating=seatings[0],
        games=tuple(
            replace(game, seating=seats)
            for game, seats in zip(request.games, seatings, strict=True)
        ),
    )
    results = played(request, [archive(path, CHECK) for path in AGENTS])
    assert told(results) == []
    assert {agent for result in results for agent in result.seating} == set(range(len(AGENTS)))


@pytest.mark.deep
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("path", AGENTS, ids=lambda path: path.stem)
def test_an_agent_finds_all_as_it_should_be_at_every_seat(path: Path, players: int) -> None:
    results = play([path, CHECK], players=players, games=20)
    assert told(results) == []


CARDS = [f"{color}{rank}" for color in "RGBYW" for rank in "12345"]
FAULTY = HERE / "faulty" / "Faulty.java"


@contextmanager
def open_faults(kinds: Collection[str], limits: AgentLimits) -> Iterator[Deeds]:
    """An agent with all these deeds: the partner's first card chooses the one of a seat."""
    request = asked(2, 1, limits)
    source = FAULTY.read_text().replace("@deeds@", " ".join(kinds))
    upload = archives.archive({FAULTY.name: source, CHECK.name: CHECK.read_text()})

    def fits(seed: bytes) -> int | None:
        first, second = (CARDS.index(card) % len(kinds) for card in first_cards(request, seed))
        return first if first == second else None

    with open_deeds(request, upload, deals_for(kinds, fits), SLOT) as opened:
        yield opened


@pytest.fixture(scope="module")
def faulty(docker_engine: object) -> Iterator[Deeds]:
    with open_faults(FAULTS, PATIENT) as opened:
        yield opened


@pytest.fixture(scope="module")
def lingering(docker_engine: object) -> Iterator[Deeds]:
    with open_faults(OUT_OF_TIME, IMPATIENT) as opened:
        yield opened


def check_it_is_called(kind: FaultKind, results: Sequence[GameResult]) -> None:
    kinds = [result.record.fault and result.record.fault.kind for result in results]
    assert kinds == [kind] * len(results), told(results)


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_called_by_its_name_and_the_next_game_is_played(
    name: str, faulty: Deeds
) -> None:
    check_it_is_called(FAULTS[name], [faulty.play(name) for _ in range(2)])


@pytest.mark.parametrize("name", OUT_OF_TIME)
def test_running_out_of_time_is_called_so_and_the_next_game_is_played(
    name: str, lingering: Deeds
) -> None:
    check_it_is_called(OUT_OF_TIME[name], [lingering.play(name) for _ in range(2)])


REASONS = {
    "ReturnsNull": "null instead of an action",
    "LiesInHints": "the cards that it fits are",
    "BadPosition": "plays the card at position 7; allowed: 0 to 4",
    "SomebodyElse": "it is the turn of player 0",
}


@pytest.mark.parametrize("name", REASONS)
def test_an_illegal_action_is_reported_with_its_reason(name: str, faulty: Deeds) -> None:
    result = faulty.play(name)
    assert result.record.fault is not None
    assert REASONS[name] in result.record.fault.detail


def test_an_exception_is_reported_with_its_file_and_line(faulty: Deeds) -> None:
    result = faulty.play("Throws")
    assert result.evidence is not None
    line = 1 + FAULTY.read_text().partition("nothing.toString()")[0].count("\n")
    assert f"agents.Faulty.act(Faulty.java:{line})" in result.evidence.stderr
    assert result.record.fault is not None
    assert "NullPointerException" in result.record.fault.detail
    assert "firebox.boot" not in result.evidence.stderr


def test_a_loop_is_reported_with_its_place(lingering: Deeds) -> None:
    result = lingering.play("Loops")
    assert result.evidence is not None
    assert "agents.Faulty.act(Faulty.java:" in result.evidence.stderr


def test_nothing_outside_can_be_reached() -> None:
    paths = [HERE / "faulty" / "Contained.java", CHECK]
    assert told(play(paths)) == []


def test_the_courses_example_plays_only_alone() -> None:
    assert outcome(several("agents.BasicAgent", "agents.Mine"))[0] == FaultKind.ILLEGAL
    assert outcome(several("agents.BasicAgent"))[0] == FaultKind.ILLEGAL


LEGACY = ("legacy_first_state",)


@pytest.mark.parametrize(
    ("agent", "options", "outcome"),
    [
        ("eras/Agent10000011", LEGACY, None),
        ("eras/Agent10000011", (), FaultKind.CRASH),
        ("agents/Agent10000001", LEGACY, FaultKind.CRASH),
        ("agents/Agent10000001", (), None),
    ],
)
def test_the_state_before_the_first_is_as_the_assignment_says(
    agent: str, options: tuple[str, ...], outcome: FaultKind | None
) -> None:
    """An agent of one era finds what it knows, and with the other's rules it does not."""
    ref = AgentRef(interface="uwa-java", sha256="0" * 64, options=options)
    upload = archive(HERE / f"{agent}.java", CHECK)
    results = played(replace(asked(3, 2), agents=(ref,)), [upload])
    assert {result.record.fault and result.record.fault.kind for result in results} == {outcome}


@pytest.mark.parametrize("path", sorted(HERE.glob("void_hints/*.java")), ids=lambda path: path.stem)
def test_hints_that_touch_nothing_may_name_what_no_card_has(path: Path) -> None:
    assert told(play([path], players=3, games=2)) == []


KNOWS_NAMES = """package agents;
import hanabAI.*;
public class Agent1000 implements Agent {
    public String toString() { return "Agent1"; }
    public Action doAction(State s) {
        int me = s.getNextPlayer();
        String names = String.join(" ", s.getPlayers());
        if (s.getOrder() == 2) {
            throw new IllegalStateException(names);
        }
        try {
            int card = names.equals("Agent1 Agent1_ Agent1") ? 4 : 0;
            return new Action(me, s.getName(me), ActionType.PLAY, card);
        } catch (IllegalActionException error) {
            throw new IllegalStateException(error);
        }
    }
}
"""


def test_an_agent_knows_its_own_seats_by_their_names_also_when_it_is_audited() -> None:
    request = asked(3, 2)
    first, second = (replace(request.agents[0], sha256=letter * 64) for letter in "ab")
    seatings = (0, 1, 0), (0, 0, 0)
    request = replace(
        request,
        agents=(first, second),
        seating=seatings[0],
        games=tuple(
            replace(game, seating=seating)
            for game, seating in zip(request.games, seatings, strict=True)
        ),
    )
    other = KNOWS_NAMES.replace("Agent1000", "Agent2000")
    uploads = [
        archives.archive({f"{name}.java": text})
        for name, text in {"Agent1000": KNOWS_NAMES, "Agent2000": other}.items()
    ]
    mixed, alone = (result.record for result in played(request, uploads))
    assert (mixed.actions, alone.actions) == ("p4 p0", "p0 p0")
    assert mixed.fault is not None
    assert mixed.fault.detail.endswith("Agent1 Agent1_ Agent1")
    assert alone.fault is not None
    assert alone.fault.detail.endswith("Agent1 Agent1 Agent1")
    audit = AuditRequest(
        audit="audit",
        agent=first,
        seats=(0, 2),
        limits=request.limits,
        games=(AuditedGame(index=0, record=mixed),),
        seed=1,
        seconds=120.0,
    )
    report = audit_games(audit, uploads[0], SLOT)
    assert [seat.conclusion for seat in report.seats] == [Conclusion.SAME] * 2
