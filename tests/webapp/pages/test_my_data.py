"""The download of everything about oneself: a zip archive whose manifest is true."""

import hashlib
import json
import zipfile
from datetime import UTC, datetime
from io import BytesIO

import pytest

from tests.support import world as worlds
from tests.support.pages import signed_in
from tests.support.world import World
from webapp.grading.submissions.models import KeptUpload, Submission
from webapp.pages.accounts.export import uploads_of
from webapp.people.accounts.identities import confirm_address
from webapp.teaching.courses.models import EnrolmentState
from webapp.teaching.courses.services import change_people

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
ADDRESS = "/accounts/profile/download.zip"


@pytest.fixture(autouse=True)
def confirmed(world: World) -> None:
    confirm_address(world.ada)
    confirm_address(world.ben)


def test_the_download_has_the_data_the_programs_and_a_true_manifest(
    practised: Submission, world: World
) -> None:
    answer = signed_in(world.ada).get(ADDRESS)
    files = zipfile.ZipFile(BytesIO(answer.content))
    manifest = json.loads(files.read("manifest.json"))
    assert manifest["about"] == world.ada.email
    assert {entry["name"] for entry in manifest["files"]} == {
        "everything.json",
        "programs/coop/hanabi/submission-1.zip",
    }
    for entry in manifest["files"]:
        assert hashlib.sha256(files.read(entry["name"])).hexdigest() == entry["sha256"]
    assert json.loads(files.read("everything.json"))["account"]["email"] == world.ada.email
    program = zipfile.ZipFile(BytesIO(files.read("programs/coop/hanabi/submission-1.zip")))
    assert program.namelist() == ["agent.py"]
    files = zipfile.ZipFile(BytesIO(signed_in(world.ben).get(ADDRESS).content))
    assert set(files.namelist()) == {"everything.json", "manifest.json"}
    assert signed_in(None).get(ADDRESS).status_code == 302


def test_a_person_who_left_gets_no_program_of_a_partner(
    practised: Submission, world: World
) -> None:
    practised.team.memberships.create(assignment=world.assignment, user=world.ben)
    world.course.enrolments.exclude(user=world.ida).update(state=EnrolmentState.WITHDRAWN)
    for user, programs in ((world.ada, 1), (world.ben, 0)):
        files = zipfile.ZipFile(BytesIO(signed_in(user).get(ADDRESS).content))
        told = json.loads(files.read("everything.json"))
        assert len(files.namelist()) == 2 + programs
        assert {each["kind"] for each in told["evaluations"]} == {"smoke", "practice"}


def test_the_download_has_a_kept_upload(world: World) -> None:
    KeptUpload.objects.create(
        user=world.ada, assignment=world.assignment, filename="a b.py", data=b"x = 1", at=NOW
    )
    files = zipfile.ZipFile(BytesIO(signed_in(world.ada).get(ADDRESS).content))
    assert files.read("kept/coop/hanabi/a_b.py") == b"x = 1"
    (row,) = json.loads(files.read("everything.json"))["kept_uploads"]
    assert row["filename"] == "a b.py"


def test_a_person_who_left_reads_their_own_uploads_and_no_later_ones(
    practised: Submission, world: World
) -> None:
    team = practised.team
    team.memberships.create(assignment=world.assignment, user=world.ben)
    change_people(
        course=world.course,
        by=world.ida,
        enrolments=[world.course.enrolments.get(user=world.ben)],
        state=EnrolmentState.WITHDRAWN,
        reason="Left",
    )
    later = worlds.upload(world, world.ada)
    team.memberships.filter(user=world.ada).delete()
    assert set(uploads_of(world.ben)) == {practised}
    assert set(uploads_of(world.ada)) == {practised, later}
    assert not uploads_of(world.ida).exists()
