"""Exports for other systems, read back as each of them documents its import."""

import csv
import io
import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.messages import get_messages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from tests.support.pages import signed_in
from tests.webapp import fakes
from tests.webapp.conftest import another
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.exports import SYSTEMS
from webapp.grading.gradebook.services import set_points
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Enrolment, Role, Section
from webapp.teaching.courses.roster.formats import entries, guess, recognise
from webapp.teaching.courses.roster.reading import table_of, text_of

HOSTILE = '=HYPERLINK("x")'


@pytest.fixture
def ida_at_work(
    graded: Evaluation, assignment: Assignment, ada: User, ben: User, ida: User
) -> Client:
    """Ida's client. Ada King Lovelace has 102 points and a comment, Ben missed the date."""
    fakes.play(graded, lambda _: 17)
    ada.display_name = "Ada King Lovelace"
    ada.save()
    ben.display_name = "Ben Okri"
    ben.save()
    place = assignment.course.enrolments.get(user=ada)
    place.student_number = "4711"
    place.section = Section.objects.create(course=assignment.course, name="Tuesday")
    place.save()
    set_points(
        enrolment=place,
        assignment=assignment,
        by=ida,
        points=Decimal("2.5"),
        comment=HOSTILE,
        reason="Talk",
    )
    another(assignment.course, ida, title=HOSTILE)
    return signed_in(ida)


def fetch(client: Client, system: str, *, whole: bool = False) -> HttpResponse:
    place = "" if whole else "assignments/hanabi/"
    part = "grades/" if whole else "grades/export/"
    response = client.get(f"/courses/games/{place}{part}{system}/")
    assert response.status_code == 200
    return response


def lines(response: HttpResponse, delimiter: str = ",") -> list[dict[str, str]]:
    text = response.content.decode()
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def test_canvas_finds_students_by_their_ids_and_points_possible_in_the_second_row(
    ida_at_work: Client,
) -> None:
    text = fetch(ida_at_work, "canvas").content.decode()
    assert text.splitlines()[0] == "Student,ID,SIS User ID,SIS Login ID,Section,Hanabi"
    assert text.splitlines()[1] == "    Points Possible,,,,,100"
    _, ada, ben = lines(fetch(ida_at_work, "canvas"))
    assert (ada["Student"], ada["SIS User ID"]) == ("Lovelace, Ada King", "4711")
    assert (ada["SIS Login ID"], ada["Section"], ada["Hanabi"]) == ("ada", "Tuesday", "104.50")
    assert (ben["SIS Login ID"], ben["Hanabi"]) == ("ben", "0")


def test_moodles_gradebook_takes_grade_and_feedback_by_address(ida_at_work: Client) -> None:
    ada, _ = lines(fetch(ida_at_work, "moodle"))
    assert [*ada] == [
        *("First name", "Last name", "ID number", "Institution", "Department", "Email address"),
        *("Assignment: Hanabi", "Feedback: Hanabi"),
    ]
    assert (ada["First name"], ada["Last name"]) == ("Ada King", "Lovelace")
    assert (ada["Email address"], ada["ID number"]) == ("ada@uni.example", "4711")
    assert (ada["Assignment: Hanabi"], ada["Feedback: Hanabi"]) == ("104.50", "'" + HOSTILE)


def test_moodles_worksheet_has_its_columns(ida_at_work: Client) -> None:
    ada, ben = lines(fetch(ida_at_work, "moodle-worksheet"))
    assert ",".join(ada) == (
        "Identifier,Full name,Email address,Status,Group,Grade,Maximum Grade,Grade can be changed,"
        "Last modified (submission),Last modified (grade),Feedback comments"
    )
    assert (ada["Full name"], ada["Status"]) == ("Ada King Lovelace", "Submitted for grading")
    assert (ada["Grade"], ada["Maximum Grade"], ada["Group"]) == ("104.50", "100", "Tuesday")
    assert (ben["Status"], ben["Grade"]) == ("No submission", "0")


