"""House agents of every interface, by name."""

import re
from importlib import resources

import pytest

from grader import house
from grader.core.games import GAMES, game_from_options
from grader.house.catalogue import AGENTS, fitting, measured, title_of
from grader.interfaces import interface_named
from grader.interfaces.recognise import recognise
from grader.uploads.archive import read_upload
from tests.support.every import every


@every("name", AGENTS)
def test_every_house_agent_is_an_upload_for_its_interface(name: str) -> None:
    agent = AGENTS[name]
    shape = interface_named(agent.interface).upload
    assert read_upload("house.zip", agent.bundle(), shape).files
    recognised, _ = recognise("house.zip", agent.bundle(), [agent.interface])
    assert recognised.name == agent.interface


def test_the_strategies_of_the_paper_play_by_their_own_rules_alone() -> None:
    paper = {name for name in AGENTS if name.startswith("cs221/")}
    assert len(paper) == 5
    by_rules = {
        variant: set(fitting(game_from_options("hanabi", {"variant": variant})))
        for variant in ("standard", "cs221")
    }
    assert by_rules == {
        "standard": set(house.family("hanabi").names),
        "cs221": set(house.family("hanabi").names) | paper,
    }


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_four_house_agents_that_play_its_standard_rules(name: str) -> None:
    fit = fitting(game_from_options(name, {"variant": "standard"}))
    assert len(fit) >= 4
    assert {each.game for each in fit.values()} == {name}


def test_only_cooperative_games_have_means_with_copies() -> None:
    assert list(measured("hanabi")) == list(house.family("hanabi").names)
    assert not measured("hearts")


@every(
    "name",
    [name for name in AGENTS if AGENTS[name].game and not name.startswith("cs221/")],
)
def test_the_readme_says_what_an_agent_does(name: str) -> None:
    """Agents of the paper have a README of their own, and the one of any game needs none."""
    folder = resources.files(house.family(AGENTS[name].game).package)
    readme = (folder / "README.md").read_text()
    ideas = "".join(re.findall(r"^\| agent \| idea \|\n((?:\|.+\n)+)", readme, re.MULTILINE))
    assert f"\n| `{name.rpartition('/')[2]}` | " in ideas


@every("name", AGENTS)
def test_every_name_fits_into_a_row_and_has_a_description(name: str) -> None:
    assert len(name) <= 40
    assert AGENTS[name].description


def test_people_know_an_agent_by_a_name_of_its_own() -> None:
    for game in {agent.game for agent in AGENTS.values()}:
        titles = [agent.title for agent in AGENTS.values() if agent.game == game]
        assert len(titles) == len(set(titles))
    assert AGENTS["piers"].introduction == "Piers, a careful partner"
    assert [title_of(name) for name in ("hearts/sampling", "Amber Avocet")] == [
        "Sam", "Amber Avocet"
    ]  # fmt: skip
