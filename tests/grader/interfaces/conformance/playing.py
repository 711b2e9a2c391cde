"""Plays the agents of one strategy."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from grader.core.deals import REFERENCE_SECRET
from grader.core.games import game_from_options
from grader.core.records import AgentLimits, AgentRef, Mode, Record
from grader.play.batch import open_batch
from grader.results.evaluation import EvaluationSpec, batch_request
from grader.results.replay import game_of
from grader.uploads.archive import SourceFile, Sources
from tests.support.slots import confined

AGENTS: Final = Path(__file__).parent / "agents"
INTERFACE_OF: Final[Mapping[str, str]] = {
    "python": "python",
    "uwa_java": "uwa-java",
    "gcc_cpp": "gcc-cpp",
    "ensta_python": "ensta-python",
    "cs221_python": "cs221-python",
    "cs221_python_2": "cs221-python",
}
"""Each agent of the strategy, by its folder, and what it is written against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """Games of these agents, the first deals of the reference secret."""

    agents: tuple[str, ...]
    """One for each seat, or one for all of them."""
    variant: str
    players: int
    games: int
    mode: Mode | None = None


class Played:
    """Plays what is asked for, each only once."""

    def __init__(self) -> None:
        self._records: dict[Play, list[Record]] = {}

    def records(self, play: Play) -> list[Record]:
        if play not in self._records:
            self._records[play] = records(play)
        return self._records[play]


def records(play: Play) -> list[Record]:
    """Play it in real sandboxes."""
    names = sorted(set(play.agents))
    options = game_from_options("hanabi", {"variant": play.variant, "players": play.players})
    seats = play.agents if len(play.agents) > 1 else play.agents * play.players
    spec = EvaluationSpec(
        game="hanabi",
        options=dict(options.options),
        limits=AgentLimits(),
        seating=tuple(names.index(name) for name in seats),
        n_games=play.games,
        max_consecutive_faults=1,
        mode=play.mode,
    )
    request = batch_request(
        spec,
        evaluation="conformance",
        batch="conformance",
        agents=[AgentRef(interface=INTERFACE_OF[name], sha256="0" * 64) for name in names],
        secret=REFERENCE_SECRET,
        indices=range(play.games),
    )
    with open_batch(request, [archive(name) for name in names], confined()) as batch:
        assert batch.playable, batch.builds
        results = list(batch.games())
    for result in results:
        assert result.record.fault is None, (result.record.fault, result.evidence)
    return [result.record for result in results]


def archive(agent: str) -> bytes:
    files = [path for path in (AGENTS / agent).iterdir() if path.is_file()]
    sources = [SourceFile(path.name, path.read_bytes()) for path in sorted(files)]
    return Sources(tuple(sources)).archive()


def meant(record: Record) -> list[str]:
    """A game's actions with cards for positions: those are counted in other ways, and lie so."""
    game = game_of(record)
    state, words = game.deal(bytes.fromhex(record.deal_seed)), []
    for notation in record.actions.split():
        action: dict[str, Any] = dict(game.parse(notation))
        if "card" in action:
            seat = state.seat_to_act
            assert seat is not None
            action["card"] = state.observe(seat)["hands"][seat]["ids"][action["card"]]
        words.append(" ".join(map(str, action.values())))
        state.apply(game.parse(notation))
    return words
