"""From a list of students to the log: Ida imports, Dan is invited, Ben leaves and is back."""

from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from tests.support.browsing import SignIn, Visit, follow, press, text
from tests.support.pages import COURSE
from tests.support.world import World
from webapp.people.notifications.models import Notification

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Essay (7)
    Points Possible,,,,,100
"Newman, Dan",1,502,dan@uni.example,Monday,
"Wrong, Will",2,503,will,Monday,
"""


def test_a_roster_goes_from_the_registrars_list_to_the_audit_log(
    browser: Chrome, sign_in: SignIn, visit: Visit, world: World, tmp_path: Path
) -> None:
    # Ida chooses the file, sees what it would do, and imports all but the wrong line.
    sign_in(world.ida, COURSE + "people/")
    follow(browser, By.LINK_TEXT, "Import people…")
    file = tmp_path / "canvas.csv"
    file.write_text(CANVAS)
    browser.find_element(By.NAME, "file").send_keys(str(file))
    press(browser, "Preview the import", then="An export of Canvas.")
    assert "Nothing has been changed yet." in text(browser)
    assert "The e-mail address is missing." in text(browser)
    press(browser, "Import these people", then="Some lines have errors")
    browser.find_element(By.NAME, "skip_wrong").click()
    press(browser, "Import these people", then="Imported: 1 added")
    assert "Dan Newman not signed in yet" in text(browser)

    # She removes Ben with a reason, and finds the act in the log.
    browser.find_element(By.CSS_SELECTOR, "input[aria-label='Choose Ben Okri']").click()
    Select(browser.find_element(By.NAME, "act")).select_by_value("state:removed")
    browser.find_element(By.NAME, "reason").send_keys("Changed courses")
    press(browser, "Change people", then="Changed: 1 person.")
    log = visit(COURSE + "log/?kind=people.state")
    assert "Ben Okri" in log
    assert "Changed courses" in log

    # Ben finds no course any more; Dan follows his link, and is in it. Vic finds no log.
    sign_in(world.ben)
    assert world.course.title not in visit("/")
    sign_in(None)
    letter = Notification.objects.get(user__email="dan@uni.example").body
    visit("/accounts/" + letter.partition("/accounts/")[2].split()[0])
    for name in ("new_password1", "new_password2"):
        browser.find_element(By.NAME, name).send_keys("a-long-and-good-one")
    press(browser, "Set password", then=world.course.title)
    sign_in(None, COURSE + "log/")
    assert "/accounts/sign-in/" in browser.current_url

    # Enrolled again, Ben has what he had.
    sign_in(world.ida, COURSE + "people/?state=removed")
    browser.find_element(By.CSS_SELECTOR, "input[aria-label='Choose all on this page']").click()
    Select(browser.find_element(By.NAME, "act")).select_by_value("state:active")
    browser.find_element(By.NAME, "reason").send_keys("Is back")
    press(browser, "Change people", then="Changed: 1 person.")
    sign_in(world.ben)
    assert world.course.title in visit("/")
