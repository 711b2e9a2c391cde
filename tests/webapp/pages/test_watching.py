"""Polling pages ask once, and get only what has changed."""

from dataclasses import dataclass

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from tests.support import world as worlds
from tests.support.grading import grade_teams
from tests.support.pages import ASSIGNMENT, signed_in, text_of
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.services.insights import compute_insights_of
from webapp.grading.evaluations.watching import latest_of_each_kind, watched_evaluation
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment

pytestmark = pytest.mark.django_db


@dataclass
class Watcher:
    """A page in a browser, as far as it polls."""

    client: Client
    address: str
    tag: str = ""

    def poll(self) -> HttpResponse:
        headers = {"HX-Request": "true"} | ({"If-None-Match": self.tag} if self.tag else {})
        response = self.client.get(self.address, headers=headers)
        self.tag = response.headers.get("ETag", self.tag)
        return response


@pytest.fixture
def submission(world: World) -> Submission:
    return worlds.upload(world, world.ada)


@pytest.fixture
def smoke(submission: Submission) -> Evaluation:
    return submission.evaluations.get()


@pytest.fixture
def watcher(world: World, submission: Submission) -> Watcher:
    """Ada, who has the page of her submission open."""
    watcher = Watcher(signed_in(world.ada), f"/submissions/{submission.pk}/live/")
    watcher.poll()
    return watcher


def test_the_page_sends_its_tag_and_gets_nothing_while_nothing_changes(
    watcher: Watcher, world: World, submission: Submission
) -> None:
    response = watcher.poll()
    assert (response.status_code, response.content) == (304, b"")
    page = text_of(signed_in(world.ada).get(f"/submissions/{submission.pk}/"))
    assert watcher.tag.replace('"', "\\&quot;") in page
    watcher.client = signed_in(world.ben)
    assert watcher.poll().status_code == 404


def test_only_numbers_are_sent_while_games_come_in(smoke: Evaluation, watcher: Watcher) -> None:
    worlds.play(smoke, upto=1)
    watcher.poll()
    worlds.play(smoke, upto=2)
    response = watcher.poll()
    assert f'id="progress-{smoke.uuid}" class="progress" hx-swap-oob="true"' in text_of(response)
    assert "2 of 3 games" in text_of(response)
    assert 'id="live"' not in text_of(response)
    assert watcher.poll().status_code == 304


def test_the_whole_part_is_sent_when_a_step_is_done(
    smoke: Evaluation, watcher: Watcher, submission: Submission
) -> None:
    worlds.play(smoke)
    response = watcher.poll()
    assert 'id="live"' in text_of(response)
    assert (response["HX-Retarget"], response["HX-Reswap"]) == ("#live", "outerHTML")
    worlds.play(submission.evaluations.get(kind="practice"))
    response = watcher.poll()
    assert response["HX-Retarget"] == "#live"
    assert "hx-get" not in text_of(response)


def test_statistics_take_the_place_of_the_words_that_they_are_computed(
    smoke: Evaluation, watcher: Watcher
) -> None:
    worlds.play(smoke)
    Evaluation.objects.update(insights=None)
    watcher.address = f"/evaluations/{smoke.uuid}/live/"
    assert "This is being computed." in text_of(watcher.poll())
    compute_insights_of(str(smoke.uuid))
    assert "This is being computed." not in text_of(watcher.poll())


def test_a_queued_submission_is_polled_less_often(smoke: Evaluation, watcher: Watcher) -> None:
    watcher.tag = ""
    assert 'hx-trigger="every 5s"' in text_of(watcher.poll())
    worlds.play(smoke, upto=1)
    assert 'hx-trigger="every 1.5s"' in text_of(watcher.poll())


@pytest.mark.parametrize("upto", [None, 1])
def test_a_poll_takes_three_queries(
    upto: int | None,
    world: World,
    smoke: Evaluation,
    watcher: Watcher,
    settings: Settings,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    settings.QUEUE_CACHE_SECONDS = 60.0
    if upto:
        worlds.play(smoke, upto=upto)
    watcher.poll()
    for address in (
        watcher.address,
        f"/evaluations/{smoke.uuid}/live/",
        ASSIGNMENT + "submissions/",
    ):
        other = Watcher(watcher.client, address)
        other.poll()
        with django_assert_num_queries(3):
            assert other.poll().status_code == 304


def test_a_page_on_all_teams_is_told_when_one_of_them_gets_on(
    world: World, smoke: Evaluation, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    worlds.play(smoke)
    (evaluation,) = grade_teams(world.assignment, world.ida)
    watcher = Watcher(signed_in(world.ida), ASSIGNMENT + "teams/live/")
    watcher.poll()
    with django_assert_num_queries(3):
        assert watcher.poll().status_code == 304
    worlds.play(evaluation, upto=1)
    assert 'id="live"' in text_of(watcher.poll())


def test_nobody_watches_their_own_held_grade(world: World, smoke: Evaluation) -> None:
    worlds.play(smoke)
    (graded,) = grade_teams(world.assignment, world.ida)
    assert watched_evaluation(world.ada, graded.uuid) == graded
    Assignment.objects.update(holds_grades=True)
    assert watched_evaluation(world.ada, graded.uuid) is None
    assert watched_evaluation(world.ida, graded.uuid) == graded
    kinds = [one.kind for one in latest_of_each_kind(world.ada, smoke.submission_id or 0)]
    assert kinds == [Kind.SMOKE, Kind.PRACTICE]


@pytest.mark.parametrize("place", ["leaderboard/live/", "ladder/live/"])
def test_a_board_that_polls_says_that_its_session_is_over(place: str, world: World) -> None:
    stranger = worlds.person("Vic")
    assert Watcher(signed_in(None), ASSIGNMENT + place).poll().status_code == 401
    assert Watcher(signed_in(stranger), ASSIGNMENT + place).poll().status_code == 404
    assert signed_in(None).get(ASSIGNMENT + place).status_code == 404
