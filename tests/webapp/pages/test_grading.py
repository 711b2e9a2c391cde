"""The page on which staff have teams graded: its question, and what it starts."""

import pytest
from pytest_django import DjangoAssertNumQueries

from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, read, signed_in, text_of
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment, Team

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
STAFF = ASSIGNMENT + "teams/"


def test_grading_asks_first_and_says_what_it_will_do(world: World, practised: Submission) -> None:
    worlds.upload(world, world.ben)
    page = read(signed_in(world.ida), ASSIGNMENT + "grade/confirm/")
    assert "1 submission will be played" in page
    assert "Still being tested:</strong> Ben Okri." in page
    client = signed_in(world.ida)
    page = read(client, ASSIGNMENT + "grade/confirm/")
    assert "Every team can still submit." in page
    assert "Start anyway" in page
    assert "This team can still submit." in read(
        client, f"{ASSIGNMENT}grade/confirm/?team={worlds.team_of(world, world.ada).pk}"
    )
    page = read(client, ASSIGNMENT + "grade/confirm/")
    assert "100 points for a mean of at least 15" in page
    assert "None has been played on these deals." in page
    client.post(ASSIGNMENT + "house/", {"name": "iggi"})
    mean = worlds.play(Evaluation.objects.get(house_agent="iggi")).mean
    page = read(client, ASSIGNMENT + "grade/confirm/")
    assert f'<code>iggi</code> <span class="num nowrap">{mean:.2f}' in page
    page = read(client, ASSIGNMENT + "grade/confirm/")
    assert "Students see their points at once." in page
    assert "hide that first" in page
    Assignment.objects.update(leaderboard="hidden")
    assert "hide that first" not in read(client, ASSIGNMENT + "grade/confirm/")
    worlds.grade(world, world.ada)
    assert "Your grade" in read(signed_in(world.ada), ASSIGNMENT)


def test_before_grading_a_team_in_test_is_told_from_one_without_an_upload(world: World) -> None:
    client = signed_in(world.ida)
    worlds.team_of(world, world.ben)
    page = read(client, ASSIGNMENT + "grade/confirm/")
    assert "No team has an accepted upload before the deadline." in page
    assert "Still being tested" not in page
    worlds.upload(world, world.ada)
    page = read(client, ASSIGNMENT + "grade/confirm/")
    assert "Still being tested: Ada Lovelace." in page
    team = worlds.team_of(world, world.ada).pk
    page = read(client, f"{ASSIGNMENT}grade/confirm/?team={team}")
    assert "This team’s upload is still being tested." in page
    assert "still being tested" in read(client, STAFF)
    worlds.submit_and_practise(world, world.ada)
    page = read(client, ASSIGNMENT + "grade/confirm/")
    assert "No accepted upload before the deadline: Ben Okri." in page


def test_a_newer_upload_that_is_still_in_its_test_is_said_before_grading(
    world: World, practised: Submission
) -> None:
    worlds.upload(world, world.ada)
    client = signed_in(world.ida)
    page = read(client, ASSIGNMENT + "grade/confirm/")
    assert "A newer upload of Ada Lovelace is still being tested: submission 2." in page
    assert "Submission 1 would be played now." in page
    assert "2 is still being tested" in read(client, STAFF)


def test_after_the_due_date_only_extensions_are_warned_of(
    world: World, practised: Submission
) -> None:
    worlds.submit_and_practise(world, world.ben)
    opens, due = "2020-01-01T00:00Z", "2099-02-01T00:00Z"
    Team.objects.filter(users=world.ben).update(extended_due_at=due)
    Assignment.objects.update(opens_at=opens, due_at="2026-01-01T00:00Z")
    Submission.objects.update(uploaded_at="2025-01-01T00:00Z")
    page = read(signed_in(world.ida), ASSIGNMENT + "grade/confirm/")
    assert "1 team can still submit." in page
    assert "all but Ben Okri" in page
    Team.objects.update(extended_due_at=None)
    page = read(signed_in(world.ida), ASSIGNMENT + "grade/confirm/")
    assert "can still submit" not in page


def test_figures_of_a_teams_row_are_of_the_submission_named_with_them(
    world: World, practised: Submission
) -> None:
    grade = worlds.grade(world, world.ada, agent="piers")
    worlds.submit_and_practise(world, world.ada)
    client = signed_in(world.ida)
    client.post(ASSIGNMENT + "grade/")
    team = worlds.team_of(world, world.ada).pk
    row = read(client, STAFF).partition(f'id="counted-{team}"')[2].partition("</tr>")[0]
    assert ">2</a>" in row
    figures, state = row.split("queued")
    assert f"{grade.mean:.2f}" in figures
    assert "submission 1" in figures
    assert "0 of" in state


def test_grading_all_starts_one_evaluation_a_team(world: World, practised: Submission) -> None:
    worlds.submit_and_practise(world, world.ben)
    page = text_of(signed_in(world.ida).post(ASSIGNMENT + "grade/", follow=True))
    assert "2 evaluations are queued" in page
    assert Evaluation.objects.filter(kind="graded").count() == 2
    assert "hx-get=" in page


def test_grading_one_team_leaves_the_others_alone(world: World, practised: Submission) -> None:
    worlds.submit_and_practise(world, world.ben)
    team = worlds.team_of(world, world.ben)
    signed_in(world.cleo).post(ASSIGNMENT + "grade/", {"team": str(team.pk)})
    graded = Evaluation.objects.get(kind="graded")
    assert graded.submission is not None
    assert graded.submission.team == team


def test_teams_that_were_left_alone_are_named_with_the_reason(
    world: World, practised: Submission
) -> None:
    worlds.submit_and_practise(world, world.ben)
    client = signed_in(world.ida)
    client.post(ASSIGNMENT + "grade/", {"team": str(worlds.team_of(world, world.ada).pk)})
    page = text_of(client.post(ASSIGNMENT + "grade/", follow=True))
    assert "1 evaluation is queued." in page
    assert "Ada Lovelace was skipped. A graded evaluation of this agent is under way." in page


def test_house_agents_are_evaluated_as_reference_lines(world: World) -> None:
    signed_in(world.ida).post(ASSIGNMENT + "house/", {"name": "outer"})
    assert Evaluation.objects.get(house_agent="outer").kind == "graded"
    response = signed_in(world.ida).post(ASSIGNMENT + "grade/", {"team": "999999"})
    assert response.status_code == 404


def test_the_staff_page_stops_polling_when_all_is_played(
    world: World, ada_graded: Evaluation
) -> None:
    client = signed_in(world.ida)
    assert "hx-get=" not in read(client, STAFF)
    assert "hx-get=" not in read(client, STAFF + "live/")


@pytest.mark.parametrize("teams", [1, 3])
def test_the_staff_page_takes_the_same_queries_for_any_number_of_teams(
    teams: int, world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for user in (world.ada, world.ben, world.cleo)[:teams]:
        worlds.submit_and_practise(world, user)
        worlds.grade(world, user)
    client = signed_in(world.ida)
    with django_assert_num_queries(35):
        client.get(STAFF)
