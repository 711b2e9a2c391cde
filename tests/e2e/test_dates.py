"""Dates from the form to the grade: Ida sets them, Ada and Ben see theirs, Vic does not."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from selenium.webdriver import Chrome

from tests.support import world as worlds
from tests.support.browsing import SignIn, Visit, enter, press, text
from tests.support.pages import ASSIGNMENT
from tests.support.world import World
from webapp.grading.gradebook.points import grade_of
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def local(world: World, moment: datetime) -> str:
    return f"{timezone.localtime(moment, world.course.tz):%Y-%m-%dT%H:%M}"


def test_dates_go_from_the_late_policy_to_the_grade(
    browser: Chrome, sign_in: SignIn, visit: Visit, world: World
) -> None:
    ada = world.course.enrolments.get(user=world.ada)
    due = world.assignment.due_at.replace(second=0, microsecond=0)

    # Ida sets a late policy, and gives Ada, who has no team yet, two more days.
    sign_in(world.ida, ASSIGNMENT + "edit/")
    enter(browser, grace_minutes="15", penalty_percent="10", counts="choice")
    press(browser, "Save assignment", then="Assignment saved.")
    visit(f"{ASSIGNMENT}dates/{ada.pk}/")
    enter(browser, due_at=local(world, due + 2 * DAY), reason="Ill")
    press(browser, "Give more time", then="Ada Lovelace has an extension until")

    # Ada is told why, in her own time zone; Ben's dates are the usual ones; Vic learns nothing.
    sign_in(world.ada, "/accounts/profile/")
    enter(browser, time_zone="Australia/Perth")
    press(browser, "Set time zone", then="Times are shown in Australia/Perth.")
    explained = visit(ASSIGNMENT + "dates/")
    assert "Ada Lovelace has an extension until" in explained
    assert "AWST" in explained
    assert "in the course" in explained
    assert "Each started day costs 10% of the points" in explained
    sign_in(world.ben)
    assert "extension" not in visit(ASSIGNMENT + "dates/")
    sign_in(None, ASSIGNMENT + "dates/")
    assert "/accounts/sign-in/" in browser.current_url

    # Two uploads of Ada's: on time by her extension, and half a day after that.
    first, second = (worlds.submit_and_practise(world, world.ada) for _ in range(2))
    now = timezone.now()
    Assignment.objects.update(opens_at=now - 20 * DAY, due_at=now - 3 * DAY)
    world.ada.extensions.update(due_at=now - DAY)
    Submission.objects.filter(pk=first.pk).update(uploaded_at=now - DAY - HOUR)
    Submission.objects.filter(pk=second.pk).update(uploaded_at=now - DAY / 2)
    world.assignment.refresh_from_db()
    sign_in(world.ada)
    page = visit(ASSIGNMENT)
    assert "An upload now still counts: 10% off." in page
    assert "12 hours late: 10% off" in page

    # Ida grades the late one, which counts until Ada decides otherwise.
    worlds.grade(world, world.ada)
    grade = grade_of(worlds.team_of(world, world.ada))
    assert grade is not None
    sign_in(world.ida)
    row = f"{grade.full_points:.2f}".rstrip("0").rstrip(".") + " less 10%"
    assert row in visit(ASSIGNMENT + "grades/").replace("\n", " ")

    # Ada would rather have the first one counted, which was on time.
    sign_in(world.ada, f"/submissions/{first.pk}/")
    press(browser, "Count this submission", then="Submission 1 counts now.")
    assert "submission 1" in visit(ASSIGNMENT + "dates/")
    assert "on time" in text(browser)
