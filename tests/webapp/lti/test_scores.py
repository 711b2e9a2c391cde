"""Points on their way to a platform: sent once, tried again, given up, sent by hand."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from allauth.socialaccount.models import SocialAccount
from django.test import Client
from django.utils import timezone

from tests.support import world as worlds
from tests.support.lti_platform import CLAIM, LtiPlatform
from tests.support.pages import signed_in, text_of
from tests.support.templates import copy_of
from tests.support.world import World
from tests.webapp.lti.conftest import Open
from webapp.base.celery import PERIODIC
from webapp.base.errors import NotAllowed
from webapp.flow.lti import scores
from webapp.flow.lti.models import LinkedAssignment, LinkedCourse, Platform, Score
from webapp.flow.lti.platforms import connector_of
from webapp.flow.tasks import send_scores
from webapp.grading.gradebook.models import Grade
from webapp.people.accounts.identities import confirm_address
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Assignment

pytestmark = pytest.mark.django_db

PAGE = "/courses/coop/assignments/hanabi/platforms/"


@pytest.fixture
def world(db: None) -> World:
    """Ada has a grade, Ben has none."""
    return copy_of(worlds.make_graded)


@pytest.fixture
def link(linked: LinkedCourse, world: World, open_link: Open) -> LinkedAssignment:
    custom = {CLAIM + "custom": {"firebox_assignment": str(world.assignment.pk)}}
    for name in ("ada", "ben"):
        open_link(sub=name, email=f"{name}@example.org", follow=False, **custom)
    return LinkedAssignment.objects.get()


def ida(world: World) -> Client:
    return signed_in(world.ida)


def press(world: World, button: str, **data: str) -> Any:
    return ida(world).post(f"{PAGE}{button}/", data, follow=True)


def test_points_are_sent_once_and_again_when_they_change(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    assert "Points of 1 student are being sent." in text_of(press(world, "send"))
    assert scores.send_due(at=timezone.now()) == 1
    (sent,) = platform.scores
    points = Grade.objects.get().points
    assert (sent["userId"], sent["scoreGiven"], sent["scoreMaximum"]) == ("ada", float(points), 100)
    assert sent["path"] == "/columns/1/scores?type=7"
    assert "has all points" in text_of(press(world, "send"))
    assert scores.send_due(at=timezone.now()) == 0
    Grade.objects.update(points=Decimal("12.5"))
    press(world, "send")
    assert scores.send_due(at=timezone.now()) == 1
    assert platform.scores[-1]["scoreGiven"] == 12.5
    assert Act.objects.filter(kind="grade.sent", by=world.ida).count() == 3


def test_points_that_students_do_not_see_yet_are_not_sent(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    Assignment.objects.update(holds_grades=True)
    assert "has all points" in text_of(press(world, "send"))
    assert not Score.objects.exists()


def test_points_that_were_hidden_while_they_waited_are_sent_when_they_are_seen_again(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "send")
    Assignment.objects.update(holds_grades=True)
    Grade.objects.update(points=Decimal("12.5"))
    at = timezone.now()
    assert scores.send_due(at=at) == 0
    assert platform.scores == []
    Assignment.objects.update(holds_grades=False)
    assert scores.send_due(at=at + timedelta(hours=1)) == 1
    assert platform.scores[-1]["scoreGiven"] == 12.5


def test_points_that_were_taken_back_are_cleared_on_the_platform(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "send")
    scores.send_due(at=timezone.now())
    Grade.objects.update(is_current=False)
    assert "Points of 1 student are being sent." in text_of(press(world, "send"))
    assert scores.send_due(at=timezone.now()) == 1
    cleared = platform.scores[-1]
    assert "scoreGiven" not in cleared
    assert (cleared["userId"], cleared["gradingProgress"]) == ("ada", "NotReady")
    assert "has all points" in text_of(press(world, "send"))


def test_a_column_that_took_the_place_of_another_gets_all_points(
    link: LinkedAssignment, world: World, platform: LtiPlatform, open_link: Open
) -> None:
    press(world, "send")
    scores.send_due(at=timezone.now())
    endpoint = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
    column = {endpoint: {"scope": [], "lineitem": f"{platform.url}/columns/2"}}
    custom = {CLAIM + "custom": {"firebox_assignment": str(world.assignment.pk)}}
    open_link(sub="ben", email="ben@example.org", follow=False, **custom, **column)
    press(world, "send")
    assert scores.send_due(at=timezone.now()) == 1
    assert platform.scores[-1]["path"] == "/columns/2/scores"


def test_points_that_were_taken_back_before_they_were_sent_are_forgotten(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "send")
    Grade.objects.update(is_current=False)
    assert scores.send_due(at=timezone.now()) == 0
    assert platform.scores == []
    assert not Score.objects.exists()


def test_points_that_wait_go_with_the_full_score_of_the_scheme_that_gave_them(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "send")
    platform.fails_with = 404
    scores.send_due(at=timezone.now())
    platform.fails_with = None
    world.assignment.refresh_from_db()
    Assignment.objects.update(grading={**world.assignment.grading, "full_points": "10"})
    Grade.objects.update(points=Decimal("8.5"))
    press(world, "again")
    assert scores.send_due(at=timezone.now()) == 1
    sent = platform.scores[-1]
    assert (sent["scoreGiven"], sent["scoreMaximum"]) == (8.5, 10)


def test_points_that_were_given_up_are_among_those_that_a_platform_does_not_have(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "send")
    assert "wait to be sent" in text_of(press(world, "send"))
    platform.fails_with = 404
    scores.send_due(at=timezone.now())
    score = Score.objects.get()
    assert score.state == "failed"
    assert "no such user" in score.error
    platform.fails_with = None
    assert "Points of 1 student are being sent." in text_of(press(world, "send"))
    assert scores.send_due(at=timezone.now()) == 1


@pytest.mark.slow
def test_a_platform_that_is_down_is_asked_again_later_and_then_no_more(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "send")
    platform.fails_with = 503
    at = timezone.now()
    for pause in (*scores.PAUSES, timedelta(0)):
        assert scores.send_due(at=at) == 0
        assert scores.send_due(at=at) == 0
        at += pause
    score = Score.objects.get()
    assert (score.state, score.attempts) == ("failed", len(scores.PAUSES) + 1)
    page = text_of(ida(world).get(PAGE))
    assert "Ada Lovelace" in page
    assert "answered 503" in page
    platform.fails_with = None
    assert "sent again" in text_of(press(world, "again"))
    assert scores.send_due(at=timezone.now()) == 1


def test_points_of_people_unknown_to_the_platform_are_given_up(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "send")
    SocialAccount.objects.filter(user=world.ada).delete()
    assert scores.send_due(at=timezone.now()) == 0
    assert platform.scores == []
    assert "not linked with the platform" in Score.objects.get().error


def test_a_platform_that_does_not_answer_loses_nothing(
    link: LinkedAssignment, world: World
) -> None:
    press(world, "send")
    Platform.objects.update(token_url="http://127.0.0.1:9/token")
    assert scores.send_due(at=timezone.now()) == 0
    assert Score.objects.get().error == "did not answer"


@pytest.mark.parametrize("answer", [["a token"], "a token", {}])
def test_a_platform_that_gives_no_token_loses_nothing(
    link: LinkedAssignment, world: World, platform: LtiPlatform, answer: object
) -> None:
    press(world, "send")
    platform.token_answer = answer
    assert scores.send_due(at=timezone.now()) == 0
    row = Score.objects.get()
    assert (row.state, row.attempts) == (Score.State.WAITING, 1)


def test_an_automatic_link_sends_points_by_itself(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "keep", keeps="yes")
    at = timezone.now()
    assert scores.send_due(at=at) == 1
    Grade.objects.update(points=Decimal(7))
    assert scores.send_due(at=at + timedelta(minutes=1)) == 0
    assert scores.send_due(at=at + timedelta(minutes=11)) == 1
    press(world, "keep", keeps="no")
    Grade.objects.update(points=Decimal(8))
    assert scores.send_due(at=at + timedelta(hours=1)) == 0


def test_two_workers_send_nothing_twice(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "send")
    row = Score.objects.select_related("link__linked_course__platform").get()
    assert scores._send_all([row, row], timezone.now()) == 1
    assert len(platform.scores) == 1


def test_a_periodic_task_sends_the_scores(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "send")
    send_scores()
    assert len(platform.scores) == 1
    assert send_scores.name in PERIODIC


def test_ones_own_data_has_what_was_sent(link: LinkedAssignment, world: World) -> None:
    press(world, "send")
    confirm_address(world.ada)
    client = signed_in(world.ada)
    data = client.get("/accounts/profile/download/").json()
    assert [row["uid"] for row in data["signs_in_with"]] == ["ada"]
    assert [row["state"] for row in data["points_sent_to_platforms"]] == ["waiting"]


def test_only_instructors_can_send_scores(link: LinkedAssignment, world: World) -> None:
    with pytest.raises(NotAllowed):
        scores.send_scores(assignment=world.assignment, by=world.cleo)


def test_without_a_column_the_page_says_what_to_do(linked: LinkedCourse, world: World) -> None:
    assert "No column yet" in text_of(ida(world).get(PAGE))
    assert "has a column" in text_of(press(world, "send"))


def test_a_thousand_students_take_a_fixed_number_of_queries(
    link: LinkedAssignment, world: World, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(20):
        scores.queue_changes(link, at=timezone.now())


def test_an_identity_of_another_platform_gets_no_points(
    link: LinkedAssignment, world: World
) -> None:
    SocialAccount.objects.filter(user=world.ada).update(provider="lti-999")
    assert scores.queue_changes(link, at=timezone.now()) == 0
    assert connector_of(link.linked_course.platform) is not None