def test_blackboard_has_tabs_and_finds_students_by_user_name(ida_at_work: Client) -> None:
    ada, _ = lines(fetch(ida_at_work, "blackboard"), "\t")
    assert [*ada] == [
        *("Last Name", "First Name", "Username", "Student ID", "Last Access", "Availability"),
        "Hanabi [Total Pts: 100 Score]",
    ]
    assert (ada["Username"], ada["Hanabi [Total Pts: 100 Score]"]) == ("ada", "104.50")


def test_brightspace_has_its_marks_at_the_beginning_and_end_of_a_line(ida_at_work: Client) -> None:
    ada, ben = lines(fetch(ida_at_work, "brightspace"))
    assert ",".join(ada) == "OrgDefinedId,Username,Hanabi Points Grade,End-of-Line Indicator"
    assert [*ada.values()] == ["#4711", "#ada", "104.50", "#"]
    assert [*ben.values()] == ["", "#ben", "0", "#"]


def test_gradescope_has_a_line_for_each_student(
    ida_at_work: Client, assignment: Assignment
) -> None:
    ada, ben = lines(fetch(ida_at_work, "gradescope"))
    assert ",".join(ada) == (
        "First Name,Last Name,SID,Email,Sections,Total Score,Max Points,Status,Submission ID,"
        "Submission Time,Lateness (H:M:S),View Count,Submission Count"
    )
    assert (ada["Total Score"], ada["Max Points"], ada["Status"]) == ("104.50", "100", "Graded")
    assert ada["Lateness (H:M:S)"] == "00:00:00"
    assert (ben["Total Score"], ben["Status"]) == ("0", "Missing")
    Assignment.objects.update(penalty_percent=Decimal(1))
    late_by = timedelta(days=1, hours=2, minutes=3, seconds=4)
    Submission.objects.update(uploaded_at=assignment.due_at + late_by)
    ada, _ = lines(fetch(ida_at_work, "gradescope"))
    assert ada["Lateness (H:M:S)"] == "26:03:04"


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_import_of_rosters_reads_every_export_back(system: str, ida_at_work: Client) -> None:
    name = system.removesuffix("-worksheet").capitalize()
    for whole in {False, SYSTEMS[system].takes_course}:
        response = fetch(ida_at_work, system, whole=whole)
        cells = response.content.decode().replace("\t", ",").split(",")
        assert not [cell for cell in cells if cell.lstrip('"').startswith("=")]
        table = table_of(text_of(response.content))
        known = recognise(table)
        assert known is not None
        assert known.name == name
        people = entries(table, guess(table, known), known, "uni.example")
        assert {person.email for person in people} == {"ada@uni.example", "ben@uni.example"}
        assert "4711" in {person.number for person in people} or system == "moodle-worksheet"
        if name != "Brightspace":
            assert {person.name for person in people} == {"Ada King Lovelace", "Ben Okri"}


def test_a_worksheet_of_one_assignment_is_not_offered_for_a_whole_course(
    ida_at_work: Client,
) -> None:
    page = ida_at_work.get("/courses/games/grades/").content.decode()
    assert "/courses/games/grades/moodle/" in page
    assert "moodle-worksheet" not in page
    assert ida_at_work.get("/courses/games/grades/moodle-worksheet/").status_code == 404


WORKSHEET = (
    "Identifier,Full name,Email address,Status,Group,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\r\n"
    "Participant 812,Ada King Lovelace,Ada@uni.example,Submitted for grading,,,100.00,Yes,-,-,\r\n"
    "Participant 813,Zoe Elsewhere,zoe@uni.example,No submission,,,100.00,Yes,-,-,\r\n"
)


def fill(client: Client, text: str) -> HttpResponse:
    file = SimpleUploadedFile("worksheet.csv", text.encode("utf-8-sig"))
    return client.post("/courses/games/assignments/hanabi/grades/worksheet/", {"file": file})


