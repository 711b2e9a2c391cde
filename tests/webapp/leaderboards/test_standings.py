"""Ranks with ties, reference lines, and what each viewer may see."""

import csv
import io
from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser

from grader.core.records import FaultKind
from tests.webapp import fakes
from tests.webapp.fakes import steady
from webapp.base.errors import NotAllowed
from webapp.contests.leaderboards.selectors import standings
from webapp.contests.leaderboards.spreadsheets import board_csv
from webapp.contests.leaderboards.values import EVERYTHING
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.services import request_house
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course, LeaderboardVisibility, Team
from webapp.teaching.courses.permissions import Person
from webapp.teaching.courses.services import set_leaderboard

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


def test_the_best_mean_is_first_and_equal_means_share_a_rank(
    assignment: Assignment, ada: User, graded_teams: Callable[..., dict[str, Team]]
) -> None:
    scores = {"Ada": steady(15), "Ben": steady(18), "Cy": steady(15), "Dee": steady(9)}
    teams = graded_teams(scores)
    board = standings(assignment, ada)
    assert [(row.rank, row.shares_rank, row.mean) for row in board.rows] == [
        (1, False, 18.0),
        (2, True, 15.0),
        (2, True, 15.0),
        (4, False, 9.0),
    ]
    assert board.n_teams == 4
    assert board.level_with == (teams["Cy"].alias,)


def test_means_that_look_equal_are_equal(
    assignment: Assignment, ida: User, graded_teams: Callable[..., dict[str, Team]]
) -> None:
    graded_teams({"Ada": fakes.ordinary, "Ben": fakes.ordinary})
    current = Evaluation.objects.current().filter(kind=Kind.GRADED).first()
    assert current is not None
    Evaluation.objects.filter(pk=current.pk).update(mean=16.004)
    assert [row.rank for row in standings(assignment, ida).rows] == [1, 1]


def test_overlapping_intervals_are_counted_for_the_viewers_own_team(
    assignment: Assignment, ada: User, graded_teams: Callable[..., dict[str, Team]]
) -> None:
    graded_teams(
        {
            "Ada": fakes.ordinary,
            "Ben": lambda index: 15 + index % 4,
            "Cy": lambda index: 5 + index % 3,
        }
    )
    board = standings(assignment, ada)
    assert board.n_close == 1
    assert board.own is not None
    assert (board.own.rank, board.level_with) == (2, ())


def test_house_agents_are_lines_without_rank_on_the_page_and_in_the_csv(
    assignment: Assignment, ida: User, graded_teams: Callable[..., dict[str, Team]]
) -> None:
    graded_teams({"Ada": steady(18), "Ben": steady(9)})
    (house,) = request_house(assignment=assignment, by=ida, names=["iggi"])
    fakes.play(house, steady(12))
    board = standings(assignment, ida, selection=EVERYTHING)
    assert [row.rank for row in board.rows] == [1, 2]
    assert [(line.alias, line.mean) for line in board.house] == [("iggi", 12.0)]
    rows = csv.DictReader(io.StringIO(board_csv(board).removeprefix("\ufeff")))
    assert [(row["Rank"], row["Mean"]) for row in rows] == [
        ("1", "18.0"),
        ("", "12.0"),
        ("2", "9.0"),
    ]


def test_faults_and_lost_games_are_shown(
    assignment: Assignment, ida: User, graded_teams: Callable[..., dict[str, Team]]
) -> None:
    graded_teams({"Ada": lambda index: FaultKind.CRASH if index == 3 else index % 2 * 10})
    (row,) = standings(assignment, ida).rows
    assert (row.faults, row.lost, row.n_games) == (1, 11, 20)


