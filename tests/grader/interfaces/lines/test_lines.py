"""Programs of other authors, which speak the lines that a game declares, in the real sandbox."""

from pathlib import Path

import pytest

from firebox_games.connect_four import ConnectFour
from firebox_games.gomoku import Gomoku
from firebox_games.othello import Othello
from grader.core.games import GAMES, Game
from grader.core.records import AgentLimits, FaultKind, GameResult
from grader.interfaces import interface_named
from grader.uploads.archive import read_upload
from tests.grader.interfaces import outcomes
from tests.support.agents import practice_request

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]

PROGRAMS = Path(__file__).parent / "programs"
LIMITS = AgentLimits(turn_seconds=0.5, turn_wall_seconds=1.0)
READS = "import sys, time\nfor line in sys.stdin:\n    word = line.split()[0]\n    "
"""The beginning of a Gomocup-like program in Python."""


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in (ConnectFour, Gomoku, Othello):
        monkeypatch.setitem(GAMES, game.name, game)


def played(game: type[Game], *agents: tuple[str, str, str]) -> list[GameResult]:
    archives = [
        read_upload(name, source.encode(), interface_named(interface).upload).archive()
        for interface, name, source in agents
    ]
    interfaces, seating = [interface for interface, _, _ in agents], (0, len(agents) - 1)
    request = practice_request(interfaces, range(3), game=game.name, seating=seating, limits=LIMITS)
    return outcomes.played(request, archives)


def program(interface: str, name: str) -> tuple[str, str, str]:
    return interface, f"main{Path(name).suffix}", (PROGRAMS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("game", "agents"),
    [
        (Gomoku, [program("lines-cpp", "gomocup.cpp"), program("lines-python", "gomocup.py")]),
        (Othello, [program("lines-cpp", "gtp.cpp")]),
    ],
    ids=["gomocup", "gtp"],
)
def test_a_program_plays_unmodified_from_both_sides(
    game: type[Game], agents: list[tuple[str, str, str]]
) -> None:
    results = played(game, *agents)
    assert [(one.record.fault, one.evidence) for one in results] == [(None, None)] * 3
    assert all(max(one.max_charged_us) < 500_000 for one in results)


@pytest.mark.parametrize(
    ("does", "kind", "detail", "turn"),
    [
        ("print('OK' if word == 'START' else 'zero')", FaultKind.MALFORMED,
         "a line such as '{x},{y}' was due, not 'zero'", 0),
        ("print('UNKNOWN')", FaultKind.MALFORMED,
         "a line that begins with 'OK' was due, not 'UNKNOWN'", -1),
        ("print('OK' if word == 'START' else '99,0')", FaultKind.ILLEGAL,
         "not one of the legal actions", 0),
        ("print('OK' if word == 'START' else all(n == 0 for n in iter(int, 1)))",
         FaultKind.TIMEOUT, "", 0),
        ("[print('MESSAGE', time.sleep(0.2)) for _ in range(9) if word != 'START']; print('OK')",
         FaultKind.TIMEOUT, "", 0),
        ("print('OK' if word == 'START' else exit(3))", FaultKind.CRASH, "", 0),
    ],
    ids=["unreadable", "unreadable at the start", "illegal", "slow", "slow with messages", "crash"],
)  # fmt: skip
def test_a_fault_names_the_turn_and_the_line(
    does: str, kind: FaultKind, detail: str, turn: int
) -> None:
    result = played(Gomoku, ("lines-python", "main.py", READS + does))[0]
    fault = result.record.fault
    assert fault is not None
    assert (fault.kind, fault.turn) == (kind, turn), (fault, result.evidence)
    assert detail in fault.detail
    assert result.evidence is not None
    assert result.evidence.sent.startswith("START 15" if turn < 0 else "INFO timeout_turn 500")
