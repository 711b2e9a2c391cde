"""The house agents: how strong each is, that all of them keep to the rules, and their bundles."""

import ast
import io
import statistics
import zipfile
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest

from firebox import Agent
from grader import house
from grader.core import games
from grader.core.games import game_from_options
from tests.grader.house.table import all_games, play, play_seats, standard
from tests.grader.interfaces.python.transcripts import Playing
from tests.support.depth import deeper
from tests.support.every import every

DEALS = deeper(12, deep=60)
CAREFUL = [name for name in house.family("hanabi").names if name != "random_legal"]
ALLOWED_IMPORTS = {"collections", "dataclasses", "firebox", "functools", "math", "typing"}
SOURCES = sorted(Path(games.__file__).parent.glob("*/agents/*.py"))
FAMILIES = [house.family(game) for game in games.GAMES]
EVERYBODY = [(family, name) for family in FAMILIES for name in family.names]


@cache
def scores(name: str, players: int) -> tuple[int, ...]:
    """The agent's scores in self-play on the same deals as every other agent's."""
    game, agent = standard(players), house.agent(name)
    return tuple(play(game, [agent] * players, index).score for index in range(DEALS))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "weakest_first"),
    [
        (2, ["random_legal", "outer", "iggi", "convention_1", "convention_2"]),
        (3, ["random_legal", "outer", "iggi", "piers", "convention_1", "recommendation"]),
        (5, ["random_legal", "outer", "iggi", "piers", "convention", "recommendation"]),
    ],
)
def test_stronger_agents_have_higher_means(players: int, weakest_first: list[str]) -> None:
    means = [statistics.fmean(scores(name, players)) for name in weakest_first]
    assert all(weak + 0.5 < strong for weak, strong in pairwise(means)), means


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize(
    ("name", "least"), [("convention_1", 20.3), ("convention", 20.5), ("information", 22.0)]
)
def test_the_strong_agents_reach_their_published_means(
    name: str, least: float, players: int
) -> None:
    assert statistics.fmean(scores(name, players)) > least


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("name", CAREFUL)
def test_careful_agents_never_lose_all_lives(name: str, players: int) -> None:
    assert min(scores(name, players)) > 0


@pytest.mark.parametrize("name", house.family("hanabi").names)
@pytest.mark.slow
def test_every_variant_is_played_without_an_illegal_action(name: str) -> None:
    agent = house.agent(name)
    for index, game in enumerate(all_games()):
        play(game, [agent] * game.seats, index)


@pytest.mark.slow
@pytest.mark.parametrize("name", CAREFUL)
def test_a_careful_agent_plays_without_fault_beside_any_partner(name: str) -> None:
    """Every partner is met in each fifth game: in all variants, by all numbers of players."""
    every = deeper(5, deep=1)
    for number, game in enumerate(all_games()):
        for index, partner in enumerate(house.family("hanabi").names):
            if (number + index) % every:
                continue
            agents = [house.agent(name), *[house.agent(partner)] * (game.seats - 1)]
            play(game, agents, index)


@every("name", house.family("hanabi").names)
def test_the_same_deal_is_played_the_same_way_again(name: str) -> None:
    game, agent = standard(3), house.agent(name)
    assert play(game, [agent] * 3, 0) == play(game, [agent] * 3, 0)


@every("path", SOURCES)
def test_nothing_but_firebox_and_a_little_of_the_library_is_imported(path: Path) -> None:
    assert imported_modules(path.read_text()) <= ALLOWED_IMPORTS
    assert len(path.read_text().splitlines()) < 300


def imported_modules(source: str) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add((node.module or "").partition(".")[0])
    return found


def test_every_house_agent_is_an_agent_with_a_description() -> None:
    for family, name in EVERYBODY:
        assert issubclass(family.agent(name), Agent)
        assert family.agent(name).__doc__
        assert not family.names[name].endswith(".")
        assert family.bundle(name) == family.bundle(name)


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    for family in FAMILIES:
        for what in (family.agent, family.bundle):
            with pytest.raises(LookupError, match=f"'deep_blue'; .*{', '.join(family.names)}"):
                what("deep_blue")


class PipeSeat:
    """A seat behind pipes."""

    def __init__(self, playing: Playing) -> None:
        self.playing = playing

    def send(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """Send the message and wait for its reply, if it has one."""
        self.playing.send(message)
        return None if message["type"] == "end" else cast("dict[str, Any]", self.playing.receive())


@pytest.mark.slow
@pytest.mark.parametrize(("family", "name"), EVERYBODY, ids=[name for _, name in EVERYBODY])
def test_a_bundle_plays_as_the_agent_itself_does(
    family: house.AgentFamily, name: str, tmp_path: Path
) -> None:
    with zipfile.ZipFile(io.BytesIO(family.bundle(name))) as archive:
        archive.extractall(tmp_path)
    hearts = game_from_options("hearts", {"hands": 1, "players": 2})
    game = hearts if family is house.family("hearts") else standard(2)
    with Playing(tmp_path) as first, Playing(tmp_path) as second:
        bundled = play_seats(game, [PipeSeat(first), PipeSeat(second)], 1)
        assert first.finish() == second.finish() == (0, "")
    assert bundled == play(game, [family.agent(name)] * 2, 1)
