"""Telling the secret of the graded deals: when it is offered, what is asked first, what it ends."""

import pytest

from tests.support import world as worlds
from tests.support.pages import ASSIGNMENT, read, signed_in, text_of
from tests.support.world import World
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment, Team

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

STAFF = ASSIGNMENT + "teams/"
CONFIRM = ASSIGNMENT + "reveal/confirm/"


def over() -> None:
    Submission.objects.update(uploaded_at="2025-01-01T00:00Z")
    Assignment.objects.update(opens_at="2020-01-01T00:00Z", due_at="2026-01-01T00:00Z")


def test_before_the_last_deadline_the_secret_is_not_offered_but_the_time_is_said(
    world: World,
) -> None:
    client = signed_in(world.ida)
    assert CONFIRM not in read(client, STAFF)
    page = read(client, CONFIRM)
    assert "Teams can still submit" in page
    assert '<button class="primary">' not in page


def test_an_extension_postpones_the_reveal(world: World) -> None:
    worlds.team_of(world, world.ada)
    over()
    Team.objects.update(extended_due_at="2099-02-01T00:00Z")
    client = signed_in(world.ida)
    for address in (STAFF, CONFIRM):
        assert "1 Feb 2099" in read(client, address)
        assert "Reveal the secret for good" not in read(client, address)


def test_teams_without_the_grade_that_they_could_have_are_named_first(
    world: World, ada_graded: Evaluation
) -> None:
    worlds.submit_and_practise(world, world.ben)
    over()
    page = read(signed_in(world.ida), CONFIRM)
    warning = page.partition("Not graded yet")[2].partition("</p>")[0]
    assert "Ben Okri" in warning
    assert "Ada Lovelace" not in warning


def test_the_secret_is_revealed_by_instructors_after_a_page_that_explains_it(world: World) -> None:
    over()
    assert CONFIRM not in read(signed_in(world.cleo), STAFF)
    assert signed_in(world.cleo).get(CONFIRM).status_code == 403
    client = signed_in(world.ida)
    assert CONFIRM in read(client, STAFF)
    assert f'action="{ASSIGNMENT}reveal/"' not in read(client, STAFF)
    page = read(client, CONFIRM)
    assert "This cannot be undone." in page
    assert "no team can be given more time" in page
    assert f'action="{ASSIGNMENT}reveal/"' in page
    assert "The secret is now on" in text_of(client.post(
        ASSIGNMENT + "reveal/", follow=True
    ))  # fmt: skip
    assert "Reveal the secret for good" not in read(client, CONFIRM)
    secret = bytes(Assignment.objects.get().secret).hex()
    assert secret in read(signed_in(world.ada), ASSIGNMENT)


def test_once_the_secret_is_revealed_no_more_time_is_offered(
    world: World, practised: Submission
) -> None:
    over()
    client = signed_in(world.ida)
    assert "More time" in read(client, STAFF)
    Assignment.objects.update(secret_revealed_at="2026-01-02T00:00Z")
    page = read(client, STAFF)
    assert "More time" not in page
    assert "Grade…</a>" in page
