"""Plays agents of this interface: in processes, confined or not, as a grader does."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from grader.core.games import game_from_options
from grader.core.records import AgentLimits, BatchRequest, BuildReport, GameResult
from grader.play.batch import open_batch
from grader.play.slot import Slot
from grader.results.evaluation import EvaluationSpec
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
    options = game_from_options("hanabi", {"variant": "cs221", "players": players}).options
    spec = EvaluationSpec(
        game="hanabi",
        options=dict(options),
        limits=limits or AgentLimits(),
        seating=tuple(min(seat, agents - 1) for seat in range(players)),
        n_games=games,
        max_consecutive_faults=0,
    )
    return practice_request(spec, ["cs221-python"] * agents, range(games))


def play(
    *agents: dict[str, str],
    games: int = 1,
    players: int = 3,
    slot: Slot = PLAIN,
    limits: AgentLimits | None = None,
) -> list[GameResult]:
    order = request(games, players, limits, len(agents))
    with open_batch(order, [archive(files) for files in agents], slot) as batch:
        assert batch.playable, batch.builds
        return list(batch.games())


def build(files: dict[str, str], slot: Slot = PLAIN) -> BuildReport:
    with open_batch(request(1, 3), [archive(files)], slot) as batch:
        return batch.builds[0]


def texts(report: BuildReport) -> Sequence[str]:
    return [message.text for message in report.messages]
