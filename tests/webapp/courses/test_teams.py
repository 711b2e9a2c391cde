"""Teams, partners, aliases."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError

from tests.webapp.conftest import NOW
from webapp.base.errors import NotAllowed, Refused
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.aliases import WORDS, free_alias
from webapp.teaching.courses.models import Assignment, Membership, Team
from webapp.teaching.courses.selectors import team_of
from webapp.teaching.courses.services import (
    extend_deadline,
    join_team,
    move_student,
    rename_team,
    team_for,
)


def test_everybody_who_submits_gets_a_team_once(assignment: Assignment, ada: User) -> None:
    first = team_for(user=ada, assignment=assignment)
    assert team_for(user=ada, assignment=assignment) == first
    assert team_of(ada, assignment) == first


def test_two_students_of_one_name_get_two_team_names(
    assignment: Assignment, ada: User, enrol: Callable[..., User]
) -> None:
    namesake = enrol("Ada2")
    namesake.display_name = "Ada"
    namesake.save()
    names = [team_for(user=user, assignment=assignment).name for user in (ada, namesake)]
    assert names == ["Ada", "Ada 2"]


def test_a_partner_joins_by_code_and_leaves_an_empty_team_behind(
    team: Team, assignment: Assignment, ben: User
) -> None:
    own = team_for(user=ben, assignment=assignment)
    joined = join_team(user=ben, assignment=assignment, join_code=team.join_code.lower(), at=NOW)
    assert joined == team
    assert set(team.users.values_list("display_name", flat=True)) == {"Ada", "Ben"}
    assert not Team.objects.filter(pk=own.pk).exists()


def test_a_full_team_takes_nobody(
    team: Team, assignment: Assignment, ben: User, enrol: Callable[..., User]
) -> None:
    join_team(user=ben, assignment=assignment, join_code=team.join_code, at=NOW)
    with pytest.raises(Refused, match="full"):
        join_team(user=enrol("Cy"), assignment=assignment, join_code=team.join_code, at=NOW)


def test_a_team_cannot_be_joined_after_its_due_date(
    team: Team, assignment: Assignment, ben: User, ida: User
) -> None:
    after = assignment.due_at + timedelta(hours=1)
    with pytest.raises(Refused, match="due date has passed"):
        join_team(user=ben, assignment=assignment, join_code=team.join_code, at=after)
    extend_deadline(team=team, by=ida, due_at=after, reason="Ill")
    joined = join_team(user=ben, assignment=assignment, join_code=team.join_code, at=after)
    assert joined == team


def test_a_team_cannot_be_joined_while_it_is_graded(
    team: Team, assignment: Assignment, ben: User, graded: Evaluation
) -> None:
    with pytest.raises(Refused, match="has been graded"):
        join_team(user=ben, assignment=assignment, join_code=team.join_code, at=NOW)


def test_a_member_who_has_submitted_cannot_leave(
    team: Team, assignment: Assignment, ada: User, ben: User, submission: Submission
) -> None:
    other = team_for(user=ben, assignment=assignment)
    with pytest.raises(Refused, match="already submitted"):
        join_team(user=ada, assignment=assignment, join_code=other.join_code, at=NOW)
    assert Membership.objects.get(user=ada).team == team


def test_staff_move_a_student_at_any_time_and_uploads_stay_where_they_are(
    team: Team, assignment: Assignment, ada: User, ben: User, ida: User, graded: Evaluation
) -> None:
    other = team_for(user=ben, assignment=assignment)
    move_student(user=ben, team=team, by=ida)
    assert set(team.users.all()) == {ada, ben}
    assert not Team.objects.filter(pk=other.pk).exists()
    alone = team_for(user=ben, assignment=assignment)
    assert alone == team
    third = Team.objects.create(assignment=assignment, name="C", alias=free_alias(assignment))
    for user in (ada, ben):
        move_student(user=user, team=third, by=ida)
    assert team.submissions.count() == 1
    assert set(third.users.all()) == {ada, ben}


def test_only_students_are_moved_and_only_by_staff(
    team: Team, ben: User, ida: User, outsider: User, enrol: Callable[..., User]
) -> None:
    with pytest.raises(NotAllowed):
        move_student(user=ben, team=team, by=ben)
    for nobody in (ida, outsider):
        with pytest.raises(Refused, match="Only students"):
            move_student(user=nobody, team=team, by=ida)
    move_student(user=ben, team=team, by=ida)
    with pytest.raises(Refused, match="full"):
        move_student(user=enrol("Cy"), team=team, by=ida)


def test_a_wrong_code_and_an_outsider_are_refused(
    team: Team, assignment: Assignment, ben: User, outsider: User
) -> None:
    with pytest.raises(Refused, match="code"):
        join_team(user=ben, assignment=assignment, join_code="WRONG")
    with pytest.raises(NotAllowed):
        join_team(user=outsider, assignment=assignment, join_code=team.join_code)
    with pytest.raises(NotAllowed):
        team_for(user=outsider, assignment=assignment)


def test_members_and_staff_name_a_team_and_nobody_else(
    team: Team, assignment: Assignment, ada: User, ben: User, ida: User
) -> None:
    other = team_for(user=ben, assignment=assignment)
    rename_team(team=team, by=ada, name=" The Clues ")
    assert team.name == "The Clues"
    with pytest.raises(Refused, match="has this name"):
        rename_team(team=other, by=ida, name="The Clues")
    with pytest.raises(NotAllowed):
        rename_team(team=team, by=ben, name="Mine")


def test_aliases_are_unique_and_say_nothing(assignment: Assignment) -> None:
    for number in range(30):
        Team.objects.create(assignment=assignment, name=f"T{number}", alias=free_alias(assignment))
    aliases = set(Team.objects.values_list("alias", flat=True))
    assert len(aliases) == 30
    assert aliases <= set(WORDS)


@pytest.mark.slow
def test_when_all_words_are_taken_aliases_get_numbers(assignment: Assignment) -> None:
    Team.objects.bulk_create(
        Team(assignment=assignment, name=alias, alias=alias, join_code=str(place))
        for place, alias in enumerate(WORDS)
    )
    assert free_alias(assignment).endswith(" 2")


def test_an_extension_is_kept_with_who_when_and_why(team: Team, ida: User) -> None:
    later = team.assignment.due_at + timedelta(days=2)
    extend_deadline(team=team, by=ida, due_at=later, reason=" Ill ", at=NOW)
    extend_deadline(team=team, by=ida, due_at=None, reason="Well again", at=NOW)
    rows = team.extensions.order_by("pk").values_list(
        "due_at", "reason", "granted_by", "granted_at"
    )
    assert list(rows) == [(later, "Ill", ida.pk, NOW), (None, "Well again", ida.pk, NOW)]


def test_an_extension_without_a_reason_is_refused_and_changes_nothing(
    team: Team, ida: User
) -> None:
    later = team.assignment.due_at + timedelta(days=2)
    with pytest.raises(ValidationError):
        extend_deadline(team=team, by=ida, due_at=later, reason="  ")
    team.refresh_from_db()
    assert (team.extended_due_at, team.extensions.count()) == (None, 0)


def test_an_extension_that_gains_nothing_is_refused(team: Team, ida: User) -> None:
    with pytest.raises(Refused, match="later than"):
        extend_deadline(team=team, by=ida, due_at=team.assignment.due_at, reason="Ill")
