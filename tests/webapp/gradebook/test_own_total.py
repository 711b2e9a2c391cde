"""A student's own total: what counts, what is left out, and nothing of what is held."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.support.pages import text_of
from tests.webapp import fakes
from tests.webapp.conftest import NOW, another
from webapp.flow.pipeline import release_grades
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.course import CourseTotal, GradePart, own_total
from webapp.grading.gradebook.services import set_points
from webapp.pages.gradebook.views import formula_of
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course


@pytest.fixture
def second(second: Assignment) -> Assignment:
    """The other assignment, whose grades are held."""
    second.holds_grades = True
    second.save(update_fields=["holds_grades"])
    return second


def total(user: User, assignment: Assignment, days: int = 20) -> CourseTotal:
    return own_total(user, assignment.course, at=NOW + timedelta(days=days))


def give(assignment: Assignment, user: User, by: User, points: int) -> None:
    place, worth = assignment.course.enrolments.get(user=user), Decimal(points)
    set_points(enrolment=place, assignment=assignment, by=by, points=worth, reason="Talk")


def test_a_total_has_its_parts(graded: Evaluation, assignment: Assignment, ada: User) -> None:
    assert [row.part for row in total(ada, assignment).results] == [GradePart.PENDING]
    fakes.play(graded, lambda _: 17)
    own = total(ada, assignment)
    assert (own.percent, [row.part for row in own.results]) == (Decimal(102), [GradePart.COUNTS])


def test_a_held_result_is_the_same_whatever_it_is_worth(
    graded: Evaluation, assignment: Assignment, second: Assignment, ada: User, ida: User
) -> None:
    fakes.play(graded, lambda _: 17)
    Course.objects.update(drops_lowest=1)
    second.refresh_from_db()
    before = total(ada, second)
    assert [row.part for row in before.results] == [GradePart.COUNTS, GradePart.HELD]
    assert not before.results[1].is_missing
    give(second, ada, ida, 30)
    assert total(ada, second) == before
    release_grades(assignment=second, by=ida)
    after = total(ada, second)
    assert [row.part for row in after.results] == [GradePart.COUNTS, GradePart.DROPPED]
    assert after.results[1].result.points == 30


def test_nothing_in_time_is_zero_once_it_is_released(
    graded: Evaluation, assignment: Assignment, second: Assignment, ada: User, ida: User
) -> None:
    fakes.play(graded, lambda _: 17)
    release_grades(assignment=second, by=ida)
    assert total(ada, second, days=8).percent == 102
    own = total(ada, second)
    assert own.results[1].is_missing
    assert own.percent == Decimal("25.50")


def test_the_page_of_a_grade_says_that_nothing_in_time_is_zero(
    second: Assignment, ada: User, ben: User, ida: User
) -> None:
    clients = {user: Client() for user in (ada, ben)}
    for user, client in clients.items():
        client.force_login(user)
    give(second, ben, ida, 30)
    address = "/courses/games/assignments/second/my-grade/"
    words = "0 points: no accepted upload before the deadline"
    Assignment.objects.update(opens_at=NOW, due_at=timezone.now() - timedelta(days=1))
    assert "not released yet" in text_of(clients[ada].get(address))
    release_grades(assignment=second, by=ida)
    assert words in text_of(clients[ada].get(address))
    assert words not in text_of(clients[ben].get(address))
    Assignment.objects.update(due_at=timezone.now() + timedelta(days=1))
    assert "There are no points yet" in text_of(clients[ada].get(address))


def test_an_assignment_without_weight_is_no_part(
    graded: Evaluation, assignment: Assignment, ada: User
) -> None:
    fakes.play(graded, lambda _: 17)
    Assignment.objects.update(weight=0)
    own = total(ada, assignment)
    assert (own.percent, own.results[0].part) == (None, GradePart.UNWEIGHTED)


def test_the_page_writes_out_how_the_total_is_computed(
    graded: Evaluation, assignment: Assignment, second: Assignment, ada: User, ida: User
) -> None:
    fakes.play(graded, lambda _: 17)
    release_grades(assignment=second, by=ida)
    counted = total(ada, second).of_part(GradePart.COUNTS)
    assert formula_of(counted) == "(1 × 102% + 3 × 0%) ÷ 4"
    Assignment.objects.update(weight=2)
    second.refresh_from_db()
    assert formula_of(total(ada, second).of_part(GradePart.COUNTS)) == "(102% + 0%) ÷ 2"


def test_many_held_assignments_take_no_more_queries(
    assignment: Assignment,
    second: Assignment,
    ada: User,
    ida: User,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(5):
        how = {"holds_grades": True, "due_at": second.due_at}
        give(another(assignment.course, ida, f"held{number}", **how), ada, ida, number)
    with django_assert_max_num_queries(20):
        own = total(ada, assignment)
    assert [row.part for row in own.results].count(GradePart.HELD) == 6
