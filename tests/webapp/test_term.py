"""A term from the roster to the next one comes out as ``term`` works it out by hand.

Two hundred students, ten of them at work, four assignments. Ida acts on the site's pages; uploads
and games come through services, so that they can be of last autumn.
"""

import csv
import io
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.template.defaultfilters import floatformat
from django.test import Client
from django.utils import timezone

from tests.support.pages import signed_in, text_of
from tests.webapp import fakes
from tests.webapp.conftest import AGENT
from tests.webapp.term import (
    ASSIGNMENTS,
    BERLIN,
    LATE_DAYS,
    MOVES,
    NEW_SCHEME,
    PARTNERS,
    SCHEME,
    TEN,
    UPLOADS,
    berlin,
    expected,
)
from webapp.flow.pipeline import accept
from webapp.grading.evaluations.models import Kind
from webapp.grading.evaluations.services import grade_team
from webapp.grading.gradebook.course import GradePart, course_rows, own_total
from webapp.grading.gradebook.models import RegradeRequest
from webapp.grading.gradebook.points import own_points_of
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.services import choose_submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.chain import check, link_new_acts
from webapp.people.notifications.models import Notification, Topic
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Section
from webapp.teaching.courses.resolution import resolution_for
from webapp.teaching.courses.services import create_assignment, create_course, join_team, team_for

COURSE: Final = "/courses/games/"
EVERYBODY: Final = 200


@dataclass(slots=True)
class Term:
    ida: User
    course: Course
    client: Client
    assignments: dict[str, Assignment] = field(default_factory=dict)
    students: dict[str, User] = field(default_factory=dict)

    def place(self, name: str) -> Enrolment:
        return self.course.enrolments.get(user=self.students[name])

    def address(self, slug: str, rest: str = "") -> str:
        return f"{COURSE}assignments/{slug}/{rest}"

    def post(self, address: str, **values: Any) -> HttpResponse:
        response = self.client.post(address, values)
        assert response.status_code == 302, text_of(response)
        return response

    def as_student(self, name: str) -> Client:
        return signed_in(self.students[name])


@pytest.fixture
def term(ida: User) -> Term:
    course = create_course(
        by=ida,
        title="Games",
        slug="games",
        term="Autumn 2025",
        timezone="Europe/Berlin",
        late_days=3,
        drops_lowest=1,
    )
    client = signed_in(ida)
    term = Term(ida=ida, course=course, client=client)
    for slug, fields in ASSIGNMENTS.items():
        term.assignments[slug] = create_assignment(
            course=course,
            by=ida,
            slug=slug,
            title=f"The {slug}",
            n_games=5,
            practice_games=5,
            smoke_games=5,
            grading=SCHEME,
            **fields,
        )
    return term


def sent(response: Any, **values: Any) -> dict[str, Any]:
    with timezone.override(BERLIN):
        shown = {bound.html_name: bound.value() for bound in response.context["form"]}
    filled = {name: value for name, value in shown.items() if value not in (None, False)}
    return {**filled, **values}


def local(moment: datetime) -> str:
    return f"{moment.astimezone(BERLIN):%Y-%m-%dT%H:%M}"


# --- Steps of the term ----------------------------------------------------------------------------


def name_of(index: int) -> str:
    return TEN[index] if index < len(TEN) else f"Student{index:03}"


def roster() -> bytes:
    """Canvas's gradebook of the course, with one line that is wrong."""
    lines = ["Student,ID,SIS User ID,SIS Login ID,Section,Essay (7)", "    Points Possible,,,,,10"]
    for index in range(EVERYBODY):
        section = "Monday" if index < len(TEN) // 2 or index % 2 else "Tuesday"
        if 5 <= index < len(TEN):
            section = "Tuesday"
        name = name_of(index)
        lines.append(f'"Fox, {name}",{index},N{index:04},{name.lower()},{section},')
    lines.append('"Twice, Ada",999,N0000,ada.twice,Monday,')
    return "\n".join(lines).encode()


def import_roster(term: Term) -> None:
    """Look at the file with its errors; then take a mended one, looked at first as well."""
    address = COURSE + "people/import/"
    broken = SimpleUploadedFile("canvas.csv", roster())
    preview = term.client.post(address, {"file": broken})
    refused = term.client.post(address, sent(preview, domain="uni.example", do="1"))
    assert refused.status_code == 422
    assert term.course.enrolments.count() == 1
    mended = SimpleUploadedFile("canvas.csv", roster().rpartition(b"\n")[0])
    first = term.client.post(address, {"file": mended})
    preview = term.client.post(address, sent(first, domain="uni.example"))
    assert dict(preview.context["plan"].counts)["added"] == EVERYBODY
    term.post(address, **sent(preview, do="1"))
    assert term.course.enrolments.graded().count() == EVERYBODY
    assert Notification.objects.filter(topic=Topic.INVITATION).count() == EVERYBODY
    students = User.objects.filter(enrolments__course=term.course, display_name__endswith=" Fox")
    term.students = {user.display_name.removesuffix(" Fox"): user for user in students}


