"""Plays agents of this interface: in processes, confined or not, as a grader does."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from grader.core.records import AgentLimits, BatchRequest, BuildReport, GameResult
from grader.play.batch import open_batch
from grader.play.slot import Slot
from tests.grader.interfaces.outcomes import played
from tests.support.agents import practice_request
from tests.support.archives import archive
from tests.support.slots import UNCONFINED, confined

AGENTS = Path(__file__).parent / "agents"
python_2 = pytest.mark.skipif(
    find_spec("lib2to3") is None,
    reason="Python from 3.13 on has no lib2to3; that of the sandbox has, and is tested with it",
)
PLAIN = UNCONFINED
BOXED = confined()


def files_of(name: str) -> dict[str, str]:
    """A test agent's files: one file, or a folder of them."""
    path = AGENTS / name
    if path.is_file():
        return {path.name: path.read_text()}
    return {
        each.relative_to(path).as_posix(): each.read_text() for each in sorted(path.rglob("*.py"))
    }


def request(
    games: int, players: int, limits: AgentLimits | None = None, agents: int = 1
) -> BatchRequest:
    seating = [min(seat, agents - 1) for seat in range(players)]
    interfaces = ["cs221-python"] * agents
    return practice_request(
        interfaces, range(games), seating=seating, limits=limits, players=players
    )


def play(
    *agents: dict[str, str],
    games: int = 1,
    players: int = 3,
    slot: Slot = PLAIN,
    limits: AgentLimits | None = None,
) -> list[GameResult]:
    order = request(games, players, limits, len(agents))
    return played(order, [archive(files) for files in agents], slot)


def build(files: dict[str, str], slot: Slot = PLAIN) -> BuildReport:
    with open_batch(request(1, 3), [archive(files)], slot) as batch:
        return batch.builds[0]


def texts(report: BuildReport) -> Sequence[str]:
    return [message.text for message in report.messages]
