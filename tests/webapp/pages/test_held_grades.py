"""Held grades: nothing of them is on any page, board, file or e-mail before their release."""

import re
from collections.abc import Iterator

import pytest
from django.test import Client
from django.utils import timezone

from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, COURSE, signed_in, text_of
from tests.support.world import World
from tests.webapp.fakes import works
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.pipeline import answer_regrade, release_grades
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.models import Grade
from webapp.grading.gradebook.points import grade_of
from webapp.grading.gradebook.services import ask_regrade, set_points
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.identities import confirm_address
from webapp.people.accounts.tokens import create_token
from webapp.people.notifications.models import Notification, Topic
from webapp.teaching.courses.models import Assignment, LeaderboardVisibility
from webapp.teaching.courses.releases import is_held
from webapp.teaching.courses.services import (
    create_section,
    hold_grades,
    set_section,
    update_assignment,
)

pytestmark = pytest.mark.django_db

BOARD = ASSIGNMENT + "leaderboard/"
API = "/api/v1/"


@pytest.fixture
def held(world: World, practised: Submission) -> Evaluation:
    """Ada's graded evaluation with a comment by hand, held; its games may be seen otherwise."""
    Assignment.objects.update(
        holds_grades=True,
        leaderboard=LeaderboardVisibility.PUBLIC,
        secret_revealed_at=timezone.now(),
    )
    confirm_address(world.ada)
    evaluation = worlds.grade(world, world.ada, agent="convention")
    world.assignment.refresh_from_db()
    set_points(
        enrolment=world.course.enrolments.get(user=world.ada),
        assignment=world.assignment,
        by=world.ida,
        points=None,
        comment="Quietly brilliant.",
        reason="Read the code.",
    )
    return evaluation


def everything(evaluation: Evaluation, submission: Submission) -> list[str]:
    rests = ("", "live/", "games/", "games/0/", "games/0/record/", "export/", "watch/next/")
    own = [f"/evaluations/{evaluation.uuid}/{rest}" for rest in rests]
    kinds = ("", "?kind=practice")
    boards = [f"{BOARD}{rest}{kind}" for rest in ("", "live/", "screen/") for kind in kinds]
    alias = submission.team.alias.replace(" ", "%20")
    return [
        *("/", "/boards/", COURSE, ASSIGNMENT, ASSIGNMENT + "submissions/"),
        *(
            COURSE + "my-grades/",
            ASSIGNMENT + "my-grade/",
            ASSIGNMENT + "dates/",
            ASSIGNMENT + "compare/",
        ),
        *(f"/submissions/{submission.pk}/", f"/submissions/{submission.pk}/live/"),
        *("/accounts/profile/", "/accounts/profile/download/"),
        *(ASSIGNMENT + "leaderboard.csv", f"{BOARD}{alias}/"),
        *(COURSE + "announcements/", ASSIGNMENT + "tournaments/", ASSIGNMENT + "ladder/"),
        *own,
        *boards,
    ]


def traces(text: str, evaluation: Evaluation, grade: Grade) -> Iterator[str]:
    secrets = [str(evaluation.uuid), f"{evaluation.mean:.2f}", "Quietly brilliant", "Graded by"]
    for secret in secrets:
        if secret in text:
            yield secret
    if re.search(rf"(?<![\d.,]){grade.points.normalize():f} (points|of \d)", text):
        yield "points"


def found(client: Client, addresses: list[str], evaluation: Evaluation) -> dict[str, list[str]]:
    grade = grade_of(evaluation.submission.team) if evaluation.submission else None
    assert grade is not None
    assert evaluation.mean is not None
    told = {}
    for address in addresses:
        response = client.get(address)
        if response.status_code in (200, 204, 302) and (
            words := list(traces(response.content.decode(), evaluation, grade))
        ):
            told[address] = words
    return told


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ada", "ben", ""])
def test_no_page_tells_anything_of_a_held_grade(
    name: str, world: World, practised: Submission, held: Evaluation
) -> None:
    held.refresh_from_db()
    practice = practised.evaluations.get(kind="practice")
    assert f"{practice.mean:.2f}" != f"{held.mean:.2f}"
    client = signed_in(getattr(world, name) if name else None)
    assert found(client, everything(held, practised), held) == {}


def test_pages_tell_of_it_once_it_is_released(world: World, held: Evaluation) -> None:
    held.refresh_from_db()
    mine = signed_in(world.ada)
    assert mine.get(f"/evaluations/{held.uuid}/").status_code == 404
    assert "Points are not released yet" in text_of(mine.get(ASSIGNMENT))
    release_grades(assignment=world.assignment, by=world.ida)
    own = {"/", COURSE, ASSIGNMENT, ASSIGNMENT + "my-grade/", "/accounts/profile/download/"}
    pages = [*own, BOARD, BOARD + "screen/", f"/evaluations/{held.uuid}/"]
    assert {*found(mine, pages, held)} == {*pages}


def test_staff_see_held_grades_but_neither_the_lecture_room_nor_the_api(
    world: World, practised: Submission, held: Evaluation
) -> None:
    held.refresh_from_db()
    client = signed_in(world.cleo)
    assert f"{held.mean:.2f}" in client.get(BOARD).content.decode()
    assert f"{held.mean:.2f}" in client.get(ASSIGNMENT + "grades/").content.decode()
    assert client.get(f"/evaluations/{held.uuid}/games/0/").status_code == 200
    assert found(client, [BOARD + "screen/"], held) == {}
    token = create_token(user=world.ada, name="laptop", at=timezone.now())
    client = Client(headers={"authorization": f"Bearer {token}"})
    addresses = [
        f"{API}courses/coop/assignments/hanabi/submissions",
        f"{API}submissions/{practised.pk}",
        f"{API}assignments",
    ]
    assert found(client, addresses, held) == {}
    release_grades(assignment=world.assignment, by=world.ida)
    assert {*found(client, addresses, held)} == {*addresses[:2]}


