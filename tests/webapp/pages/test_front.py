"""The front page: a game and the public boards for visitors, what is due for students."""

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from grader import house
from grader.core.records import to_json
from grader.play.players import LocalPlayer, play_game
from grader.results.replay import game_of, replay
from tests.support import boards, tournaments
from tests.support import world as worlds
from tests.support.pages import read, signed_in
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.pages.front_game import AGENT, shown_record
from webapp.teaching.announcements.services import post
from webapp.teaching.courses.models import Assignment, LeaderboardVisibility

pytestmark = pytest.mark.django_db

BOARD = "/courses/coop/assignments/hanabi/leaderboard/"


def test_the_shown_game_is_what_the_house_agent_plays_by_the_present_rules() -> None:
    record = shown_record()
    replay(record)
    game = game_of(record)
    players = [LocalPlayer(house.agent(AGENT)) for _ in range(game.seats)]
    again = play_game(game, bytes.fromhex(record.deal_seed), players)
    assert (again.actions, again.scores) == (record.actions, record.scores)


def test_a_visitor_is_shown_a_game_whose_data_ask_for_nothing_more() -> None:
    page = read(signed_in(None), "/")
    found = re.search(r"data-stage-game>(.*?)</script>", page)
    assert found is not None
    data = json.loads(found[1])
    assert data["game"] == "hanabi"
    assert len(data["turns"]) == len(shown_record().actions.split())
    assert 'href="/example-game/"' in page
    page = read(signed_in(None), "/example-game/")
    assert "data-viewer-game" in page
    assert "hanab.live" in page
    assert read(signed_in(None), "/example-game/record/").strip() == to_json(shown_record())


@pytest.mark.course
def test_the_front_page_has_public_boards_by_aliases_and_a_students_neighbours() -> None:
    story = copy_of(boards.tell, teams=8)
    page = read(signed_in(None), "/")
    assert "Being played now" in page
    assert page.count('<td class="place">') == 4
    assert BOARD in page
    assert "Lovelace" not in page
    Assignment.objects.update(leaderboard=LeaderboardVisibility.COURSE)
    page = read(signed_in(None), "/")
    assert story.world.assignment.title not in page
    page = read(signed_in(story.world.ada), "/")
    assert 'class="versions"' in page
    assert "full credit from 15" in page
    assert "Around you on the board" in page
    assert page.count('<td class="place">') == 4
    assert "since last Sunday" in page or "You are " in page
    own = Submission.objects.filter(team__users=story.world.ada).latest("number")
    assert page.count(f'href="/submissions/{own.pk}/"') == 1


@pytest.mark.slow
@pytest.mark.parametrize("teams", [8, 60])
def test_the_front_page_takes_few_queries_for_any_number_of_teams(
    teams: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    copy_of(boards.tell, teams=teams)
    client = signed_in(None)
    with django_assert_max_num_queries(12):
        client.get("/")


def test_a_board_without_graded_games_is_shown_by_practice(world: World) -> None:
    Assignment.objects.update(leaderboard=LeaderboardVisibility.PUBLIC)
    worlds.submit_and_practise(world, world.ada)
    page = read(signed_in(None), "/")
    assert "Played recently" in page
    assert "practice games each" in page


def test_the_list_of_boards_has_public_ones_and_those_of_my_courses(world: World) -> None:
    assert "No board is public yet" in read(signed_in(None), "/boards/")
    assert "In your courses" in read(signed_in(world.ada), "/boards/")
    Assignment.objects.update(leaderboard=LeaderboardVisibility.PUBLIC)
    assert BOARD in read(signed_in(None), "/boards/")
    assert read(signed_in(world.ada), "/boards/").count(f'href="{BOARD}"') == 1
    Assignment.objects.update(leaderboard=LeaderboardVisibility.HIDDEN)
    assert BOARD not in read(signed_in(world.ada), "/boards/")


def test_the_list_of_boards_has_the_times_of_each_course(
    world: World, ada_graded: Evaluation
) -> None:
    Evaluation.objects.update(finished_at=datetime(2026, 11, 27, 0, 43, tzinfo=UTC))
    assert ">27 Nov, 01:43</time>" in read(signed_in(world.ada), "/boards/")


def test_a_student_is_told_what_is_due_and_staff_see_their_courses(world: World) -> None:
    page = read(signed_in(world.ada), "/")
    assert "Hello, Ada Lovelace" in page
    assert "No deadline this week. 1 assignment to start." in page
    assert "Upload your first agent" in page
    page = read(signed_in(world.ida), "/")
    assert "<h1>Courses</h1>" in page
    assert "Teams and grading" in page


def test_an_upload_with_faults_is_not_green_on_the_front_page(
    world: World, practised: Submission
) -> None:
    client = signed_in(world.ada)
    page = read(client, "/")
    assert 'class="upload-state ready"' in page
    assert ">Accepted</span>" in page
    worlds.submit_and_practise(world, world.ada, faults={3})
    for address in ("/", "/courses/coop/"):
        assert "Accepted with faults: 1 of 12 games" in read(client, address)
    assert 'class="upload-state ready faulty"' in read(client, "/")


def test_a_student_reads_recent_announcements_of_their_courses(world: World) -> None:
    now = timezone.now()
    for title, days in (("Old news", 15), ("Office hours", 1)):
        at = now - timedelta(days=days)
        post(course=world.course, by=world.ida, title=title, text="On Tuesday.", at=at)
    page = read(signed_in(world.ada), "/")
    assert "Office hours" in page
    assert "Old news" not in page
    assert 'id="news"' not in read(signed_in(world.ida), "/")
    assert "Office hours" not in read(signed_in(worlds.person("Dan")), "/")


@pytest.mark.slow
def test_a_student_finds_the_tournaments_of_their_courses() -> None:
    story = copy_of(tournaments.tell, rounds=4)
    page = read(signed_in(story.world.ada), "/")
    assert f"/tournaments/{story.over.uuid}/" in page
    assert f"/tournaments/{story.running.uuid}/" in page
    assert f"/tournaments/{story.running.uuid}/watch/" not in page
    assert str(story.hidden.uuid) not in page
    Tournament.objects.filter(pk=story.running.pk).update(stage=Stage.RESULTS)
    watch = f"/tournaments/{story.running.uuid}/watch/"
    assert watch in read(signed_in(story.world.ada), "/")
    assert str(story.over.uuid) not in read(signed_in(worlds.person("Dan")), "/")