def give_time(term: Term) -> None:
    """More time for Eve in the first assignment, for Tuesday in the second, for Jon in all."""
    eve, jon = term.place("Eve").pk, term.place("Jon").pk
    until = local(berlin(10, 21))
    term.post(term.address("first", f"dates/{eve}/"), due_at=until, reason="Was ill")
    tuesday = Section.objects.get(course=term.course, name="Tuesday")
    term.post(term.address("second", "sections/"), section=tuesday.pk, due_at=local(berlin(10, 31)))
    term.post(f"{COURSE}people/{jon}/", time_percent=150, reason="Needs more time")
    due = resolution_for(term.students["Jon"], term.assignments["third"]).deadline.due_at
    assert due == berlin(11, 6, 11)


def upload(term: Term, slug: str, name: str, at: datetime, mean: int) -> Submission:
    team = team_for(user=term.students[name], assignment=term.assignments[slug])
    submission = accept(team=team, by=term.students[name], filename="mine.py", data=AGENT, at=at)
    for kind in (Kind.SMOKE, Kind.PRACTICE) if slug == "second" else (Kind.SMOKE,):
        fakes.play(submission.evaluations.get(kind=kind), lambda _: mean)
    submission.refresh_from_db()
    return submission


def work(term: Term, slug: str) -> None:
    """Everybody uploads; what counts is graded, with the mean of that very upload."""
    means = {}
    for name, at, mean in UPLOADS[slug]:
        submission = upload(term, slug, name, at, mean)
        means[submission.pk] = mean
        if slug == "third" and name == "Ada" and mean == 16:
            choose_submission(submission=submission, by=term.students[name], at=at)
    for name in dict.fromkeys(name for name, *_ in UPLOADS[slug]):
        team = team_for(user=term.students[name], assignment=term.assignments[slug])
        counted = resolution_for(term.students[name], term.assignments[slug]).counted
        if counted is not None:
            mean = means[counted.pk]
            fakes.play(grade_team(team=team, by=term.ida), lambda _, mean=mean: mean)


def team_up(term: Term) -> None:
    """Partners of the fourth assignment join each other's teams."""
    for first, second in PARTNERS:
        team = team_for(user=term.students[first], assignment=term.assignments["fourth"])
        join_team(
            user=term.students[second],
            assignment=term.assignments["fourth"],
            join_code=team.join_code,
            at=berlin(11, 5),
        )


def give_points(term: Term) -> None:
    """Points for a talk: for a team with a grade, and for a student without any games."""
    for name, points in (("Hal", "2.5"), ("Jon", "5")):
        address = term.address("fourth", f"grades/{term.place(name).pk}/")
        term.post(address, points=points, reason="Gave a talk", with_partners="on")


def change_scheme(term: Term) -> None:
    """Nothing is saved before Ida has seen who gains and who loses, and says why."""
    address = term.address("third", "edit/")
    values = sent(term.client.get(address), **NEW_SCHEME)
    preview = term.client.post(address, values)
    moves = {move.team.name.removesuffix(" Fox"): move.by for move in preview.context["moves"]}
    assert moves == MOVES
    assert (preview.context["n_up"], preview.context["n_down"]) == (1, 2)
    assert preview.context["n_same"] == 1
    assert {*grades_of(term, "third").values()} == {*map(Decimal, (100, 101, 102, 103))}
    term.post(address, **values, scheme_reason="The games were easier than we thought")
    term.assignments["third"].refresh_from_db()
    assert {*grades_of(term, "third").values()} == {*map(Decimal, (80, 100, 102, 104))}


def grades_of(term: Term, slug: str) -> dict[str, Decimal | None]:
    rows = course_rows(term.course, [term.assignments[slug]])
    return {
        student.user.display_name.removesuffix(" Fox"): row.results[0].value
        for student, row in rows
        if row.results[0].points.grade is not None
    }


def told(term: Term) -> set[str]:
    """First names of the students who have had an e-mail about points of the third assignment."""
    letters = Notification.objects.filter(topic=Topic.GRADED, subject__contains="The third")
    return {letter.user.display_name.removesuffix(" Fox") for letter in letters}


def release(term: Term) -> None:
    """Grades of the third assignment: held, then shown to Monday, then to everybody."""
    address = term.address("third", "grades/release/")
    graded = set(grades_of(term, "third"))
    assert (seeing(term, graded), told(term)) == (set(), set())
    before = own_total(term.students["Ada"], term.course)
    assert (before.results[2].part, before.percent) == (GradePart.HELD, Decimal("101.50"))
    term.post(address, section=Section.objects.get(course=term.course, name="Monday").pk)
    assert seeing(term, graded) == told(term) == {"Ada"}
    term.post(address)
    assert seeing(term, graded) == told(term) == graded


def seeing(term: Term, names: set[str]) -> set[str]:
    """The students who may see their points of the third assignment."""
    third = term.assignments["third"]
    return {name for name in names if own_points_of(term.students[name], third) is not None}


