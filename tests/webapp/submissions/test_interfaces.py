"""Uploads for several interfaces: which one is meant, and whose number a file carries."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from pytest_django import Settings

from grader.interfaces import INTERFACES
from grader.uploads.archive import read_archive
from tests.support.every import every
from tests.support.zips import zipped
from tests.webapp.conftest import AGENT, NOW
from webapp.base.artefacts import store
from webapp.base.errors import Refused, UploadRefused
from webapp.flow.pipeline import accept, accept_from, update_assignment
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course, Team
from webapp.teaching.courses.services import join_team, set_student_number, team_for

AGENTS = Path(__file__).parents[2] / "grader" / "interfaces"
JAVA = (AGENTS / "uwa_java" / "agents" / "Agent10000001.java").read_bytes()
CPP = (AGENTS / "gcc_cpp" / "agents" / "veteran" / "Player.h").read_bytes()
ENSTA = (AGENTS / "ensta" / "agents" / "careful" / "robot.py").read_bytes()
CS221 = (AGENTS / "cs221" / "agents" / "plain.py").read_bytes()


@pytest.fixture
def several(assignment: Assignment, ida: User) -> Assignment:
    """Takes Python in two ways, C++ and Firebox's own class."""
    update_assignment(
        assignment=assignment,
        by=ida,
        interfaces=["python", "gcc-cpp", "ensta-python"],
        options={"variant": "standard", "players": 2},
    )
    return assignment


def upload(user: User, to: Assignment, filename: str, data: bytes, **how: str) -> Submission:
    return accept_from(user=user, assignment=to, filename=filename, data=data, at=NOW, **how)


def test_the_interface_is_recognised_from_the_sources(several: Assignment, ada: User) -> None:
    assert upload(ada, several, "mine.py", AGENT).interface == "python"
    assert upload(ada, several, "robot.py", ENSTA).interface == "ensta-python"
    assert upload(ada, several, "Player.h", CPP).interface == "gcc-cpp"


@every(
    ("filename", "data", "how", "words"),
    [
        ("Agent1.java", JAVA, {}, "Upload one file that ends in .h, .hpp, .py"),
        ("a.py", CS221, {"interface": "cs221-python"}, "does not take"),
        ("a.py", CS221, {"interface": "nonsense"}, "does not take"),
        ("Player.h", CPP, {"agent_class": "A"}, "not the upload that names a class"),
    ],
)
def test_an_upload_that_fits_no_interface_or_not_the_chosen_one_is_refused_with_a_message(
    several: Assignment, ada: User, filename: str, data: bytes, how: dict[str, str], words: str
) -> None:
    with pytest.raises((Refused, UploadRefused), match=words):
        upload(ada, several, filename, data, **how)
    assert not Team.objects.exists()


def test_signs_of_two_interfaces_have_the_student_choose(several: Assignment, ada: User) -> None:
    both = zipped(("agent.py", AGENT), ("robot.py", ENSTA))
    with pytest.raises(UploadRefused, match="Choose the interface yourself"):
        upload(ada, several, "both.zip", both)
    assert upload(ada, several, "both.zip", both, interface="python").interface == "python"


def test_a_chosen_interface_is_not_second_guessed(several: Assignment, team: Team) -> None:
    by = team.users.get()
    team.refresh_from_db()
    found = accept(team=team, by=by, filename="a.py", data=AGENT, interface="ensta-python", at=NOW)
    assert found.interface == "ensta-python"


def test_the_chosen_class_is_stored_with_the_sources(several: Assignment, ada: User) -> None:
    found = upload(ada, several, "robot.py", ENSTA, agent_class=" Robot ")
    files = {file.name: file.data for file in read_archive(store().get(found.sha256)).files}
    assert files["firebox.json"] == b'{"class": "Robot"}'


def test_every_submission_has_an_interface(submission: Submission) -> None:
    rows = Submission.objects.filter(pk=submission.pk)
    for name in INTERFACES:
        rows.update(interface=name)
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(interface="")


# --- Student numbers --------------------------------------------------------------------------


@pytest.fixture
def numbered(assignment: Assignment, ida: User) -> Assignment:
    """Takes Java, in files named with the uploader's student number."""
    update_assignment(
        assignment=assignment,
        by=ida,
        interfaces=["uwa-java"],
        options={"variant": "uwa", "players": 2},
        checks_student_number=True,
    )
    return assignment


@pytest.fixture
def say_number(course: Course) -> Callable[[User, str], None]:
    def say(user: User, number: str) -> None:
        set_student_number(enrolment=course.enrolments.get(user=user), by=user, number=number)

    return say


def upload_java(user: User, assignment: Assignment, name: str = "Agent10000001.java") -> Submission:
    return upload(user, assignment, name, JAVA)


@pytest.mark.parametrize("number", ["10000001", "u10000001", " 1000 0001"])
def test_a_file_with_the_uploaders_own_number_is_taken(
    numbered: Assignment, ada: User, say_number: Callable[[User, str], None], number: str
) -> None:
    say_number(ada, number)
    assert upload_java(ada, numbered).interface == "uwa-java"


def test_anothers_student_number_is_refused_with_advice(
    numbered: Assignment, ada: User, say_number: Callable[[User, str], None], settings: Settings
) -> None:
    say_number(ada, "20000002")
    with pytest.raises(UploadRefused, match="number 10000001; yours is 20000002"):
        upload_java(ada, numbered)
    assert not Submission.objects.exists()
    assert not Path(settings.STORE_URL).exists()


def test_a_partner_uploads_what_is_named_after_the_other(
    numbered: Assignment, ada: User, ben: User, ida: User, say_number: Callable[[User, str], None]
) -> None:
    update_assignment(assignment=numbered, by=ida, max_team_size=2)
    say_number(ada, "10000001")
    say_number(ben, "20000002")
    team = team_for(user=ada, assignment=numbered)
    join_team(user=ben, assignment=numbered, join_code=team.join_code, at=NOW)
    assert upload_java(ben, numbered).team == team


def test_without_a_number_one_is_told_where_to_enter_it(numbered: Assignment, ada: User) -> None:
    with pytest.raises(Refused, match="Enter it on your profile page"):
        upload_java(ada, numbered)
    assert not Team.objects.exists()


def test_names_without_a_student_number_can_be_uploaded_by_everybody(
    numbered: Assignment, ada: User
) -> None:
    for name in ("Agent7.java", "Careful.java", "AgentAgent10000001.java"):
        assert upload_java(ada, numbered, name).filename == name


def test_numbers_inside_an_archive_count_too(
    numbered: Assignment, ada: User, say_number: Callable[[User, str], None]
) -> None:
    say_number(ada, "20000002")
    packed = zipped(("agents/Agent10000001.java", JAVA))
    with pytest.raises(UploadRefused, match="10000001"):
        accept_from(user=ada, assignment=numbered, filename="x.zip", data=packed, at=NOW)


def test_staff_upload_anybodys_agent(numbered: Assignment, ida: User) -> None:
    assert upload_java(ida, numbered).number == 1


def test_without_the_check_any_name_is_taken(numbered: Assignment, ada: User, ida: User) -> None:
    update_assignment(assignment=numbered, by=ida, checks_student_number=False)
    assert upload_java(ada, numbered).number == 1
