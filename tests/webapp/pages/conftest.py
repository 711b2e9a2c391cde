"""Fixtures for tests of pages: worlds and stories."""

import pytest

from tests.support import tournaments
from tests.support import world as worlds
from tests.support.templates import copy_of
from tests.support.tournaments import Story
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission


@pytest.fixture
def world(db: None, request: pytest.FixtureRequest) -> World:
    """Ada and Ben are students of Ida's course, Cleo assists."""
    asked = request.fixturenames
    if "ada_graded" in asked:
        return copy_of(worlds.make_graded)
    return copy_of(worlds.make_practised if "practised" in asked else worlds.make)


@pytest.fixture
def practised(world: World) -> Submission:
    """The first upload to that world, Ada's: tested, and practised to the end."""
    return Submission.objects.get()


@pytest.fixture
def ada_graded(world: World) -> Evaluation:
    """Her graded evaluation, finished: the upload of ``practised`` has a grade too."""
    return Evaluation.objects.get(kind="graded")


@pytest.fixture
def story(db: None) -> Story:
    """Three tournaments in different stages."""
    return copy_of(tournaments.tell)
