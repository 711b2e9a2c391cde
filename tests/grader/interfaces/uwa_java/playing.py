"""Agents in Java, packed, built and played."""

from collections.abc import Sequence
from pathlib import Path

from grader.core.deals import deal_seed
from grader.core.records import (
    AgentLimits,
    AgentRef,
    BatchRequest,
    FaultKind,
    GameRequest,
    GameResult,
)
from grader.play.batch import open_batch
from grader.uploads.archive import SourceFile, Sources
from tests.support.slots import confined

HERE = Path(__file__).parent
PATIENT = AgentLimits(turn_seconds=5.0, turn_wall_seconds=15.0)
"""For agents that must not run out of time, however busy the machine is."""
SLOT = confined()


def archive(*paths: Path) -> bytes:
    files = [SourceFile(path.name, path.read_bytes()) for path in paths]
    return Sources(files=tuple(sorted(files, key=lambda file: file.name))).archive()


def asked(players: int, games: int, limits: AgentLimits = PATIENT) -> BatchRequest:
    """Games of one agent in all seats, which no faults stop."""
    return BatchRequest(
        evaluation="uwa",
        batch="uwa",
        game="hanabi",
        options={"variant": "uwa", "players": players},
        limits=limits,
        agents=(AgentRef(interface="uwa-java", sha256="0" * 64),),
        seating=(0,) * players,
        games=tuple(
            GameRequest(index=index, deal_seed=deal_seed(b"uwa" * 8, index).hex())
            for index in range(games)
        ),
        max_consecutive_faults=0,
        check_first=True,
    )


def play(paths: Sequence[Path], *, players: int = 2, games: int = 2) -> list[GameResult]:
    with open_batch(asked(players, games), [archive(*paths)], SLOT) as batch:
        assert batch.builds[0].ok, batch.builds[0].messages
        return list(batch.games())


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
        text = f"package {package};\nimport hanabAI.*;\npublic class {name} implements Agent"
        text += " { public Action doAction(State s) { return null; } }\n"
        files[f"{full.replace('.', '/')}.java"] = text.encode()
    if choice:
        files["firebox.json"] = choice.encode()
    return Sources(tuple(SourceFile(name, files[name]) for name in sorted(files))).archive()


def outcome(upload: bytes) -> tuple[FaultKind, str]:
    with open_batch(asked(2, 1), [upload], SLOT) as batch:
        assert batch.builds[0].ok, batch.builds[0].messages
        (result,) = batch.games()
    assert result.record.fault is not None
    return result.record.fault.kind, result.record.fault.detail
