"""The download of everything about oneself: a zip archive whose manifest is true."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from io import BytesIO

import pytest
from django.test import Client

from tests.support.world import World
from webapp.accounts.models import User
from webapp.courses.models import EnrolmentState
from webapp.submissions.models import Submission

pytestmark = pytest.mark.django_db

ADDRESS = "/accounts/profile/download.zip"


def test_it_has_the_data_the_programs_and_a_true_manifest(
    practised: Submission, world: World, as_user: Callable[[User | None], Client]
) -> None:
    answer = as_user(world.ada).get(ADDRESS)
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


def test_who_has_left_the_course_gets_no_program_of_a_partner(
    practised: Submission, world: World, as_user: Callable[[User | None], Client]
) -> None:
    practised.team.memberships.create(assignment=world.assignment, user=world.ben)
    world.course.enrolments.exclude(user=world.ida).update(state=EnrolmentState.WITHDRAWN)
    for user, programs in ((world.ada, 1), (world.ben, 0)):
        files = zipfile.ZipFile(BytesIO(as_user(user).get(ADDRESS).content))
        told = json.loads(files.read("everything.json"))
        assert len(files.namelist()) == 2 + programs
        assert {each["kind"] for each in told["evaluations"]} == {"smoke", "practice"}


def test_nobody_gets_anothers(
    practised: Submission, world: World, as_user: Callable[[User | None], Client]
) -> None:
    files = zipfile.ZipFile(BytesIO(as_user(world.ben).get(ADDRESS).content))
    assert set(files.namelist()) == {"everything.json", "manifest.json"}
    assert as_user(None).get(ADDRESS).status_code == 302
