"""What a platform shows of the points that it took, and its words where it took none."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from tests.support.lti_platform import LtiPlatform
from tests.support.pages import text_of
from tests.support.world import World
from tests.webapp.lti.test_scores import PAGE, ida, link, press, world
from webapp.base.errors import Refused
from webapp.flow.lti import scores
from webapp.flow.lti.models import LinkedAssignment, LinkedCourse, Score
from webapp.grading.gradebook.models import Grade
from webapp.grading.gradebook.services import set_points
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment

__all__ = ["link", "world"]  # fixtures

pytestmark = pytest.mark.django_db


def send(world: World) -> int:
    press(world, "send")
    return scores.send_due(at=timezone.now())


def counts(world: World) -> tuple[int, int]:
    found = scores.links_of(world.assignment).get()
    return found.accepted, found.other  # type: ignore[attr-defined]


def test_points_that_a_platform_cuts_are_not_accepted(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    Grade.objects.update(points=Decimal(102))
    assert send(world) == 1
    assert counts(world) == (0, 1)
    page = text_of(ida(world).get(PAGE))
    assert "Shown otherwise" in page
    assert "1 student has more than 100" in page
    assert Score.objects.get().shown == Decimal(100)
    platform.column_maximum = 110
    press(world, "settings", column_maximum="110", sends_zeros="")
    assert send(world) == 1
    assert platform.scores[-1]["scoreMaximum"] == 110
    assert counts(world) == (1, 0)


def test_points_that_a_platform_shows_are_accepted(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    platform.column_maximum = 10  # the platform scales them
    Grade.objects.update(points=Decimal("33.33"))
    send(world)
    assert counts(world) == (1, 0)


@pytest.mark.parametrize(("points", "expected"), [(102, (0, 1)), (80, (1, 0))])
def test_without_results_more_than_the_maximum_is_not_accepted(
    points: int, expected: tuple[int, int],
    link: LinkedAssignment, world: World, platform: LtiPlatform,
) -> None:  # fmt: skip
    platform.has_results = False
    Grade.objects.update(points=points)
    assert send(world) == 1
    assert counts(world) == expected
    assert "does not say" in text_of(press(world, "check"))


def test_points_that_were_changed_on_the_platform_are_noticed_and_sent_again(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    Grade.objects.update(points=50)
    send(world)
    platform.scores[-1]["scoreGiven"] = 3.0
    assert "said which points" in text_of(press(world, "check"))
    assert counts(world) == (0, 1)
    press(world, "again")
    assert scores.send_due(at=timezone.now()) == 1
    assert counts(world) == (1, 0)


def test_a_platform_that_shows_nothing_has_not_accepted_points(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    send(world)
    platform.scores.clear()
    press(world, "check")
    assert counts(world) == (0, 1)


def test_a_bonus_is_warned_of_before_points_are_sent(link: LinkedAssignment, world: World) -> None:
    Grade.objects.update(points=50)
    grading = {**world.assignment.grading, "bonus_points": "1"}
    Assignment.objects.update(grading=grading)
    assert "has a bonus" in text_of(ida(world).get(PAGE))


def test_a_maximum_below_full_points_is_refused(link: LinkedAssignment, world: World) -> None:
    with pytest.raises(Refused, match="at least 100"):
        scores.set_sending(
            assignment=world.assignment, by=world.ida, sends_zeros=False, column_maximum=Decimal(99)
        )


def test_missing_uploads_are_zeros_where_instructors_want_them_once_the_time_is_over(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    press(world, "settings", sends_zeros="on")
    send(world)
    assert [row["userId"] for row in platform.scores] == ["ada"]
    now = timezone.now()
    Submission.objects.update(uploaded_at=now - timedelta(days=2))
    Assignment.objects.update(opens_at=now - timedelta(days=9), due_at=now - timedelta(days=1))
    assert send(world) == 1
    assert (platform.scores[-1]["userId"], platform.scores[-1]["scoreGiven"]) == ("ben", 0)
    world.course.enrolments.filter(user=world.ben).update(state="withdrawn")
    press(world, "settings", sends_zeros="")
    assert send(world) == 1
    assert "scoreGiven" not in platform.scores[-1]


def test_the_comment_is_sent_and_sent_again_when_it_changes(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    place = world.course.enrolments.get(user=world.ada)

    def comment(text: str) -> None:
        set_points(
            enrolment=place, assignment=world.assignment, by=world.ida,
            points=None, reason="Read it", comment=text,
        )  # fmt: skip

    send(world)
    assert "comment" not in platform.scores[-1]
    for text in ("Well played", "Very well played"):
        comment(text)
        assert send(world) == 1
        assert platform.scores[-1]["comment"] == text


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ([], "The student is not in the course there."),
        ({"errors": {"message": "User not found in course or is not a student"}},
         "The student is not in the course there. It answered 400: User not found"),
        ({"error": "no user with this id in the course"},
         "The student is not in the course there. It answered 400: no user"),
        ({"status": 400, "reason": "Column is locked"}, "It answered 400: Column is locked"),
        ([[[[{"a": None}]]]], "The student is not in the course there."),
    ],
)  # fmt: skip
def test_a_refusal_is_told_in_words(
    body: Any, words: str, link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    platform.members = [{"user_id": "ben", "status": "Active"}]
    platform.fails_with, platform.refusal = 400, body
    send(world)
    row = Score.objects.get()
    assert row.error.startswith(words)
    assert row.failed_at is not None
    assert "[]" not in text_of(ida(world).get(PAGE))


def test_a_refusal_without_a_reason_does_not_accuse_a_student_who_is_there(
    link: LinkedAssignment, world: World, platform: LtiPlatform
) -> None:
    platform.members = [{"user_id": "ada", "status": "Active"}]
    platform.fails_with, platform.refusal = 400, []
    LinkedCourse.objects.update(memberships_url=f"{platform.url}/Members")
    send(world)
    assert Score.objects.get().error == "It answered 400 (Bad Request) without a reason."
