"""Sections: renamed and deleted, with what becomes of their people and dates."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from tests.support.pages import signed_in, text_of
from tests.webapp.conftest import NOW
from webapp.base.errors import NotAllowed, Refused
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Section, SectionDates
from webapp.teaching.courses.services import (
    create_section,
    delete_section,
    release_grades,
    rename_section,
    set_section_dates,
)


@pytest.fixture
def monday(course: Course, ida: User) -> Section:
    return create_section(course=course, by=ida, name="Monday")


@pytest.fixture
def tuesday(course: Course, ida: User) -> Section:
    return create_section(course=course, by=ida, name="Tuesday")


@pytest.fixture
def dated(assignment: Assignment, monday: Section, ada: User, ida: User) -> Section:
    """Ada's section, which has a week more."""
    Enrolment.objects.filter(user=ada).update(section=monday)
    due_at = assignment.due_at + timedelta(days=7)
    set_section_dates(assignment=assignment, section=monday, by=ida, due_at=due_at)
    return monday


def test_a_section_gets_another_name_which_is_logged(
    monday: Section, tuesday: Section, ida: User, ada: User
) -> None:
    rename_section(section=monday, by=ida, name=" Friday ")
    act = Act.objects.get(kind="section.renamed")
    assert (act.before, act.after) == ({"name": "Monday"}, {"name": "Friday"})
    with pytest.raises(ValidationError, match="already exists"):
        rename_section(section=monday, by=ida, name="Tuesday")
    with pytest.raises(NotAllowed):
        rename_section(section=monday, by=ada, name="Mine")


def test_people_of_a_deleted_section_move_and_its_dates_are_gone(
    dated: Section, tuesday: Section, assignment: Assignment, ada: User, ida: User
) -> None:
    Assignment.objects.update(holds_grades=True)
    release_grades(assignment=assignment, by=ida, section=dated)
    assert delete_section(section=dated, by=ida, reason="Merged", into=tuesday, at=NOW) == 1
    assert Enrolment.objects.get(user=ada).section == tuesday
    assert not SectionDates.objects.exists()
    act = Act.objects.get(kind="section.deleted")
    before = {"people": 1, "own dates in": "Hanabi", "grades released in": "Hanabi"}
    assert (act.thing, act.reason, act.before) == ("Monday", "Merged", before)
    moved = Act.objects.get(kind="people.section")
    assert (moved.person, moved.reason) == (ada, "Monday was deleted: Merged")


def test_a_section_whose_dates_decided_grades_for_good_stays(
    dated: Section, assignment: Assignment, ida: User
) -> None:
    Assignment.objects.update(secret_revealed_at=timezone.now())
    with pytest.raises(Refused, match="You can rename the section"):
        delete_section(section=dated, by=ida, reason="Merged")
    assert Section.objects.filter(pk=dated.pk).exists()


def test_deleting_a_section_takes_a_reason_another_section_and_the_right(
    monday: Section, ida: User, ada: User
) -> None:
    with pytest.raises(Refused, match="Give a reason"):
        delete_section(section=monday, by=ida, reason=" ")
    with pytest.raises(Refused, match="another section"):
        delete_section(section=monday, by=ida, reason="Merged", into=monday)
    with pytest.raises(NotAllowed):
        delete_section(section=monday, by=ada, reason="Merged")


def test_the_page_says_what_goes_with_a_section_before_it_goes(
    dated: Section, tuesday: Section, ida: User, ada: User, enrol: Callable[..., User]
) -> None:
    client, address = signed_in(ida), f"/courses/games/sections/{dated.pk}/"
    dated.releases.create(assignment=dated.dates.get().assignment, released_by=ida, released_at=NOW)
    page = text_of(client.get(address + "delete/"))
    assert "It has 1 person." in page
    assert "Its due dates in Hanabi are deleted." in page
    assert "The grades of Hanabi are released to this section" in page
    page = text_of(client.post(address + "delete/", {"into": tuesday.pk, "reason": ""}))
    assert "Give a reason" in page
    page = text_of(client.post(address, {"name": "Friday"}, follow=True))
    assert "Monday is now called Friday." in page
    values = {"into": tuesday.pk, "reason": "Merged"}
    page = text_of(client.post(address + "delete/", values, follow=True))
    assert "Friday was deleted; 1 person moved to Tuesday." in page
    assert signed_in(ada).get(f"/courses/games/sections/{tuesday.pk}/").status_code == 403


@pytest.mark.parametrize(
    ("page", "values"),
    [("sections/", {"grace_minutes": "0"}), ("dates/{}/", {"reason": "A slip of the pen"})],
)
def test_a_mistyped_year_is_refused_beside_its_field(
    page: str,
    values: dict[str, str],
    assignment: Assignment,
    monday: Section,
    ada: User,
    ida: User,
) -> None:
    client = signed_in(ida)
    place = assignment.course.enrolments.get(user=ada).pk
    address = f"/courses/games/assignments/hanabi/{page.format(place)}"
    for year in ("0026", "2206", "9999"):
        sent = {**values, "section": monday.pk, "due_at": f"{year}-12-31T23:59"}
        answer = client.post(address, sent)
        assert answer.status_code == 200
    assert "Choose a date from 2000 to 2099." in text_of(answer)
    assert not SectionDates.objects.exists()
    assert not assignment.extensions.exists()
