"""After the deadline: Ida looks at what needs a look, and reminds who has uploaded nothing."""

from datetime import timedelta

import pytest
from django.utils import timezone
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import SignIn, Visit, enter, follow, one, press, text
from tests.support.pages import ASSIGNMENT
from tests.support.story import flagged
from tests.support.trusted import record_audit
from tests.support.world import World
from webapp.grading.submissions.models import Submission
from webapp.people.notifications.models import Notification
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

MESSAGE = "Come to the tutorial on Monday."


def test_students_without_an_upload_are_shown_and_reminded(
    browser: Chrome, sign_in: SignIn, visit: Visit, world: World
) -> None:
    worlds.submit_and_practise(world, world.ada)
    now = timezone.now()
    Submission.objects.update(uploaded_at=now - timedelta(days=1))
    Assignment.objects.update(opens_at=now - timedelta(days=9), due_at=now - timedelta(hours=1))

    # Ida is told of Ben, sees his row alone, and what becomes of a reminder.
    sign_in(world.ida)
    assert "One uploaded nothing." in visit(ASSIGNMENT + "teams/")
    follow(browser, By.PARTIAL_LINK_TEXT, "Show it")
    assert "show=check" in browser.current_url
    assert not browser.find_elements(By.CSS_SELECTOR, f"[aria-label='Choose {world.ada}']")
    one(browser, f"[aria-label='Choose {world.ben}']").click()
    press(browser, "Remind…", then="Remind 1 student?")
    assert f"1 student gets an e-mail: {world.ben}." in text(browser)
    enter(browser, message=MESSAGE)
    press(browser, "Send reminder", then="1 student will get an e-mail within minutes.")
    letter = Notification.objects.get(topic="reminder")
    assert letter.user == world.ben
    assert MESSAGE in letter.body
    log = visit("/courses/coop/log/")
    assert "Reminded of an assignment" in log
    assert MESSAGE in log

    # Not again within a day: the row's own button says so.
    visit(ASSIGNMENT + "teams/?show=check")
    follow(browser, By.CSS_SELECTOR, ".acts a.button")
    assert "1 was reminded within the last day." in text(browser)

    # A flag of the replay audit needs no look any more once she has seen why.
    evaluation = worlds.grade(world, world.ada)
    record_audit(flagged(evaluation))
    visit(f"/evaluations/{evaluation.uuid}/")
    follow(browser, By.LINK_TEXT, "Mark as seen…")
    enter(browser, note="Reads no clock.")
    press(browser, "Mark as seen", then="are marked as seen.")
    assert "Marked as seen by Ida Rhodes" in text(browser)

    # Ben switches such e-mails off.
    sign_in(world.ben, "/accounts/profile/")
    one(browser, "#topic-reminder").click()
    follow(browser, By.CSS_SELECTOR, "[aria-labelledby=e-mails] button")
    assert not one(browser, "#topic-reminder").is_selected()
