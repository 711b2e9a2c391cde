"""Days of a course: a university's sign-in, a lost session, news and e-mails, similar sources."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import timezone
from pytest_django import Settings
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.support import similar
from tests.support.browsing import SignIn, Visit, enter, follow, leaving, one, press, text, until
from tests.support.openid_provider import OpenIdProvider
from tests.support.pages import ASSIGNMENT, COURSE
from tests.support.templates import copy_of
from tests.support.world import SOURCE, World
from webapp.base.providers import allauth_settings, read_providers
from webapp.grading.similarity.services import go_on_comparing
from webapp.people.notifications.models import Notification, Topic

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def world(transactional_db: None) -> World:
    """Ada's and Ben's programs are much alike, and the due date has passed."""
    return copy_of(similar.make)


@pytest.fixture
def provider(settings: Settings, tmp_path: Path) -> Iterator[OpenIdProvider]:
    """A university's provider, which knows Ada's address."""
    provider = OpenIdProvider(tmp_path)
    provider.start()
    provider.knows("ada", email="ada@example.org", email_verified=True)
    row = {"id": "uni", "name": "Example University", "server_url": provider.url}
    rows = [row | {"client_id": "firebox", "secret": "s"}]
    settings.SIGN_IN_PROVIDERS = read_providers("openid_connect", rows)
    settings.SOCIALACCOUNT_PROVIDERS = allauth_settings(settings.SIGN_IN_PROVIDERS)
    yield provider
    provider.stop()


@pytest.fixture
def _nothing_from_outside(browser: Chrome) -> Iterator[None]:
    """Have the browser ask for nothing elsewhere: the provider's page has a foreign style sheet."""
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["https://*"]})
    yield
    browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
    browser.execute_cdp_cmd("Network.disable", {})


@pytest.mark.usefixtures("_nothing_from_outside")
def test_a_course_goes_from_the_universitys_sign_in_to_similar_sources(
    browser: Chrome,
    sign_in: SignIn,
    visit: Visit,
    world: World,
    provider: OpenIdProvider,
    tmp_path: Path,
) -> None:
    # Ada comes by her university's page, to the course that she wanted.
    sign_in(None, COURSE)
    follow(browser, By.LINK_TEXT, "Sign in with Example University")
    until(browser, lambda: browser.find_elements(By.NAME, "sub"))
    enter(browser, sub="ada")
    follow(browser, By.XPATH, "//button[text()='Authorize']")
    until(browser, lambda: world.course.title in text(browser))

    # Her session ends while she writes; sent without scripts, her file is kept until her return.
    visit(ASSIGNMENT)
    browser.delete_cookie("sessionid")
    file = tmp_path / "agent.py"
    file.write_bytes(SOURCE)
    one(browser, "input[type=file]").send_keys(str(file))
    with leaving(browser):
        browser.execute_script("document.querySelector('form[data-sign-in]').submit()")
    until(browser, lambda: "kept for an hour" in text(browser))
    world.ada.refresh_from_db()  # the university's word has taken the place of her password
    sign_in(world.ada)
    assert "which you sent" in visit(ASSIGNMENT)
    press(browser, "Upload this file")
    until(browser, lambda: "/submissions/" in browser.current_url)

    # Ida posts news, has sources compared, and looks at a pair; the log says so.
    sign_in(world.ida, COURSE + "announcements/new/")
    enter(browser, title="Room 5 today", text="The lecture moves.")
    press(browser, "Post announcement", then="Room 5 today")
    visit(ASSIGNMENT + "similarity/")
    press(browser, "Compare sources", then="being compared")
    go_on_comparing(at=timezone.now())
    visit(ASSIGNMENT + "similarity/")
    follow(browser, By.LINK_TEXT, "Pair 1")
    assert browser.find_elements(By.ID, "a-1")
    assert "Ben Okri" in text(browser)
    assert "Pair of similar sources viewed" in visit(COURSE + "log/")

    # Ben reads the news and wants no more by e-mail; of similar sources he and Vic learn nothing.
    sign_in(world.ben)
    assert "Room 5 today" in visit(COURSE)
    news = Notification.objects.filter(topic=Topic.ANNOUNCEMENT, user=world.ben)
    assert news.count() == 1
    visit("/accounts/profile/")
    one(browser, "#topic-announce").click()
    follow(browser, By.CSS_SELECTOR, "[aria-labelledby=e-mails] button")
    assert not one(browser, "#topic-announce").is_selected()
    assert "Ada" not in visit(ASSIGNMENT + "similarity/")
    sign_in(None, ASSIGNMENT + "similarity/")
    assert "/accounts/sign-in/" in browser.current_url
