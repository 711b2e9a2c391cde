"""The JSON API: who gets in, what it takes, what it returns, and that its description is true."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.support import world as worlds
from tests.support.crowd import make_crowd
from tests.support.pages import signed_in
from tests.support.world import SOURCE, World
from webapp.grading.evaluations.history import SubmissionRow
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.accounts.tokens import create_token
from webapp.runtime.api import endpoints
from webapp.teaching.courses.models import Assignment, EnrolmentState

pytestmark = pytest.mark.django_db

SUBMISSIONS = "/api/v1/courses/coop/assignments/hanabi/submissions"
With = Callable[..., Client]


@pytest.fixture
def token_of() -> With:
    def client(user: User, scope: str = "upload") -> Client:
        token = create_token(user=user, name="laptop", at=timezone.now(), scope=scope)
        return Client(headers={"authorization": f"Bearer {token}"})

    return client


def submit(client: Client, data: bytes = SOURCE, name: str = "agent.py", **fields: str) -> Any:
    return client.post(SUBMISSIONS, {"file": SimpleUploadedFile(name, data), **fields})


ADDRESSES = ["me", "assignments", "courses/coop/assignments/hanabi/submissions", "submissions/1"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_request_without_a_token_is_refused(world: World, address: str) -> None:
    member = signed_in(world.ada)
    for client in (Client(), Client(headers={"authorization": "Bearer firebox_x"}), member):
        response = client.get(f"/api/v1/{address}")
        assert response.status_code == 401
        assert "profile page" in response.json()["detail"]


def test_a_token_tells_whose_it_is(world: World, token_of: With) -> None:
    response = token_of(world.ada).get("/api/v1/me")
    assert response.json() == {"name": world.ada.display_name, "email": world.ada.email}


def test_a_token_that_may_only_read_uploads_nothing(world: World, token_of: With) -> None:
    client = token_of(world.ada, scope="read")
    assert client.get(SUBMISSIONS).json() == []
    response = submit(client)
    assert response.status_code == 403
    assert "may only read" in response.json()["detail"]
    assert not Submission.objects.exists()


def test_a_token_ends_with_the_password(world: World, token_of: With) -> None:
    client = token_of(world.ada)
    world.ada.set_password("a-walk-in-the-rain")
    world.ada.save()
    response = client.get("/api/v1/me")
    assert response.status_code == 401
    assert "password has changed" in response.json()["detail"]


def test_assignments_are_those_of_ones_courses(world: World, token_of: With) -> None:
    (found,) = token_of(world.ada).get("/api/v1/assignments").json()
    assert (found["course"], found["assignment"]) == ("coop", "hanabi")
    assert found["url"].endswith("/courses/coop/assignments/hanabi/")
    assert token_of(worlds.person("Dora Stranger")).get("/api/v1/assignments").json() == []


def test_a_submission_is_stored_and_its_smoke_test_queued(world: World, token_of: With) -> None:
    response = submit(token_of(world.ada))
    assert response.status_code == 201
    found = response.json()
    assert (found["number"], found["status"], found["is_under_way"]) == (1, "received", True)
    (smoke,) = found["evaluations"]
    assert (smoke["kind"], smoke["status"], smoke["mean"]) == ("smoke", "queued", None)
    assert Submission.objects.get(pk=found["id"]).uploaded_by == world.ada


def test_a_database_that_fails_after_the_upload_does_not_deny_it(
    world: World, token_of: With, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_: object, **__: object) -> None:
        raise OperationalError("database is locked")

    monkeypatch.setattr("webapp.runtime.api.endpoints.row_of", locked)
    response = submit(token_of(world.ada))
    assert response.status_code == 503
    assert "it may have been taken" in response.json()["detail"]
    assert Submission.objects.count() == 1


def test_an_upload_that_cannot_play_is_refused_with_the_reason(
    world: World, token_of: With
) -> None:
    response = submit(token_of(world.ada), b"not a zip", "agent.zip")
    assert response.status_code == 422
    (message,) = response.json()["messages"]
    assert message["file"] == "agent.zip"
    assert message["text"]
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("filename", "interface", "stored"),
    [
        ("my agent.py", "cs221-python", "my agent.py"),
        ("robot (2).py", "ensta-python", "robot.py"),
        ("mine.py", "python", "agent.py"),
        ("my agent.py", "cs221-python", "agent.py"),
    ],
)
def test_messages_name_the_file_as_it_was_uploaded(
    world: World, token_of: With, *, filename: str, interface: str, stored: str
) -> None:
    """Also one of an earlier version, which stored another name."""
    client = token_of(world.ada)
    number = submit(client).json()["id"]
    said = [{"file": file, "line": 1, "column": 0, "text": "x"} for file in (stored, "Card.h", "")]
    Submission.objects.update(filename=filename, interface=interface, messages=said, notes=said)
    found = client.get(f"/api/v1/submissions/{number}").json()
    for kind in ("messages", "notes"):
        assert [message["file"] for message in found[kind]] == [filename, "Card.h", ""]


def test_an_upload_after_the_deadline_is_refused_with_the_reason(
    world: World, token_of: With
) -> None:
    Assignment.objects.update(due_at=timezone.now(), practice_after_due=False)
    response = submit(token_of(world.ada))
    assert response.status_code == 409
    assert "deadline has passed" in response.json()["detail"]


def test_a_form_without_a_file_is_refused_in_words(world: World, token_of: With) -> None:
    response = token_of(world.ada).post(SUBMISSIONS, {})
    assert response.status_code == 422
    assert response.json()["detail"].startswith("file: ")


def test_a_status_is_no_older_than_the_evaluations_beside_it(
    world: World, token_of: With, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = worlds.upload(world, world.ada)
    smoke = submission.evaluations.get()
    read = endpoints.row_of

    def read_after_its_end(submission: Submission, *, viewer: User) -> SubmissionRow:
        worlds.play(smoke, faults=range(smoke.n_games))
        return read(submission, viewer=viewer)

    monkeypatch.setattr(endpoints, "row_of", read_after_its_end)
    found = token_of(world.ada).get(f"/api/v1/submissions/{submission.pk}").json()
    assert (found["status"], found["is_under_way"]) == ("rejected", False)


def test_the_outcome_of_a_submission_can_be_read(world: World, token_of: With) -> None:
    submission = worlds.submit_and_practise(world, world.ada)
    found = token_of(world.ada).get(f"/api/v1/submissions/{submission.pk}").json()
    practice = submission.evaluations.get(kind="practice")
    shown = {run["kind"]: run for run in found["evaluations"]}
    assert shown["practice"]["mean"] == practice.mean
    assert shown["practice"]["verdict"] == "accepted"
    assert shown["practice"]["wins"] is None
    assert (found["status"], found["is_counted"], found["is_under_way"]) == ("ready", True, False)
    assert token_of(world.ada).get(SUBMISSIONS).json() == [found]


def test_a_grade_shows_its_points(world: World, token_of: With) -> None:
    submission = worlds.submit_and_practise(world, world.ada)
    graded = worlds.grade(world, world.ada)
    found = token_of(world.ada).get(f"/api/v1/submissions/{submission.pk}").json()
    (points,) = [run["points"] for run in found["evaluations"] if run["id"] == str(graded.uuid)]
    assert points == float(graded.grades.get().points)


def test_submissions_of_others_cannot_be_read(world: World, token_of: With) -> None:
    submission = worlds.submit_and_practise(world, world.ada)
    for user in (world.ben, world.ida):  # a token of staff reads their own submissions only
        response = token_of(user).get(f"/api/v1/submissions/{submission.pk}")
        assert response.status_code == 404
        assert response.json()["detail"] == "No such submission."
    assert token_of(world.ben).get(SUBMISSIONS).json() == []


def test_a_person_who_left_the_course_reads_nothing_of_it(world: World, token_of: With) -> None:
    submission = worlds.submit_and_practise(world, world.ada)
    world.course.enrolments.filter(user=world.ada).update(state=EnrolmentState.WITHDRAWN)
    client = token_of(world.ada)
    for address in (f"/api/v1/submissions/{submission.pk}", SUBMISSIONS):
        assert client.get(address).status_code == 404
    assert client.get("/api/v1/assignments").json() == []


def test_a_post_to_an_address_that_can_only_be_read_is_refused(
    world: World, token_of: With
) -> None:
    assert token_of(world.ada).post("/api/v1/me").status_code == 405


def test_the_description_names_every_address_and_its_answers(db: None) -> None:
    description = Client().get("/api/v1/openapi.json").json()
    operations = {
        (path, method): set(operation["responses"])
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }
    one = "/api/v1/courses/{course}/assignments/{assignment}/submissions"
    assert operations == {
        ("/api/v1/me", "get"): {"200", "401"},
        ("/api/v1/assignments", "get"): {"200", "401"},
        (one, "get"): {"200", "401", "403", "404"},
        (one, "post"): {"201", "401", "403", "404", "409", "422", "503"},
        ("/api/v1/submissions/{pk}", "get"): {"200", "401", "403", "404"},
    }
    assert all(
        operation["security"] == [{"AccessTokenAuth": []}]
        for methods in description["paths"].values()
        for operation in methods.values()
    )


def test_many_graded_submissions_take_no_more_queries(
    token_of: With, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    crowd = make_crowd(teams=1, submissions=4)
    (grade,), (ada,) = Grade.objects.all(), crowd.students
    run = grade.evaluation
    for submission in Submission.objects.exclude(pk=run.submission_id):
        run.pk, run.uuid, run.submission = None, uuid4(), submission
        run.save()
        grade.pk, grade.evaluation, grade.is_current = None, run, False
        grade.save()
    client = token_of(ada)
    with django_assert_max_num_queries(17):
        found = client.get("/api/v1/courses/large/assignments/hanabi/submissions").json()
    graded = [each for one in found for each in one["evaluations"] if each["kind"] == "graded"]
    assert [each["points"] is None for each in graded] == [False] * 4
