"""Agents in Java, packed, built and played."""

from collections.abc import Sequence
from pathlib import Path

from grader.core.records import AgentLimits, BatchRequest, FaultKind, GameResult
from tests.grader.interfaces.outcomes import played
from tests.support import archives
from tests.support.agents import practice_request
from tests.support.slots import confined

HERE = Path(__file__).parent
PATIENT = AgentLimits(turn_seconds=5.0, turn_wall_seconds=15.0)
"""For agents that must not run out of time, however busy the machine is."""
SLOT = confined()


def archive(*paths: Path) -> bytes:
    return archives.archive({path.name: path.read_text() for path in paths})


def asked(players: int, games: int, limits: AgentLimits = PATIENT) -> BatchRequest:
    """Games of one agent in all seats, which no faults stop."""
    return practice_request(["uwa-java"], range(games), limits=limits, players=players)


def play(paths: Sequence[Path], *, players: int = 2, games: int = 2) -> list[GameResult]:
    return played(asked(players, games), [archive(*paths)])


def told(results: Sequence[GameResult]) -> list[str]:
    return [
        f"{result.record.fault.detail}\n{result.evidence.stderr if result.evidence else ''}"
        for result in results
        if result.record.fault is not None
    ]


def several(*names: str, choice: str = "") -> bytes:
    """Agents of these full names that answer nothing, which is illegal."""
    files = {}
    for full in names:
        package, _, name = full.rpartition(".")
        text = f"package {package};\n" if package else ""
        text += f"import hanabAI.*;\npublic class {name} implements Agent"
        text += " { public Action doAction(State s) { return null; } }\n"
        files[f"{full.replace('.', '/')}.java"] = text
    if choice:
        files["firebox.json"] = choice
    return archives.archive(files)


def outcome(upload: bytes) -> tuple[FaultKind, str]:
    (result,) = played(asked(2, 1), [upload])
    assert result.record.fault is not None
    return result.record.fault.kind, result.record.fault.detail
