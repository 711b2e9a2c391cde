"""Assignments: valid settings, permitted changes, and the reveal of the secret."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from grader.core.deals import commitment
from grader.core.games import game_from_options
from grader.core.games.base import ResultKind
from grader.core.games.hanabi import Hanabi
from tests.webapp.conftest import NOW, another
from webapp.base.errors import Refused
from webapp.flow.pipeline import update_assignment
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.people.accounts.models import User
from webapp.teaching.courses.defaults import default_scheme
from webapp.teaching.courses.models import Assignment, Course, LeaderboardVisibility, Team
from webapp.teaching.courses.models.assignment import default_limits
from webapp.teaching.courses.services import (
    create_section,
    extend_deadline,
    reveal_secret,
    set_section_dates,
)
from webapp.teaching.courses.validation import scheme_errors

AFTER = NOW + timedelta(days=8)


def test_every_assignment_has_a_secret_of_its_own_and_commits_to_it(
    course: Course, ida: User
) -> None:
    first, second = another(course, ida), another(course, ida, slug="b")
    assert bytes(first.secret) != bytes(second.secret)
    assert first.commitment == commitment(bytes(first.secret))
    assert first.public_secret is None


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("options", {"variant": "nonsense"}, "nonsense"),
        ("options", {"variant": "gcc", "players": 9}, "players"),
        ("game", "chess", "chess"),
        ("limits", {**default_limits(), "turn_seconds": 11}, "up to 10"),
        ("limits", {**default_limits(), "memory_mib": 1}, "allows 32 up to"),
        ("limits", {**default_limits(), "turn_wall_seconds": 0.5}, "not be fewer"),
        ("limits", {"turn_seconds": "long"}, "turn_seconds"),
        ("grading", {"full_mean": "much"}, "full_mean"),
        ("n_games", 1_000_000, "at most 10000"),
        ("due_at", NOW - timedelta(days=1), "later than the opening"),
        ("due_at", NOW.replace(year=9999), "from 2000 to 2099"),
        ("opens_at", NOW.replace(year=1), "from 2000 to 2099"),
        ("grace_minutes", 10**12, "less than or equal to 32767"),
        ("max_late_days", 10**12, "less than or equal to 32767"),
        ("max_team_size", 0, "greater than or equal to 1"),
    ],
)
def test_impossible_settings_are_refused_with_a_message(
    course: Course, ida: User, field: str, value: object, words: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        another(course, ida, **{field: value})
    assert words in " ".join(caught.value.messages)
    assert not Assignment.objects.exists()


@pytest.mark.parametrize(
    ("lowest", "highest", "fewest_wins", "full"),
    [(0, 25, False, 15), (0, 10, False, 10), (0, 26, True, 15), (20, 99, True, 20)],
)
def test_the_default_scheme_gives_full_credit_at_a_mean_that_the_game_has(
    lowest: int, highest: int, full: int, monkeypatch: pytest.MonkeyPatch, *, fewest_wins: bool
) -> None:
    monkeypatch.setattr(Hanabi, "score_range", (lowest, highest))
    monkeypatch.setattr(Hanabi, "lower_is_better", fewest_wins)
    game = game_from_options("hanabi", {})
    scheme = default_scheme(game, [])
    assert scheme.full_mean == full
    assert scheme_errors(scheme, game, []) == {}


def test_where_points_are_won_from_one_another_full_credit_is_for_a_mean_above_even(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Hanabi, "competitive", True)
    monkeypatch.setattr(Hanabi, "score_range", (-26, 26))
    monkeypatch.setattr(Hanabi, "unit", Fraction(1, 2))
    game = game_from_options("hanabi", {})
    chips = default_scheme(game, ["iggi", "piers"])
    assert (chips.full_mean, chips.beaten) == (Decimal("0.13"), ())
    assert (chips.points(0), chips.points(0.13)) == (0, 100)
    assert scheme_errors(chips, game, ["iggi", "piers"]) == {}
    monkeypatch.setattr(Hanabi, "lower_is_better", True)
    assert default_scheme(game, ["iggi"]).full_mean == Decimal("-0.13")
    monkeypatch.setattr(Hanabi, "result", ResultKind.WIN_DRAW_LOSS)
    wins = default_scheme(game, ["iggi"])
    assert [line.words for line in wins.beaten] == ["more than half"]
    assert (wins.points(0, {"iggi": 0.5}), wins.points(0, {"iggi": 0.51})) == (0, 100)


def test_a_new_leaderboard_has_the_visibility_that_the_course_sets(
    course: Course, ida: User
) -> None:
    course.leaderboard_default = LeaderboardVisibility.HIDDEN
    course.save()
    assert another(course, ida).leaderboard == LeaderboardVisibility.HIDDEN


def test_rules_can_change_until_something_is_graded(
    assignment: Assignment, ida: User, team: Team
) -> None:
    update_assignment(assignment=assignment, by=ida, n_games=30)
    Evaluation.objects.create(
        assignment=assignment,
        house_agent="iggi",
        kind=Kind.GRADED,
        interface="python",
        sha256="0" * 64,
        spec={},
        n_games=30,
        requested_at=NOW,
    )
    with pytest.raises(Refused, match="n_games"):
        update_assignment(assignment=assignment, by=ida, n_games=40)
    update_assignment(assignment=assignment, by=ida, title="Other", n_games=30)
    assignment.refresh_from_db()
    assert (assignment.title, assignment.n_games) == ("Other", 30)


def test_the_secret_is_revealed_after_the_last_deadline_only(
    assignment: Assignment, team: Team, ida: User
) -> None:
    with pytest.raises(Refused, match="still submit"):
        reveal_secret(assignment=assignment, by=ida, at=assignment.due_at)
    extend_deadline(team=team, by=ida, due_at=AFTER, reason="Ill")
    with pytest.raises(Refused, match="still submit"):
        reveal_secret(assignment=assignment, by=ida, at=AFTER)
    reveal_secret(assignment=assignment, by=ida, at=AFTER + timedelta(seconds=1))
    assert assignment.public_secret == bytes(assignment.secret)


def test_no_deadline_moves_once_the_secret_is_revealed(
    assignment: Assignment, team: Team, ida: User
) -> None:
    section = create_section(course=assignment.course, by=ida, name="Tuesday")
    reveal_secret(assignment=assignment, by=ida, at=AFTER)
    team.refresh_from_db()
    with pytest.raises(Refused, match="secret"):
        extend_deadline(team=team, by=ida, due_at=AFTER, reason="Ill")
    with pytest.raises(Refused, match="secret"):
        update_assignment(assignment=assignment, by=ida, due_at=AFTER)
    with pytest.raises(Refused, match="secret"):
        set_section_dates(assignment=assignment, section=section, by=ida, due_at=AFTER)


def test_a_concurrent_change_is_seen_before_deciding(assignment: Assignment, ida: User) -> None:
    stale = Assignment.objects.get(pk=assignment.pk)
    update_assignment(assignment=assignment, by=ida, due_at=AFTER + timedelta(days=1))
    with pytest.raises(Refused, match="still submit"):
        reveal_secret(assignment=stale, by=ida, at=AFTER)
    again = Assignment.objects.get(pk=assignment.pk)
    reveal_secret(assignment=again, by=ida, at=AFTER + timedelta(days=2))
    with pytest.raises(Refused, match="has been revealed"):
        update_assignment(assignment=assignment, by=ida, due_at=AFTER + timedelta(days=9))


def test_the_database_refuses_an_assignment_without_commitment(assignment: Assignment) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Assignment.objects.filter(pk=assignment.pk).update(commitment="")