def ask_and_answer(term: Term) -> None:
    """Fay's request is granted; Ben's is refused, and his points stay."""
    for name, slug in (("Fay", "third"), ("Ben", "first")):
        asked = term.as_student(name).post(term.address(slug, "my-grade/"), {"text": "Why?"})
        assert asked.status_code == 302
    fay, ben = (RegradeRequest.objects.get(user=term.students[name]) for name in ("Fay", "Ben"))
    assert (fay.points, ben.points) == (80, 100)
    page = f"{COURSE}regrades/{fay.pk}/"
    term.post(page, outcome="changed", points="90", answer="A deal was wrong")
    assert term.client.post(page, {"outcome": "kept", "answer": "No"}).status_code == 422
    term.post(f"{COURSE}regrades/{ben.pk}/", outcome="kept", answer="Ten minutes were forgiven")
    assert Notification.objects.filter(topic=Topic.REGRADE).count() == 2


# --- What comes out -------------------------------------------------------------------------------


def check_gradebook(term: Term) -> None:
    """Every student's row, and what four of them see of their own."""
    assignments = list(term.assignments.values())
    rows = course_rows(term.course, assignments)
    assert len(rows) == EVERYBODY
    for student, row in rows:
        name = student.user.display_name.removesuffix(" Fox")
        points, dropped, total = expected(name)
        assert [cell.value for cell in row.results] == points, name
        assert [cell.assignment.slug for cell in row.of_part(GradePart.DROPPED)] == [dropped], name
        assert row.percent == total, name
        used = tuple(cell.resolution.late_days for cell in row.results)
        assert used == LATE_DAYS.get(name, (0, 0, 0, 0)), name
    for name in ("Ada", "Dan", "Fay", "Jon"):
        page = term.as_student(name).get(COURSE + "my-grades/")
        assert page.context["own"].percent == expected(name)[2], name
        assert f"{floatformat(expected(name)[2], -2)}%" in text_of(page), name


def exported(term: Term, system: str) -> list[dict[str, str]]:
    text = term.client.get(f"{COURSE}grades/{system}/").content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def check_exports(term: Term) -> None:
    """Canvas finds students by SIS ids below its row of points possible, Moodle by address."""
    titles = [assignment.title for assignment in term.assignments.values()]
    possible, *lines = exported(term, "canvas")
    assert possible["Student"].strip() == "Points Possible"
    assert [possible[title] for title in titles] == ["100"] * 4
    canvas = {line["SIS User ID"]: [Decimal(line[title]) for title in titles] for line in lines}
    moodle = {
        line["Email address"]: [Decimal(line[f"Assignment: {title}"]) for title in titles]
        for line in exported(term, "moodle")
    }
    for index in range(EVERYBODY):
        name = name_of(index)
        points, *_ = expected(name)
        assert canvas[f"N{index:04}"] == points, name
        assert moodle[f"{name.lower()}@uni.example"] == points, name
    assert len(canvas) == len(moodle) == EVERYBODY


def check_copy(term: Term) -> None:
    """The next term begins in April: the same weekdays and times, new secrets, nobody in it."""
    values = {
        "title": "Games",
        "slug": "games-2026",
        "term": "Spring 2026",
        "begins": "2026-04-15",
        "parts": ["sections", "late_policy", "scheme", "board_lines"],
    }
    address = COURSE + "life/copy/"
    preview = term.client.post(address, {**values, "preview": "1"})
    term.post(address, **values)
    copy = Course.objects.get(slug="games-2026")
    copies = {assignment.slug: assignment for assignment in copy.assignments.all()}
    assert [local(copies[slug].due_at) for slug in ASSIGNMENTS] == [
        *("2026-04-24T18:00", "2026-05-01T18:00", "2026-05-08T18:00", "2026-05-22T18:00")
    ]
    assert local(copies["first"].opens_at) == "2026-04-13T09:00"
    assert local(copies["second"].section_dates.get().due_at) == "2026-05-08T18:00"
    assert {(due, opens) for _, opens, due in preview.context["dates"]} == {
        (assignment.due_at, assignment.opens_at) for assignment in copies.values()
    }
    secrets = {bytes(row.secret) for row in (*copies.values(), *term.assignments.values())}
    assert len(secrets) == 8
    assert copies["third"].grading == term.assignments["third"].grading
    assert copies["third"].holds_grades
    assert (copy.late_days, copy.drops_lowest) == (3, 1)
    assert [place.user for place in copy.enrolments.all()] == [term.ida]
    assert not Submission.objects.filter(team__assignment__course=copy).exists()
    assert not Notification.objects.filter(body__contains="games-2026").exists()


@pytest.mark.slow
def test_a_term_from_the_roster_to_its_copy_comes_out_as_worked_out_by_hand(term: Term) -> None:
    import_roster(term)
    give_time(term)
    team_up(term)
    for slug in ASSIGNMENTS:
        work(term, slug)
    change_scheme(term)
    give_points(term)
    release(term)
    ask_and_answer(term)
    check_gradebook(term)
    check_exports(term)
    check_copy(term)
    check_gradebook(term)
    link_new_acts()
    assert check(at=timezone.now()).problems == ()
