"""Two games on one deal, side by side, for readers who may see both."""

import json
import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from grader.core.games import GAMES
from tests.support import opponents
from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, signed_in, text_of
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.grading.evaluations.comparing import game_on_same_deal, games_apart
from webapp.grading.evaluations.models import Evaluation

DATA = re.compile(r"<script type=\"application/json\" data-viewer-game>(.*?)</script>", re.DOTALL)


def practised() -> tuple[World, list[Evaluation]]:
    """Make a world, and two of Ada's submissions on the practice deals."""
    world, agents = worlds.make(), ("iggi", "outer")
    submissions = [worlds.submit_and_practise(world, world.ada, agent=agent) for agent in agents]
    return world, [each.evaluations.get(kind="practice") for each in submissions]


@pytest.fixture
def pair(db: None) -> tuple[World, list[Evaluation]]:
    """A copy of what ``practised`` makes."""
    return copy_of(practised)


@pytest.fixture
def world(pair: tuple[World, list[Evaluation]]) -> World:
    """The world that the two submissions are in."""
    return pair[0]


@pytest.fixture
def versions(pair: tuple[World, list[Evaluation]]) -> list[Evaluation]:
    """The practice of both."""
    return pair[1]


def address(ours: Evaluation, index: int, other: Evaluation) -> str:
    return f"/evaluations/{ours.uuid}/games/{index}/beside/{other.uuid}/"


def games_of(client: Client, page: str) -> list[Any]:
    return [json.loads(text) for text in DATA.findall(text_of(client.get(page)))]


def test_both_games_are_sent_with_the_same_deal(versions: list[Evaluation], world: World) -> None:
    games = games_of(signed_in(world.ada), address(versions[0], 3, versions[1]))
    assert [game["label"] for game in games] == [each.agent_name for each in versions]
    assert games[0]["first"]["hand0"] == games[1]["first"]["hand0"]
    assert games[0]["turns"] != games[1]["turns"]
    scores = [each.results.get(index=3).score for each in versions]
    assert [game["scores"][0] for game in games] == scores
    page = f"/evaluations/{versions[1].uuid}/games/3/beside/"
    for name in ("", "nonsense"):
        assert signed_in(world.ada).get(page, {"with": name}).status_code == 404


def test_output_is_sent_with_its_own_game(world: World) -> None:
    kinds = ({4}, set[int]())
    submissions = [worlds.submit_and_practise(world, world.ada, prints=kept) for kept in kinds]
    talks, quiet = (each.evaluations.get(kind="practice") for each in submissions)
    games = games_of(signed_in(world.ada), address(talks, 4, quiet))
    assert games[0]["printed"][3] == [3, 1, "thinking about turn 3 <script>\n"]
    assert games[1]["printed"] == []


def test_games_of_other_rules_say_so(
    versions: list[Evaluation], world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GAMES["hanabi"], "rules_version", 2)
    page = text_of(signed_in(world.ada).get(address(versions[0], 3, versions[1])))
    assert "These games cannot be shown: played by version 1 of the rules of hanabi" in page
    assert DATA.findall(page) == []


def test_a_game_offers_those_that_can_stand_beside_it(
    versions: list[Evaluation], world: World
) -> None:
    worlds.submit_and_practise(world, world.ben)
    client = signed_in(world.ada)
    page = text_of(client.get(f"/evaluations/{versions[1].uuid}/games/3/"))
    offered = re.findall(r'<option value="([^"]+)"', page)
    assert offered == [str(versions[0].uuid)]
    chosen = client.get(f"/evaluations/{versions[1].uuid}/games/3/beside/", {"with": offered[0]})
    assert chosen["Location"] == address(versions[1], 3, versions[0])


def test_a_games_page_takes_as_many_queries_for_any_number_of_others(
    versions: list[Evaluation], world: World, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for agent in ("iggi", "piers"):
        worlds.submit_and_practise(world, world.ben, agent=agent)
    client = signed_in(world.ida)
    with django_assert_max_num_queries(10):
        page = text_of(client.get(f"/evaluations/{versions[1].uuid}/games/3/"))
    assert page.count("<option") == 3


def test_the_comparison_leads_to_the_games_that_differ_most(
    versions: list[Evaluation], world: World
) -> None:
    apart = games_apart(*versions, limit=3)
    assert len(apart) == 3
    gaps = [abs(game.score - game.other_score) for game in apart]
    assert gaps == sorted(gaps, reverse=True)
    for game in apart:
        scores = [each.results.get(index=game.index).score for each in versions]
        assert scores == [game.score, game.other_score]
    address_of_pair = f"{ASSIGNMENT}compare/?a={versions[0].uuid}&b={versions[1].uuid}"
    page = text_of(signed_in(world.ada).get(address_of_pair))
    assert address(versions[0], apart[0].index, versions[1]) in page


def test_the_comparison_of_secret_deals_leads_to_no_games(world: World) -> None:
    agents = {world.ada: "iggi", world.ben: "outer"}
    for user in agents:
        worlds.submit_and_practise(world, user)
    graded = [worlds.grade(world, user, agent=agent) for user, agent in agents.items()]
    query = f"{ASSIGNMENT}compare/?a={graded[0].uuid}&b={graded[1].uuid}"
    assert "/beside/" in text_of(signed_in(world.ida).get(query))
    assert "/beside/" not in text_of(signed_in(world.ada).get(query))


def test_anothers_game_cannot_be_seen_beside_ones_own(
    versions: list[Evaluation], world: World
) -> None:
    submission = worlds.submit_and_practise(world, world.ben)
    other = submission.evaluations.get(kind="practice")
    assert signed_in(world.ada).get(address(versions[0], 0, other)).status_code == 404
    assert signed_in(world.ben).get(address(versions[0], 0, other)).status_code == 404
    assert len(games_of(signed_in(world.ida), address(versions[0], 0, other))) == 2
    assert signed_in(None).get(address(versions[0], 0, other)).status_code == 302


def test_a_graded_game_is_shown_to_students_once_its_deals_are_revealed(world: World) -> None:
    worlds.submit_and_practise(world, world.ada)
    worlds.submit_and_practise(world, world.ben)
    graded = [worlds.grade(world, user) for user in (world.ada, world.ben)]
    assert signed_in(world.ada).get(address(graded[0], 0, graded[1])).status_code == 403
    assert len(games_of(signed_in(world.ida), address(graded[0], 0, graded[1]))) == 2


def test_games_on_other_deals_are_not_found(versions: list[Evaluation], world: World) -> None:
    smoke = versions[0].submission.evaluations.get(kind="smoke")
    client = signed_in(world.ada)
    assert client.get(address(versions[0], 0, smoke)).status_code == 404
    assert client.get(address(versions[0], 0, versions[0])).status_code == 404
    assert client.get(address(versions[0], 999, versions[1])).status_code == 404


def test_a_game_that_was_not_played_is_not_found(versions: list[Evaluation], world: World) -> None:
    versions[1].results.filter(index=3).update(packed=b"", ending="stopped")
    assert signed_in(world.ada).get(address(versions[0], 3, versions[1])).status_code == 404


@pytest.mark.slow
def test_against_opponents_the_same_seat_is_looked_for(db: None) -> None:
    table = copy_of(opponents.tell, games=4)
    ben = Evaluation.objects.get(kind="graded", submission__team__memberships__user=table.world.ben)
    for index in range(table.grade.n_games):
        assert game_on_same_deal(table.grade, index, ben) == index
