"""Wherever a mean stands beside a threshold that it misses, it is shown as missing it."""

import re

import pytest
from django.urls import reverse

from tests.support.pages import signed_in
from tests.support.world import World
from webapp.flow.emails import _practice_words
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment, LeaderboardVisibility

MISSED = 14.996
REACHED = re.compile(r"(?<![\d.])15[.]00(?!\d)")
"""What it rounds to: the mean for full points."""


@pytest.fixture
def just_missed(world: World, ada_graded: Evaluation) -> World:
    """Ada's practice and graded games have a mean that is a little short of full points."""
    Evaluation.objects.exclude(kind="smoke").update(mean=MISSED, low=14.9, high=15.1)
    Grade.objects.update(mean=MISSED, points=50)
    Assignment.objects.update(leaderboard=LeaderboardVisibility.PUBLIC)
    return world


def pages_of(world: World) -> dict[str, list[str]]:
    own = [world.course.slug, world.assignment.slug]
    submission = Submission.objects.get()
    graded = Evaluation.objects.get(kind="graded")
    students = [
        reverse("home"),
        reverse("courses:assignment", args=own),
        reverse("submissions:submission", args=[submission.pk]),
        reverse("evaluations:evaluation", args=[graded.uuid]),
        reverse("leaderboards:leaderboard", args=own),
        reverse("gradebook:own", args=own),
        reverse("gradebook:own_course", args=own[:1]),
    ]
    staff = [
        reverse("evaluations:staff", args=own),
        reverse("gradebook:grades", args=own),
        reverse("leaderboards:leaderboard", args=own),
    ]
    return {"ada": students, "ida": staff}


@pytest.mark.parametrize("who", ["ada", "ida"])
def test_no_page_shows_a_mean_that_is_missed_as_reached(just_missed: World, who: str) -> None:
    client = signed_in(getattr(just_missed, who))
    seen = 0
    for address in pages_of(just_missed)[who]:
        response = client.get(address)
        assert response.status_code == 200, address
        page = response.content.decode()
        assert REACHED.search(page) is None, address
        seen += "14.996" in page
    assert seen >= 3


def test_the_e_mail_on_practice_shows_it_as_missed(just_missed: World) -> None:
    _, sentence = _practice_words(Evaluation.objects.get(kind="practice"))
    assert "14.996 (" in sentence