def test_a_student_sees_aliases_and_opens_the_own_row_and_staff_all_with_names(
    assignment: Assignment, graded_teams: Callable[..., dict[str, Team]], ada: User, ida: User
) -> None:
    teams = graded_teams({"Ada": steady(15), "Ben": steady(18)})
    board = standings(assignment, ada)
    bens, own = board.rows
    assert not board.shows_names
    assert (own.mine, own.alias, own.submission_number) == (True, teams["Ada"].alias, 1)
    assert own.evaluation_uuid is not None
    assert (bens.mine, bens.names, bens.submission_number) == (False, (), None)
    assert bens.evaluation_uuid is None
    for_staff = standings(assignment, ida).rows
    assert [row.names for row in for_staff] == [("Ben",), ("Ada",)]
    assert all(row.evaluation_uuid is not None for row in for_staff)


def test_visitors_see_neither_points_nor_the_names_that_a_course_shows_its_students(
    course: Course,
    assignment: Assignment,
    graded_teams: Callable[..., dict[str, Team]],
    ada: User,
    vic: AnonymousUser,
    ida: User,
) -> None:
    graded_teams({"Ada": steady(15), "Ben": steady(18)})
    course.show_names = True
    course.save()
    assignment.refresh_from_db()
    set_leaderboard(assignment=assignment, by=ida, visibility=LeaderboardVisibility.PUBLIC)
    first = standings(assignment, ada).rows[0]
    assert (first.names, first.points) == (("Ben",), 103)
    board = standings(assignment, vic)
    assert (board.rows[0].names, board.shows_points, board.rows[0].points) == ((), False, None)


@pytest.mark.parametrize(
    ("visibility", "seen_by"),
    [("hidden", {"Ida"}), ("course", {"Ida", "Ada"}), ("public", {"Ida", "Ada", "Olga", "Vic"})],
)
def test_the_board_is_shown_to_those_who_may_see_it(
    assignment: Assignment,
    ida: User,
    ada: User,
    outsider: User,
    vic: AnonymousUser,
    visibility: str,
    seen_by: set[str],
) -> None:
    set_leaderboard(assignment=assignment, by=ida, visibility=LeaderboardVisibility(visibility))
    seen = set()
    people: dict[str, Person] = {"Ida": ida, "Ada": ada, "Olga": outsider, "Vic": vic}
    for name, user in people.items():
        try:
            standings(assignment, user)
        except NotAllowed:
            continue
        seen.add(name)
    assert seen == seen_by


def test_a_later_submission_that_counts_marks_the_row_as_outdated(
    assignment: Assignment,
    ida: User,
    graded_teams: Callable[..., dict[str, Team]],
    ready: Callable[..., Submission],
) -> None:
    teams = graded_teams({"Ada": steady(15)})
    assert not standings(assignment, ida).rows[0].is_outdated
    ready(teams["Ada"])
    assert standings(assignment, ida).rows[0].is_outdated


def test_the_practice_board_has_each_teams_latest_practice_its_history_and_a_forecast(
    assignment: Assignment, team: Team, ida: User, ready: Callable[..., Submission]
) -> None:
    for score in (10, 13, 17):
        fakes.play(ready(team).evaluations.get(kind=Kind.PRACTICE), steady(score))
    (row,) = standings(assignment, ida, kind="practice").rows
    assert (row.mean, row.submission_number, row.n_games) == (17.0, 3, 10)
    assert (row.history, row.points) == ((10.0, 13.0, 17.0), 102)
    assert standings(assignment, ida).rows == ()


def test_csv_has_the_same_rows_and_the_same_redaction(
    assignment: Assignment, ada: User, ida: User, graded_teams: Callable[..., dict[str, Team]]
) -> None:
    teams = graded_teams({"Ada": steady(15), "=1+1": steady(18)})
    for_ada = board_csv(standings(assignment, ada))
    assert "Ada" not in for_ada
    assert teams["Ada"].alias in for_ada
    header, first, _ = csv.reader(io.StringIO(board_csv(standings(assignment, ida))))
    assert dict(zip(header, first, strict=True))["Names"] == "'=1+1"


def test_a_board_without_games_has_no_rows(assignment: Assignment, ada: User) -> None:
    board = standings(assignment, ada)
    assert (board.rows, board.updated_at) == ((), None)