def test_students_are_told_by_e_mail_when_grades_are_released_and_once(
    world: World, practised: Submission, held: Evaluation
) -> None:
    told = Notification.objects.filter(topic=Topic.GRADED)
    assert not told.exists()
    release_grades(assignment=world.assignment, by=world.ida)
    assert [letter.user for letter in told] == [world.ada]
    hold_grades(assignment=world.assignment, by=world.ida, reason="A deal was wrong.")
    release_grades(assignment=world.assignment, by=world.ida)
    assert told.count() == 1


def test_a_section_can_be_first_and_partners_wait_for_each_other(
    world: World, practised: Submission, held: Evaluation
) -> None:
    early = create_section(course=world.course, by=world.ida, name="Early")
    place = world.course.enrolments.get(user=world.ada)
    set_section(enrolment=place, by=world.ida, section=early)
    practised.team.memberships.create(assignment=world.assignment, user=world.ben)
    release_grades(assignment=world.assignment, by=world.ida, section=early)
    assert signed_in(world.ada).get(f"/evaluations/{held.uuid}/").status_code == 404
    ben = world.course.enrolments.get(user=world.ben)
    set_section(enrolment=ben, by=world.ida, section=early)
    assert signed_in(world.ada).get(f"/evaluations/{held.uuid}/").status_code == 200
    assert signed_in(world.ben).get(f"/evaluations/{held.uuid}/").status_code == 200
    assert is_held(world.assignment)
    assert [row.points.is_held for row in works(world.assignment)] == [False, False]


def test_a_student_of_a_released_section_without_points_does_not_wait_for_a_release(
    world: World, held: Evaluation
) -> None:
    early = create_section(course=world.course, by=world.ida, name="Early")
    ben = world.course.enrolments.get(user=world.ben)
    release_grades(assignment=world.assignment, by=world.ida, section=early)
    for section, waits in ((None, True), (early, False)):
        set_section(enrolment=ben, by=world.ida, section=section)
        for address in (ASSIGNMENT, ASSIGNMENT + "my-grade/"):
            page = text_of(signed_in(world.ben).get(address))
            assert ("Points are not released yet" in page) is waits


def test_only_instructors_release_and_nothing_is_released_twice(
    world: World, held: Evaluation
) -> None:
    with pytest.raises(NotAllowed):
        release_grades(assignment=world.assignment, by=world.cleo)
    address = ASSIGNMENT + "grades/release/"
    assert signed_in(world.ida).post(address).status_code == 302
    with pytest.raises(Refused, match="already"):
        release_grades(assignment=world.assignment, by=world.ida)
    assert "Students see their grades" in text_of(signed_in(world.ida).get(address))


def test_grades_are_hidden_again_with_a_reason(world: World, held: Evaluation) -> None:
    release_grades(assignment=world.assignment, by=world.ida)
    client = signed_in(world.ida)
    client.post(ASSIGNMENT + "grades/hold/", {"reason": ""})
    assert not is_held(world.assignment)
    client.post(ASSIGNMENT + "grades/hold/", {"reason": "A deal was wrong."})
    assert is_held(world.assignment)
    assert signed_in(world.ada).get(f"/evaluations/{held.uuid}/").status_code == 404


def test_hiding_withdraws_the_releases_of_sections_and_the_page_says_so(
    world: World, held: Evaluation
) -> None:
    early = create_section(course=world.course, by=world.ida, name="Early")
    page, client = ASSIGNMENT + "grades/release/", signed_in(world.ida)
    assert "Hide grades" not in text_of(client.get(page))
    client.post(page, {"section": early.pk})
    assert "withdraws the release to section Early" in text_of(client.get(page))
    client.post(ASSIGNMENT + "grades/hold/", {"reason": "A deal was wrong."})
    assert not world.assignment.releases.exists()
    shown = text_of(client.get(page))
    assert "A deal was wrong. Until then they were released to section Early." in shown


def test_grades_that_are_held_again_are_not_shown_by_an_earlier_release(
    world: World, held: Evaluation
) -> None:
    release_grades(assignment=world.assignment, by=world.ida)
    for holds in (False, True):
        update_assignment(assignment=world.assignment, by=world.ida, holds_grades=holds)
        assert is_held(world.assignment) is holds


def test_requests_and_their_answers_are_hidden_with_the_grade(
    world: World, held: Evaluation
) -> None:
    release_grades(assignment=world.assignment, by=world.ida)
    asked = ask_regrade(assignment=world.assignment, user=world.ada, text="Why so few?")
    hold_grades(assignment=world.assignment, by=world.ida, reason="A deal was wrong.")
    answer_regrade(request=asked, by=world.ida, outcome="kept", answer="It is 103 by the scheme.")
    client = signed_in(world.ada)
    for address in (ASSIGNMENT + "my-grade/", "/accounts/profile/download/"):
        assert "by the scheme" not in client.get(address).content.decode()
    release_grades(assignment=world.assignment, by=world.ida)
    for address in (ASSIGNMENT + "my-grade/", "/accounts/profile/download/"):
        assert "by the scheme" in client.get(address).content.decode()
