"""Watching games: the newest one, the one after it, and permissions."""

import pytest

from tests.support import tournaments as cups
from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation


@pytest.fixture
def practice(world: World) -> Evaluation:
    """Ada's, of which five games are in."""
    submission = worlds.upload(world, world.ada)
    worlds.play(submission.evaluations.get())
    return worlds.play(submission.evaluations.get(kind="practice"), upto=5)


def test_the_address_leads_to_the_newest_game_and_the_next_is_told_once_it_is_in(
    practice: Evaluation, world: World
) -> None:
    base = f"/evaluations/{practice.uuid}/"
    client = signed_in(world.ada)
    response = client.get(base + "watch/")
    assert response["Location"] == base + "games/4/?watch=1"
    page = text_of(client.get(response["Location"]))
    key = practice.results.get(index=4).pk
    assert f'data-watch-next="{base}watch/next/?after={key}"' in page
    assert "js/watch.js" in page
    assert "js/watch.js" not in text_of(client.get(base + "games/4/"))
    base, client = f"/evaluations/{practice.uuid}/", signed_in(world.ada)
    address = f"{base}watch/next/?after={practice.results.get(index=4).pk}"
    assert client.get(address).json() == {"address": "", "over": False}
    worlds.play(practice)
    assert client.get(address).json() == {"address": base + "games/11/?watch=1", "over": True}
    last = f"{base}watch/next/?after={practice.results.get(index=11).pk}"
    assert client.get(last).json() == {"address": "", "over": True}


def test_before_the_first_game_one_is_told_so(world: World) -> None:
    submission = worlds.upload(world, world.ada)
    smoke = submission.evaluations.get()
    response = signed_in(world.ada).get(f"/evaluations/{smoke.uuid}/watch/", follow=True)
    assert response.request["PATH_INFO"] == f"/evaluations/{smoke.uuid}/"
    assert "No game has been reported yet." in text_of(response)


def test_people_who_may_not_see_games_cannot_watch_them(practice: Evaluation, world: World) -> None:
    worlds.play(practice)
    graded = worlds.grade(world, world.ada)
    for rest in ("watch/", "watch/next/"):
        assert signed_in(world.ben).get(f"/evaluations/{practice.uuid}/{rest}").status_code == 404
        assert signed_in(world.ada).get(f"/evaluations/{graded.uuid}/{rest}").status_code == 403
        assert signed_in(None).get(f"/evaluations/{practice.uuid}/{rest}").status_code == 302
    assert signed_in(world.ida).get(f"/evaluations/{graded.uuid}/watch/").status_code == 302


@pytest.mark.slow
def test_a_tournament_is_watched_by_whom_its_results_are_for(db: None) -> None:
    cup = copy_of(cups.tell, rounds=4)
    pages = {name: (user, page) for name, user, page in cup.pages()}
    ida, page = pages["staff-tournament-game-spoiled"]
    base = page.partition("games/")[0]
    first = signed_in(ida).get(base + "watch/")["Location"]
    assert first.startswith(base + "games/")
    assert "data-watch-next" in text_of(signed_in(ida).get(first))
    assert signed_in(ida).get(base + "watch/next/?after=999999999").json()["address"] == ""
