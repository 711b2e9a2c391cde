"""Agents in Java against the package ``hanabAI``, in the real sandbox."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from grader.archive import SourceFile, Sources
from grader.deals import deal_seed
from grader.interfaces import interface_named
from grader.records import (
    AgentLimits,
    AgentRef,
    BatchRequest,
    FaultKind,
    GameOrder,
    GameResult,
)
from grader.runner import Slot, open_batch

HERE = Path(__file__).parent
AGENTS = sorted(HERE.glob("agents/Agent*.java"))
UWA = interface_named("uwa-java")
LIMITS = AgentLimits(
    memory_mib=UWA.memory_mib,
    start_seconds=UWA.start_seconds,
    turn_seconds=0.5,
    turn_wall_seconds=1.0,
)
FAULTS = {
    "ReturnsNull": FaultKind.ILLEGAL,
    "DiscardsAtEight": FaultKind.ILLEGAL,
    "LiesInHints": FaultKind.ILLEGAL,
    "BadPosition": FaultKind.ILLEGAL,
    "SomebodyElse": FaultKind.ILLEGAL,
    "Throws": FaultKind.CRASH,
    "Recurses": FaultKind.CRASH,
    "Exits": FaultKind.CRASH,
    "Loops": FaultKind.TIMEOUT,
    "Sleeps": FaultKind.IDLE,
    "Hoards": FaultKind.MEMORY,
    "StartsThread": FaultKind.FORBIDDEN,
    "UsesPool": FaultKind.FORBIDDEN,
    "Executes": FaultKind.CRASH,
}

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine"),
]


def archive(*paths: Path) -> bytes:
    """Files of an agent as they are submitted."""
    files = [SourceFile(path.name, path.read_bytes()) for path in paths]
    return Sources(files=tuple(sorted(files, key=lambda file: file.name))).archive()


def asked(players: int, games: int) -> BatchRequest:
    """Games of one agent in all seats, which no faults stop."""
    return BatchRequest(
        evaluation="uwa",
        batch="uwa",
        game="hanabi",
        options={"variant": "uwa", "players": players},
        limits=LIMITS,
        agents=(AgentRef(interface="uwa-java", sha256="0" * 64),),
        seating=(0,) * players,
        games=tuple(
            GameOrder(index=index, deal_seed=deal_seed(b"uwa" * 8, index).hex())
            for index in range(games)
        ),
        max_consecutive_faults=0,
        check_first=True,
    )


def play(paths: Sequence[Path], *, players: int = 2, games: int = 4) -> list[GameResult]:
    """Play an agent that compiles."""
    with open_batch(asked(players, games), [archive(*paths)], Slot(core=0)) as batch:
        assert batch.builds[0].ok, batch.builds[0].messages
        return list(batch.games())


def told(results: Sequence[GameResult]) -> list[str]:
    """Faults in words, for a test that expects none."""
    return [
        f"{result.record.fault.detail}\n{result.evidence.stderr if result.evidence else ''}"
        for result in results
        if result.record.fault is not None
    ]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_agents_that_look_at_everything_find_all_as_it_should_be(players: int) -> None:
    check = HERE / "agents" / "Check.java"
    for path in AGENTS:
        results = play([path, check], players=players)
        assert told(results) == [], path.stem
        assert len(results) == 4


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_called_by_its_name_and_the_next_game_is_played(name: str) -> None:
    results = play([HERE / "faulty" / f"{name}.java", HERE / "agents" / "Check.java"], games=2)
    kinds = [result.record.fault and result.record.fault.kind for result in results]
    assert kinds == [FAULTS[name]] * 2, told(results)


def test_an_exception_is_told_with_its_file_and_line() -> None:
    path = HERE / "faulty" / "Throws.java"
    (result,) = play([path, HERE / "agents" / "Check.java"], games=1)
    assert result.evidence is not None
    line = 1 + path.read_text().split("\n").index(
        "            return (Action) (Object) nothing.toString();"
    )
    assert f"agents.Throws.doAction(Throws.java:{line})" in result.evidence.stderr
    assert result.record.fault is not None
    assert "NullPointerException" in result.record.fault.detail
    assert "firebox.boot" not in result.evidence.stderr


def test_where_a_loop_was_is_told() -> None:
    (result,) = play([HERE / "faulty" / "Loops.java", HERE / "agents" / "Check.java"], games=1)
    assert result.evidence is not None
    assert "agents.Loops.doAction(Loops.java:" in result.evidence.stderr


def test_nothing_outside_can_be_reached() -> None:
    paths = [HERE / "faulty" / "Contained.java", HERE / "agents" / "Check.java"]
    assert told(play(paths)) == []


def test_compiler_messages_name_file_and_line() -> None:
    request = asked(2, 1)
    with open_batch(request, [archive(HERE / "faulty" / "NoSuchType.java")], Slot(core=0)) as batch:
        (build,) = batch.builds
    assert not build.ok
    (message,) = build.messages
    assert (message.file, message.line) == ("NoSuchType.java", 7)
    assert "bestAction" in message.text


NAMES = {
    "Card": "getColour getValue getCount toString getDeck shuffledDeck equals hashCode",
    "Action": "getPlayer getType getCard getHintReceiver getHintedCards getColour getValue",
    "State": "nextState hideHand legalAction getPlayers getName getHand getPreviousState"
    " getPreviousAction previousCardPlayed getDiscards getFirework getHintTokens getFuseTokens"
    " getObserver getNextPlayer getOrder getFinalActionIndex getScore gameOver clone toString",
    "Colour": "values valueOf",
    "IllegalActionException": "getMessage",
}
"""Everything that the package offers."""


def test_these_agents_call_everything_that_the_package_offers() -> None:
    sources = {path.stem: path.read_text() for path in (HERE / "agents").glob("*.java")}
    for owner, names in NAMES.items():
        for name in names.split():
            callers = [
                stem for stem, text in sources.items() if re.search(rf"(\.|::){name}\b", text)
            ]
            assert callers, f"{owner}.{name}"
