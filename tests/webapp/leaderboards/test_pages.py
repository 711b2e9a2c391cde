"""Pages of a board, search, last week's ranks, games under way, and the cost of all that."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import combinations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.support import boards
from tests.support.grading import grade_teams
from tests.support.templates import copy_of
from tests.webapp import fakes
from tests.webapp.fakes import steady
from webapp.contests.leaderboards.agents import agent_page
from webapp.contests.leaderboards.entries import last_sunday, version
from webapp.contests.leaderboards.selectors import standings
from webapp.contests.leaderboards.values import Selection
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Choice, Submission
from webapp.grading.submissions.services.own_choice import choose_submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.deadlines import DeadlineRule
from webapp.teaching.courses.models import Assignment, Course, Section, Team
from webapp.teaching.courses.services import hold_grades, release_grades, take_back_release

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def test_a_page_has_some_rows_and_ranks_are_those_of_all(
    assignment: Assignment, ida: User, ada: User, graded_teams: Callable[..., dict[str, Team]]
) -> None:
    names = ("Ben", "Cy", "Ada", "Zebulon")
    teams = graded_teams({name: steady(20 - at) for at, name in enumerate(names)})
    board = standings(assignment, ida, selection=Selection(page=2, size=3))
    assert [(row.rank, row.names) for row in board.rows] == [(4, ("Zebulon",))]
    assert (board.n_teams, board.page, board.n_pages) == (4, 2, 2)
    assert standings(assignment, ida, selection=Selection(page=99)).page == 1
    around = standings(assignment, ada, selection=Selection(around=True, size=2))
    assert [row.rank for row in around.rows] == [2, 3]
    part = teams["Cy"].alias.upper()[2:]
    found = standings(assignment, ada, selection=Selection(find=part))
    assert [(row.rank, row.alias) for row in found.rows] == [(2, teams["Cy"].alias)]
    by_name = Selection(find="zebu")
    assert len(standings(assignment, ida, selection=by_name).rows) == 1
    assert standings(assignment, ada, selection=by_name).rows == ()  # a student sees no names


def test_ranks_are_compared_with_those_of_last_sunday(
    assignment: Assignment, ida: User, graded_teams: Callable[..., dict[str, Team]]
) -> None:
    teams = graded_teams({"Ada": steady(20), "Ben": steady(15), "Cy": steady(10)})
    long_ago = timezone.now() - timedelta(days=8)
    Grade.objects.filter(team__in=[teams["Ben"], teams["Cy"]]).update(graded_at=long_ago)
    board = standings(assignment, ida)
    assert [(row.rank, row.change) for row in board.rows] == [(1, None), (2, -1), (3, -1)]
    assert [row.fell for row in board.rows] == [0, 1, 1]


@pytest.mark.parametrize(
    ("now", "sunday"),
    [
        ("2026-11-25T12:00", "2026-11-22T00:00"),
        ("2026-11-22T00:00", "2026-11-22T00:00"),
        ("2026-11-21T23:59", "2026-11-15T00:00"),
        ("2026-10-26T10:00", "2026-10-25T00:00"),
    ],
)
def test_a_week_begins_on_sunday_in_the_courses_zone(now: str, sunday: str) -> None:
    course = Course(timezone="Europe/Berlin")
    moment = datetime.fromisoformat(now).replace(tzinfo=course.tz)
    assert last_sunday(course, moment) == datetime.fromisoformat(sunday).replace(tzinfo=course.tz)


def test_games_that_come_in_are_shown_beside_the_row_and_move_nothing() -> None:
    story = copy_of(boards.tell, teams=8)
    rows = standings(story.world.assignment, story.world.ada).rows
    (live,) = [row for row in rows if row.playing]
    assert story.live is not None
    assert (live.alias, live.playing.games_done, live.playing.n_games) == (
        story.live.alias,
        312,
        1000,
    )
    mean, low = live.playing.mean, live.playing.low
    assert mean == pytest.approx(19.5)
    assert low is not None
    assert 19.3 < low < 19.45
    assert [row.rank for row in rows] == sorted(row.rank or 0 for row in rows)


def test_games_that_come_in_against_opponents_have_a_mean_without_an_interval() -> None:
    """All games of a deal are alike: as many observations as games would be too sure."""
    story = copy_of(boards.tell, teams=8)
    playing = Evaluation.objects.filter(status="playing")
    assert playing.update(opponents=[{"interface": "python", "sha256": "0" * 64}]) == 1
    rows = standings(story.world.assignment, story.world.ada).rows
    (so_far,) = [row.playing for row in rows if row.playing]
    assert so_far.mean == pytest.approx(19.5)
    assert (so_far.low, so_far.high) == (None, None)


def test_a_team_whose_first_games_are_played_has_no_rank_yet() -> None:
    story = copy_of(boards.tell, teams=8)
    assert story.live is not None
    Grade.objects.filter(team=story.live).delete()
    last = standings(story.world.assignment, story.world.ida).rows[-1]
    assert (last.alias, last.rank, last.mean) == (story.live.alias, None, None)


QUERIES = 16


@pytest.mark.parametrize("kind", ["graded", "practice"])
@pytest.mark.parametrize("teams", [8, 60])
def test_the_number_of_queries_does_not_depend_on_the_number_of_teams(
    teams: int, kind: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    story = copy_of(boards.tell, teams=teams)
    with django_assert_max_num_queries(QUERIES):
        board = standings(story.world.assignment, story.world.ada, kind=kind)
    assert board.n_teams == teams
    assert len(board.rows) == min(teams, 40)


def test_a_poll_takes_three_queries_and_a_game_a_choice_or_a_grade_changes_its_answer(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    assignment = copy_of(boards.tell, teams=8).world.assignment
    with django_assert_num_queries(3):
        before = version(assignment, Kind.GRADED)
    assert version(assignment, Kind.GRADED) == before
    Evaluation.objects.filter(status="playing").update(games_done=313)
    played = version(assignment, Kind.GRADED)
    assert played != before
    uploads = Submission.objects.filter(team__assignment=assignment)
    submission = uploads.select_related("uploaded_by").earliest("pk")
    Choice.objects.create(
        team=submission.team, submission=submission, chosen_by=submission.uploaded_by,
        chosen_at=timezone.now(),
    )  # fmt: skip
    chosen = version(assignment, Kind.GRADED)
    assert chosen != played
    grade = Grade.objects.filter(team__assignment=assignment, is_current=True).earliest("pk")
    Grade.objects.filter(pk=grade.pk).update(is_current=False)
    assert version(assignment, Kind.GRADED) != chosen


def test_an_agents_page_shows_the_games_behind_its_grade_after_another_choice(
    assignment: Assignment, team: Team, ida: User, ready: Callable[..., Submission]
) -> None:
    Assignment.objects.update(counts=DeadlineRule.CHOICE)
    first, _ = ready(team), ready(team)
    (latest,) = grade_teams(assignment, ida)
    fakes.play(latest, steady(10))
    choose_submission(submission=first, by=ida, at=timezone.now())
    (chosen,) = grade_teams(assignment, ida)
    fakes.play(chosen, steady(20))
    page = agent_page(assignment, ida, team.alias, kind=Kind.GRADED)
    assert page is not None
    assert (page.line.mean, page.histogram) == (20, ((20, 20),))
    assert page.best_of == chosen


def test_a_poll_sees_that_grades_are_released_and_hidden_again() -> None:
    world = copy_of(boards.tell, teams=8).world
    assignment, ida = world.assignment, world.ida
    versions = [version(assignment, Kind.GRADED)]
    hold_grades(assignment=assignment, by=ida, reason="An error in the rules.")
    versions.append(version(assignment, Kind.GRADED))
    sections = [Section.objects.create(course=world.course, name=name) for name in ("A", "B")]
    for section in sections:
        release_grades(assignment=assignment, by=ida, section=section)
        versions.append(version(assignment, Kind.GRADED))
    first = assignment.releases.get(section=sections[0])
    take_back_release(release=first, by=ida, reason="Too early.")
    versions.append(version(assignment, Kind.GRADED))
    assert all(one != other for one, other in combinations(versions, 2))


def test_an_agents_page_has_its_versions_and_opens_games_to_its_own_team_only() -> None:
    story = copy_of(boards.tell, teams=8)
    world, name = story.world, story.own.alias
    own, other, visitor = (
        agent_page(world.assignment, viewer, name, kind=Kind.GRADED)
        for viewer in (world.ada, world.ben, AnonymousUser())
    )
    assert own is not None
    assert other is not None
    assert visitor is not None
    assert (own.best_of is None, other.best_of, visitor.best_of) == (False, None, None)
    assert other.best == visitor.best == ()
    assert other.versions[0].evaluation_uuid is None
    assert own.versions[0].evaluation_uuid is not None
    assert agent_page(world.assignment, world.ada, "Nobody Here", kind=Kind.GRADED) is None
