"""The list of people: pages, filters, bulk changes, and the import from a file."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Role, Section
from webapp.teaching.courses.roster.reading import MAX_BYTES
from webapp.teaching.courses.services import create_section

pytestmark = pytest.mark.django_db

PEOPLE = "/courses/coop/people/"
GRADESCOPE = b"""First Name,Last Name,SID,Email,Sections
Ada,Lovelace,501,ada@example.org,Monday
Dan,Newman,502,dan@example.org,Monday
Eve,Noaddress,503,,Friday
"""


def key(world: World, user: User) -> int:
    return world.course.enrolments.get(user=user).pk


def enrol_many(course: Course, number: int) -> None:
    users = User.objects.bulk_create(
        User(email=f"s{index:04}@uni.example", display_name=f"Student {index:04}", password="!")
        for index in range(number)
    )
    Enrolment.objects.bulk_create(Enrolment(course=course, user=user) for user in users)


def upload(client: Client, data: bytes = GRADESCOPE) -> Any:
    return client.post(PEOPLE + "import/", {"file": SimpleUploadedFile("people.csv", data)})


def next_step(response: Any, **values: str) -> dict[str, str]:
    form = response.context["form"]
    sent = {field.html_name: field.value() for field in form}
    return {name: value for name, value in {**sent, **values}.items() if value}


def test_the_list_has_pages_and_few_queries(
    world: World, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    enrol_many(world.course, 120)
    client = signed_in(world.ida)
    with django_assert_max_num_queries(13):
        first = client.get(PEOPLE + "?q=student")
    assert "120 people (1 to 50)" in text_of(first)
    assert "Page 1 of 3" in text_of(first)
    assert "Student 0119" in text_of(client.get(PEOPLE + "?q=student&page=3"))


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("q=ben", {"Ben Okri"}),
        ("role=assistant", {"Cleo Vance"}),
        ("section=none&role=student", {"Ben Okri"}),
        ("state=removed", set()),
        ("order=role&role=instructor", {"Ida Rhodes"}),
        ("section=x&role=y&q=ada", {"Ada Lovelace"}),
    ],
)
def test_filters_find_people(query: str, names: set[str], world: World) -> None:
    monday = create_section(course=world.course, by=world.ida, name="Monday")
    world.course.enrolments.filter(user=world.ada).update(section=monday)
    page = signed_in(world.ida).get(f"{PEOPLE}?{query}")
    found = {place.user.display_name for place in page.context["page"]}
    assert found & {"Ada Lovelace", "Ben Okri", "Cleo Vance", "Ida Rhodes"} == names


def test_only_the_chosen_people_are_changed_and_staff_of_a_section_chosen(world: World) -> None:
    monday = create_section(course=world.course, by=world.ida, name="Monday")
    data = {"person": [key(world, world.ada)], "act": f"section:{monday.pk}"}
    assert signed_in(world.ida).post(PEOPLE + "change/", data).status_code == 302
    assert [place.user for place in monday.enrolments.all()] == [world.ada]
    place = key(world, world.cleo)
    client = signed_in(world.ida)
    assert "Responsible for" in text_of(client.get(f"{PEOPLE}{place}/"))
    client.post(f"{PEOPLE}{place}/sections/", {"sections": [monday.pk]})
    assert [each.user for each in monday.staff.all()] == [world.cleo]
    assert "Cleo Vance" in text_of(client.get(PEOPLE)).partition("Responsible staff")[2]


def test_all_that_are_found_can_be_changed_at_once(world: World) -> None:
    enrol_many(world.course, 60)
    data = {"everybody": "on", "act": "state:removed", "reason": "Wrong course", "sure": "yes"}
    signed_in(world.ida).post(PEOPLE + "change/?q=s00", data)
    assert world.course.enrolments.filter(state=EnrolmentState.REMOVED).count() == 60
    assert world.course.enrolments.get(user=world.ada).state == EnrolmentState.ACTIVE


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"act": "state:removed", "reason": "Left"}, "Choose people first"),
        ({"person": "ada", "act": "state:removed"}, "Give a reason"),
        ({"person": "ida", "act": "role:student", "reason": "x"}, "no instructor left"),
    ],
)
def test_a_refusal_is_shown_at_the_form_and_the_choice_is_kept(
    data: dict[str, str], words: str, world: World
) -> None:
    if "person" in data:
        data = {**data, "person": str(key(world, getattr(world, data["person"])))}
    page = signed_in(world.ida).post(PEOPLE + "change/", data)
    assert page.status_code == 422
    assert words in text_of(page)
    assert page.context["chosen"] == ({data["person"]} if "person" in data else set())


def test_an_import_shows_a_preview_first_and_changes_nothing(world: World) -> None:
    before = world.course.enrolments.count()
    page = upload(signed_in(world.ida))
    text = text_of(page)
    assert "An export of Gradescope." in text
    for words in ("Wrong: 1", "Line", "The e-mail address is missing.", "New sections: Monday."):
        assert words in text
    assert world.course.enrolments.count() == before
    assert not Section.objects.exists()


def test_a_previewed_import_is_done_as_a_whole(world: World) -> None:
    client = signed_in(world.ida)
    refused = client.post(PEOPLE + "import/", next_step(upload(client), do="1"))
    assert refused.status_code == 422
    assert "Some lines have errors" in text_of(refused)
    assert not User.objects.filter(email="dan@example.org").exists()
    done = client.post(PEOPLE + "import/", next_step(refused, do="1", skip_wrong="on"), follow=True)
    assert "Imported:" in text_of(done)
    assert "Dan Newman" in text_of(done)
    assert world.course.enrolments.get(user__email="dan@example.org").student_number == "502"


def test_a_section_with_a_comma_in_its_name_is_kept_by_an_import_of_our_own_export(
    world: World,
) -> None:
    monday = create_section(course=world.course, by=world.ida, name="Mon, 10:00")
    world.course.enrolments.filter(user=world.ada).update(section=monday)
    client = signed_in(world.ida)
    exported = client.get("/courses/coop/grades/gradescope/").content
    page = upload(client, exported)
    assert [count for count in page.context["plan"].counts if count[1]] == [("left alone", 2)]


def test_columns_of_an_unknown_table_are_chosen_on_the_page(world: World) -> None:
    client = signed_in(world.ida)
    page = upload(client, b"Kdo;Zkratka;Skupina\nDan Newman;dan;Pondeli\n")
    assert "not an export of a system" in text_of(page)
    assert "No column was found for the name and the e-mail address: choose it" in text_of(page)
    assert 'name="withdraw_missing"' not in text_of(page)
    chosen = next_step(
        page,
        look="1",
        column_name="Kdo",
        column_login="Zkratka",
        column_section="Skupina",
        domain="uni.example",
    )
    page = client.post(PEOPLE + "import/", chosen)
    assert "dan@uni.example" in text_of(page)
    client.post(PEOPLE + "import/", next_step(page, do="1"))
    place = world.course.enrolments.get(user__email="dan@uni.example")
    assert (place.role, str(place.section)) == (Role.STUDENT, "Pondeli")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no people"),
        (b"\x00" * 90, "not a text file"),
        (b"a,b\n", "no people"),
        (b"," * (MAX_BYTES + 1), "larger than 1 MiB"),
    ],
    ids=["empty", "binary", "nobody", "large"],
)
def test_a_file_that_is_no_list_is_refused_beside_its_field(
    data: bytes, words: str, world: World
) -> None:
    page = upload(signed_in(world.ida), data)
    assert page.status_code == 422
    assert words in text_of(page)


def test_an_invitation_leads_to_a_password_and_in(world: World) -> None:
    client = signed_in(world.ida)
    client.post(PEOPLE + "import/", next_step(upload(client), do="1", skip_wrong="on"))
    dan = User.objects.get(email="dan@example.org")
    body = dan.notifications.get().body
    address = "/accounts/" + body.partition("/accounts/")[2].split()[0]
    visitor = signed_in(None)
    assert "dan@example.org" in text_of(visitor.get(address))
    password = "a-long-and-good-one"
    data = {"display_name": "Daniel", "new_password1": password, "new_password2": password}
    assert visitor.post(address, data).status_code == 302
    assert "Daniel" in text_of(visitor.get("/"))
    used = signed_in(None).get(address)
    assert (used.status_code, "does not work" in text_of(used)) == (404, True)
