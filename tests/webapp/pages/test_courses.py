"""Home, courses, their people and sections: pages and forms."""

import pytest

from tests.support import world as worlds
from tests.support.html_forms import form_with
from tests.support.pages import ASSIGNMENT, COURSE, signed_in, text_of
from tests.support.world import World
from webapp.grading.submissions.models import Submission
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Course, Enrolment, Role

pytestmark = pytest.mark.django_db


def test_the_front_page_without_courses_says_what_to_do_next(db: None) -> None:
    page = text_of(signed_in(worlds.person("Dora Stranger")).get("/"))
    assert "You are in no course yet" in page
    assert 'name="invite_code"' in page


def test_the_front_page_shows_courses_due_dates_and_the_teams_state(
    world: World, practised: Submission
) -> None:
    page = text_of(signed_in(world.ada).get("/"))
    assert "Cooperative agents" in page
    assert "in 9 days" in page or "in 8 days" in page
    assert ">Submission 1</a>" in page
    assert "Practice:" in page


def test_a_course_page_names_a_submission_once(world: World, practised: Submission) -> None:
    page = text_of(signed_in(world.ada).get(COURSE))
    assert page.count(f'href="/submissions/{practised.pk}/"') == 1


@pytest.mark.slow
def test_points_and_mean_on_the_course_page_are_of_the_submission_named_there(
    world: World, practised: Submission
) -> None:
    grade = worlds.grade(world, world.ada, agent="piers")
    worlds.submit_and_practise(world, world.ada)
    page = text_of(signed_in(world.ada).get(COURSE))
    points = grade.grades.get().points.normalize()
    figures, latest = page.partition(f"{points:f} points</strong>")[2].split("Latest:")
    assert f"{grade.mean:.2f}" in figures
    assert "submission 1</a>" in figures
    assert "submission 2</a>" in latest


@pytest.mark.parametrize("role", [Role.OBSERVER, Role.GRADER])
def test_observers_and_graders_find_the_work_that_they_may_read(role: Role, world: World) -> None:
    Enrolment.objects.filter(user=world.cleo).update(role=role)
    course, assignment = (text_of(signed_in(world.cleo).get(page)) for page in (COURSE, ASSIGNMENT))
    for page in (course, assignment):
        assert f'href="{ASSIGNMENT}teams/"' in page
        assert "Upload your first agent" not in page
    assert f'href="{COURSE}grades/"' in course
    assert (f'href="{COURSE}people/"' in course) == (role == Role.OBSERVER)
    assert ('type="file"' in assignment) == (role == Role.GRADER)
    people = text_of(signed_in(world.cleo).get(COURSE + "people/"))
    assert world.course.invite_code not in course + people


def test_assistants_without_the_list_of_people_see_no_code_for_it(world: World) -> None:
    assert world.course.invite_code in text_of(signed_in(world.cleo).get(COURSE))
    Course.objects.update(assistant_rights=["grade"])
    page = text_of(signed_in(world.cleo).get(COURSE))
    assert world.course.invite_code not in page
    assert f'href="{COURSE}people/"' not in page


def test_a_course_is_created_and_edited_under_a_free_short_name(world: World) -> None:
    ida = signed_in(world.ida)
    data = {"title": "New", "slug": "new", "timezone": "Europe/Paris", "places": "90"}
    data |= {"leaderboard_default": "hidden"}
    assert ida.post("/new-course/", data).status_code == 302
    assert Course.objects.get(slug="new").timezone == "Europe/Paris"
    refused = text_of(ida.post("/new-course/", data))
    assert "Another course has this short name." in refused
    ida.post("/courses/new/edit/", data | {"title": "Renamed"})
    assert Course.objects.get(slug="new").title == "Renamed"


def test_an_instructor_makes_an_assistant(world: World) -> None:
    place = world.course.enrolments.get(user=world.ben)
    client, address = signed_in(world.ida), f"{COURSE}people/{place.pk}/role/"
    page = text_of(client.post(address, {"role": "assistant"}, follow=True))
    assert "Give a reason, so that everybody can understand it later." in page
    form = form_with(page, "role")
    assert (form["role"], form["seen"]) == (["assistant"], ["student"])
    page = text_of(client.post(address, {"role": "assistant", "reason": "Helps"}, follow=True))
    assert "The role of Ben Okri was changed." in page
    place.refresh_from_db()
    assert place.role == Role.ASSISTANT
    assert Act.objects.filter(kind="people.role")[0].reason == "Helps"


def test_an_instructor_puts_people_into_sections(world: World) -> None:
    client = signed_in(world.ida)
    assert "no section" not in text_of(client.get(COURSE + "people/"))
    page = text_of(client.post(COURSE + "sections/", {"name": "Tuesday"}, follow=True))
    assert "Section created." in page
    place = world.course.enrolments.get(user=world.ben)
    section = str(world.course.sections.get().pk)
    client.post(f"{COURSE}people/{place.pk}/section/", {"section": section})
    assert "Tuesday" in text_of(client.get(ASSIGNMENT + "grades/"))
    page = text_of(client.post(COURSE + "sections/", {"name": "Tuesday"}, follow=True))
    assert "already exists" in page
    assert form_with(page, "name")["name"] == ["Tuesday"]


@pytest.mark.parametrize("odd", ["9" * 5000, "9" * 30, "-1", "x", "1; DROP", "\u0663"])
def test_a_choice_that_is_no_id_is_not_found(odd: str, world: World) -> None:
    place = world.course.enrolments.get(user=world.ben)
    section = f"{COURSE}people/{place.pk}/section/"
    assert signed_in(world.ada).post(section, {"section": odd}).status_code == 403
    ida = signed_in(world.ida)
    assert ida.post(section, {"section": odd}).status_code == 404
    assert ida.post(ASSIGNMENT + "grade/", {"team": odd}).status_code == 404
    assert ida.get(ASSIGNMENT + "grade/confirm/", {"team": odd}).status_code == 404
    assert not world.assignment.evaluations.exists()


@pytest.mark.slow
def test_staff_move_a_student_to_another_team(world: World) -> None:
    worlds.upload(world, world.ada)
    team = worlds.team_of(world, world.ada)
    worlds.upload(world, world.ben)
    data = {"student": str(world.ben.pk), "team": str(team.pk)}
    address = ASSIGNMENT + "teams/move/"
    assert signed_in(world.ada).post(address, data).status_code == 403
    assert signed_in(world.cleo).post(address, {"student": "x"}).status_code == 404
    page = text_of(signed_in(world.cleo).post(address, data, follow=True))
    assert "Ben Okri is now in Ada Lovelace." in page
    assert set(team.users.all()) == {world.ada, world.ben}


def test_student_numbers_that_several_gave_are_named_to_staff(world: World) -> None:
    places = world.course.enrolments.filter(role="student")
    places.update(student_number="")
    assert "more than one person" not in text_of(signed_in(world.ida).get(COURSE + "people/"))
    Enrolment.objects.filter(pk__in=list(places.values_list("pk", flat=True)[:2])).update(
        student_number="4711"
    )
    page = text_of(signed_in(world.ida).get(COURSE + "people/"))
    assert "more than one person: 4711" in page