def test_moodles_own_worksheet_is_filled_in_and_keeps_its_identifiers(
    ida_at_work: Client, ada: User
) -> None:
    answer = fill(ida_at_work, WORKSHEET)
    filled, other = lines(answer)
    assert (filled["Identifier"], filled["Grade"]) == ("Participant 812", "104.50")
    assert filled["Feedback comments"] == "'" + HOSTILE
    assert (other["Identifier"], other["Grade"]) == ("Participant 813", "")
    for wrong in ("Name,Grade\r\nAda,3\r\n", WORKSHEET.replace("Ada@", "ida@"), ""):
        assert fill(ida_at_work, wrong).status_code == 302
    student = signed_in(ada)
    assert fill(student, WORKSHEET).status_code == 403
    answer = fill(ida_at_work, WORKSHEET.replace("Zoe Elsewhere", f'"{"x" * 200_000}"'))
    assert "cannot be read as CSV" in "".join(map(str, get_messages(answer.wsgi_request)))


def test_addresses_and_numbers_are_for_those_who_may_see_the_list_of_people(
    ida_at_work: Client, assignment: Assignment, ben: User
) -> None:
    Enrolment.objects.filter(user=ben).update(role=Role.GRADER)
    grader = signed_in(ben)
    for page in ("assignments/hanabi/grades/", "grades/"):
        shown = grader.get(f"/courses/games/{page}").content.decode()
        assert "Ada King Lovelace" in shown
        assert not re.search(r"\b4711\b", shown)
        assert "canvas/" not in shown
    for file in ("assignments/hanabi/grades.csv", "grades/canvas/"):
        assert grader.get(f"/courses/games/{file}").status_code == 403
        assert "4711" in ida_at_work.get(f"/courses/games/{file}").content.decode()


def listed(
    client: Client, system: str, data: str, *, place: str = "assignments/hanabi/"
) -> HttpResponse:
    values = {"system": system, "file": SimpleUploadedFile("list.csv", data.encode())}
    return client.post(f"/courses/games/{place}grades/listed/", values)


@pytest.mark.parametrize(
    ("system", "data"),
    [
        ("moodle", "First name,Last name,Email address,Roles\nAda,King,ada@uni.example,Student\n"),
        ("gradescope", "Name,SID,Email,Total Score\nAda,1,ADA@uni.example,\n"),
        ("canvas", "Student,ID,SIS User ID,SIS Login ID,Section\nAda,7,4711,x,\n"),
        ("brightspace", "OrgDefinedId,Username\n#1,#ada\n"),
        ("blackboard", "Last Name,First Name,Username,Student ID,Availability\nK,Ada,ada,1,Yes\n"),
    ],
)
@pytest.mark.parametrize("place", ["", "assignments/hanabi/"])
def test_people_whom_a_systems_list_does_not_have_are_left_out_and_named(
    system: str, data: str, place: str, ida_at_work: Client
) -> None:
    page = listed(ida_at_work, system, data, place=place)
    text = page.content.decode()
    assert "Ben Okri" in text
    assert "Ada King Lovelace" not in text
    [keep] = re.findall(r'name="keep" value="([\d,]+)"', text)
    values = {"system": system, "keep": keep}
    file = ida_at_work.post(page.wsgi_request.path, values).content.decode()  # type: ignore[attr-defined]
    assert "Lovelace" in file or "ada" in file
    assert "Okri" not in file
    assert "ben" not in file


def test_a_list_by_which_a_system_finds_nobody_is_refused(ida_at_work: Client) -> None:
    answer = listed(ida_at_work, "moodle-worksheet", "Name,Section\nAda,Monday\n")
    page = ida_at_work.get(answer["Location"]).content.decode()
    assert "finds students by columns that this list does not have" in page


def test_a_number_does_not_stand_in_for_an_address_that_the_list_has_otherwise(
    ida_at_work: Client,
) -> None:
    data = "Full name,Email address,ID number,Roles\nAda,other@uni.example,4711,Student\n"
    assert "Nobody of this course" in listed(ida_at_work, "moodle", data).content.decode()
