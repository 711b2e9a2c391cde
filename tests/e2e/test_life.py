"""The life of a course: Ida copies it, archives it, exports it, and takes the file in again."""

from pathlib import Path

import pytest
import requests
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import world as worlds
from tests.support.browsing import SignIn, Visit, enter, follow, press, text, until
from tests.support.looking import look, views_of
from tests.support.pages import COURSE
from tests.support.processes import PATIENCE_SECONDS
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.flow.lifecycle.receiving import go_on_importing
from webapp.teaching.courses.models import Course

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def world(transactional_db: None) -> World:
    """Ada has practised in Ida's course."""
    return copy_of(worlds.make_practised)


def test_a_course_is_copied_archived_exported_and_taken_in(
    browser: Chrome, site: LiveServer, sign_in: SignIn, visit: Visit, world: World, tmp_path: Path
) -> None:
    # Ida copies the course to the next term, and looks at the dates first.
    sign_in(world.ida, COURSE)
    follow(browser, By.LINK_TEXT, "Copy, archive, delete")
    follow(browser, By.LINK_TEXT, "Copy course")
    enter(browser, slug="coop-27", term="Spring 2027")
    field = browser.find_element(By.NAME, "begins")
    browser.execute_script("arguments[0].value = '2027-04-12'", field)
    press(browser, "Show the dates", then="Dates of the copy")
    press(browser, "Copy course", then="Check the dates")
    assert Course.objects.get(slug="coop-27").assignments.count() == 1

    # She archives the old one; Ada still reads it, and cannot upload.
    visit(COURSE + "life/")
    press(browser, "Archive course", then="The course is archived")
    assert look(browser, f"{site.url}{COURSE}life/", views_of(0)) == []
    sign_in(world.ada)
    page = visit(COURSE + "assignments/hanabi/")
    assert "uploads are closed" in page
    assert browser.find_elements(By.NAME, "file") == []

    # Ida takes the file of it in, beside it.
    sign_in(world.ida)
    cookies = {cookie["name"]: cookie["value"] for cookie in browser.get_cookies()}
    file, address = tmp_path / "coop.firebox.zip", f"{site.url}{COURSE}life/export/"
    file.write_bytes(requests.get(address, cookies=cookies, timeout=PATIENCE_SECONDS).content)
    visit("/import-course/")
    browser.find_element(By.NAME, "file").send_keys(str(file))
    enter(browser, slug="coop-again")
    press(browser, "Import course", then="waits for the background worker")
    assert look(browser, f"{site.url}/import-course/", views_of(0)) == []
    go_on_importing(at=timezone.now())
    until(browser, lambda: "Imported, and archived" in text(browser))
    assert look(browser, f"{site.url}/import-course/", views_of(0)) == []
    assert "Archived" in visit("/courses/coop-again/")
