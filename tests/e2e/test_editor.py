"""The editor in a browser: tabs, keys, marks in the margin, and a policy that refuses nothing."""

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import ActionChains, Chrome, Keys

from tests.support import world as worlds
from tests.support.browsing import SignIn, every, leaving, one, until
from tests.support.looking import ALL_VIEWS, look
from tests.support.world import SOURCE, World
from tests.support.zips import zipped
from webapp.grading.evaluations.models import Draft
from webapp.grading.evaluations.services.drafts import DraftOrigin, files_of, save_draft

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

EDITOR = "/courses/coop/assignments/hanabi/editor/"
MARKUP = "<img src=x onerror=alert(1)>"


def typed(browser: Chrome, *keys: str) -> None:
    ActionChains(browser).send_keys(*keys).perform()


def with_control(browser: Chrome, key: str) -> None:
    ActionChains(browser).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()


def text_of(browser: Chrome, selector: str) -> str:
    return " ".join(each.text for each in every(browser, selector))


def focused(browser: Chrome) -> str:
    return str(browser.execute_script("return document.activeElement.outerHTML.slice(0, 80)"))


def test_a_message_of_the_compiler_is_a_mark_and_text_is_typed_and_kept(
    browser: Chrome, site: LiveServer, world: World, sign_in: SignIn
) -> None:
    data = zipped(("agent.py", SOURCE), ("helper.py", b"x = 1\n"), ("long.txt", b"y" * 9000))
    submission = worlds.upload(world, world.ada, filename="agent.zip", data=data)
    sign_in(world.ada)
    address = f"{site.url}{EDITOR}?submission={submission.pk}&file=helper.py&line=1"
    browser.get(address)
    assert one(browser, "[role=tab][aria-selected=true]").text == "helper.py"
    assert [tab.text for tab in every(browser, "[role=tab]")] == [
        "agent.py",
        "helper.py",
        "long.txt",
    ]

    one(browser, ".editor-file:not([hidden]) .ace_content").click()
    with_control(browser, Keys.HOME)
    typed(browser, "w = 2", Keys.ENTER)
    typed(browser, "hand.")
    until(browser, lambda: "positions" in text_of(browser, ".ace_autocomplete"))
    assert "legal_actions" not in text_of(browser, ".ace_autocomplete")
    typed(browser, Keys.ESCAPE, *[Keys.BACKSPACE] * len("hand."))
    one(browser, "button[value=try]").click()
    until(browser, lambda: every(browser, "#tried .verdict-line"))
    draft = Draft.objects.get()
    assert files_of(draft)["helper.py"] == b"w = 2\nx = 1\n"
    assert draft.tried is not None
    worlds.reject(draft.tried, line=2, text=f"undefined {MARKUP}")
    until(browser, lambda: every(browser, ".editor-mark"))

    one(browser, ".editor-mark a").click()
    assert one(browser, "[role=tab][aria-selected=true]").text.startswith("agent.py")
    until(browser, lambda: every(browser, ".ace_gutter-cell.ace_error"))
    mark = one(browser, ".ace_gutter-cell.ace_error")
    ActionChains(browser).move_to_element(mark).perform()
    until(browser, lambda: MARKUP in one(browser, ".ace_tooltip").text)
    assert not every(browser, "img[src=x]")

    with_control(browser, "f")
    until(browser, lambda: every(browser, ".ace_search"))
    typed(browser, Keys.ESCAPE)  # closes the search, a moment later
    until(browser, lambda: "ace_text-input" in focused(browser))
    typed(browser, Keys.ESCAPE)  # leaves the text
    until(browser, lambda: "ace_text-input" not in focused(browser))
    seen = set()
    for _ in range(40):  # Tab is no trap: it comes to the button
        typed(browser, Keys.TAB)
        seen.add(focused(browser))
    assert any('value="try"' in each for each in seen), seen
    with leaving(browser):
        browser.find_element("xpath", "//button[.='Upload as version 2']").click()
    assert "Submission 2" in one(browser, "h1").text


def test_every_language_has_its_colours(browser: Chrome, world: World, sign_in: SignIn) -> None:
    submission = worlds.upload(world, world.ada)
    draft = worlds.try_draft_of(submission)
    sources = {"B.java": b"class B {}\n", "a.cpp": b"int a = 1;\n", "c.hs": b"module C where\n"}
    save_draft(
        draft=draft, origin=DraftOrigin(assignment=world.assignment, interface="python"),
        files=files_of(draft) | sources, revision=draft.revision, user=world.ada,
        at=timezone.now(),
    )  # fmt: skip
    sign_in(world.ada, f"{EDITOR}?draft={draft.pk}")
    tabs = every(browser, "[role=tab]")
    assert [tab.text for tab in tabs] == ["B.java", "a.cpp", "agent.py", "c.hs"]
    for tab in tabs:
        tab.click()
        words = ".editor-file:not([hidden]) :is(.ace_keyword, .ace_storage)"
        until(browser, lambda words=words: every(browser, words))


def test_the_editor_fits_every_screen(
    browser: Chrome, site: LiveServer, world: World, sign_in: SignIn
) -> None:
    submission = worlds.upload(world, world.ada)
    draft = worlds.try_draft_of(submission, faults={0})
    sign_in(world.ada)
    for asked in (f"draft={draft.pk}", f"submission={submission.pk}", "kit=python"):
        assert look(browser, f"{site.url}{EDITOR}?{asked}", ALL_VIEWS) == []
