"""Copies of worlds that are made once a run: complete, untouched, and never mixed up."""

from pathlib import Path

import pytest
from django.db import IntegrityError
from pytest_django import Settings

from tests.support import tournaments
from tests.support import world as worlds
from tests.support.templates import copy_of
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment

pytestmark = pytest.mark.django_db


@pytest.mark.slow
@pytest.mark.parametrize("_time", range(2))
def test_changes_by_one_test_do_not_reach_another(settings: Settings, _time: int) -> None:
    story = copy_of(tournaments.tell)
    assert Assignment.objects.get() == story.world.assignment
    assert story.world.assignment.title == Assignment.objects.get().title == "Hanabi with a twin"
    stored = [path for path in Path(settings.STORE_URL).rglob("*") if path.is_file()]
    assert {each.sha256 for each in Submission.objects.all()} <= {path.name for path in stored}
    Assignment.objects.update(title="Changed")
    story.world.assignment.title = "Changed"
    for path in stored:
        path.unlink()


def test_a_world_is_not_copied_over_another() -> None:
    copy_of(worlds.make)
    with pytest.raises(IntegrityError):
        copy_of(worlds.make)
