"""Plays the agents of one strategy."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from grader.core.records import Mode, Record
from grader.results.replay import game_of
from tests.grader.interfaces.outcomes import played
from tests.support.agents import practice_request
from tests.support.archives import archive_of

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
    """Games of these agents, the first practice deals."""

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
    names = sorted(set(play.agents))
    seats = play.agents if len(play.agents) > 1 else play.agents * play.players
    request = practice_request(
        *([INTERFACE_OF[name] for name in names], range(play.games)),
        seating=[names.index(name) for name in seats],
        mode=play.mode,
        variant=play.variant,
        players=play.players,
    )
    results = played(request, [archive(name) for name in names])
    for result in results:
        assert result.record.fault is None, (result.record.fault, result.evidence)
    return [result.record for result in results]


def archive(agent: str) -> bytes:
    return archive_of(AGENTS / agent)


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
