"""Every page in a real browser: axe finds nothing, nothing overflows, the CSP refuses nothing.

A page is loaded once and looked at in both widths and both schemes, each width in one of them; for
``make test-deep`` it is loaded and looked at in all four views. ``--screenshots`` takes pictures in
them and at a projector's width, of a world with longer evaluations.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Protocol

import pytest
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support import (
    boards,
    every_address,
    ladder_story,
    languages,
    linked,
    opponents,
    similar,
    tournaments,
)
from tests.support import story as stories
from tests.support import world as worlds
from tests.support.depth import DEEP
from tests.support.every_address import EveryThing
from tests.support.looking import (
    ALL_VIEWS,
    PICTURE_VIEWS,
    axe_in_every_page,
    look,
    take_picture,
    take_picture_of,
    views_of,
)
from tests.support.pages import signed_in
from tests.support.templates import copy_of
from tests.webapp.pages.test_every_address import MAY_READ, audiences, named, query
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

PICTURES = Path("var/screenshots")
README_PICTURE = ("student-game", "1280-light")
"""The page and the view of the README's picture."""

Page = tuple[str, User | None, str]
"""Name, reader and address."""


class Told(Protocol):
    """A world with something to be looked at."""

    def pages(self) -> list[Page]:
        """Every page worth looking at."""


STORIES: dict[str, Callable[[bool], Told]] = {
    "one game": lambda pictures: copy_of(stories.tell, games=300 if pictures else 12),
    "several languages": lambda pictures: copy_of(languages.tell, games=300 if pictures else 12),
    "a game against others": lambda pictures: copy_of(opponents.tell, games=40 if pictures else 4),
    "boards": lambda _: copy_of(boards.tell, teams=45),
    "tournaments": lambda pictures: copy_of(tournaments.tell, rounds=12 if pictures else 4),
    "a linked course": lambda _: copy_of(linked.tell),
    "a ladder": lambda pictures: copy_of(ladder_story.tell, tables_to_play=200 if pictures else 40),
}
"""Worlds to look at; the evaluations are longer for pictures than for tests."""
PARTS = {
    "one game": 10,
    "several languages": 2,
    "a game against others": 2,
    "boards": 3,
    "tournaments": 3,
    "a linked course": 1,
    "a ladder": 1,
}
"""The pages of a story are looked at in so many tests."""


class PageInspector:
    """Looks at pages, and takes pictures if asked."""

    def __init__(self, browser: Chrome, site: LiveServer, *, pictures: bool) -> None:
        self._browser = browser
        self._site = site
        self._pictures = pictures

    def faults(self, name: str, address: str, number: int) -> Iterator[str]:
        """Yield the faults of a page; its number chooses the views in which it is looked at."""
        loads = [views_of(number)]
        if self._pictures:
            loads = [(view,) for view in PICTURE_VIEWS]
        elif DEEP:
            loads = [(view,) for view in ALL_VIEWS]
        for views in loads:
            for text in look(self._browser, self._site.url + address, views):
                yield f"{name}: {text}"
            if self._pictures:
                take_picture(self._browser, PICTURES / str(views[0]) / f"{name}.png")
                if (name, str(views[0])) == README_PICTURE:
                    take_picture_of(self._browser, "#viewer", PICTURES / "readme.webp")


@pytest.fixture
def pictures(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--screenshots", default=False))


@pytest.fixture
def inspector(browser: Chrome, site: LiveServer, *, pictures: bool) -> Iterator[PageInspector]:
    with axe_in_every_page(browser):
        yield PageInspector(browser, site, pictures=pictures)


@pytest.mark.parametrize(
    ("story", "part"), [(story, part) for story, parts in PARTS.items() for part in range(parts)]
)
def test_every_page_is_accessible_and_fits(
    story: str,
    part: int,
    inspector: PageInspector,
    sign_in: Callable[[User | None], None],
    *,
    pictures: bool,
) -> None:
    pages = list(enumerate(STORIES[story](pictures).pages()))
    first, end = (len(pages) * at // PARTS[story] for at in (part, part + 1))
    assert first < end
    wrong: list[str] = []
    reader: User | str | None = "nobody yet"
    for number, (name, user, address) in pages[first:end]:
        if user != reader:
            sign_in(user)
            reader = user
        wrong += inspector.faults(name, address, number)
    report = "\n".join(wrong)
    assert not wrong, report


def documents(things: EveryThing) -> Iterator[Page]:
    """Yield every page of the tables of addresses, with a reader who may open it."""
    roles = audiences(MAY_READ)
    for name, route in named():
        if name not in roles:
            continue
        reader = things.people["operator" if "operator" in roles[name] else "owner"]
        assert reader is not None
        client = signed_in(reader)
        address = things.address(name, route) + query(things, name)
        response = client.get(address)
        is_html = response["Content-Type"].startswith("text/html")
        if is_html and response.content.lstrip().lower().startswith(b"<!doctype"):
            yield name, reader, address


FEWEST_PAGES = 60
"""The tables of addresses have more: with fewer the test would look at next to nothing."""


@pytest.mark.deep
def test_pages_that_no_story_shows_are_accessible_and_fit(
    browser: Chrome, site: LiveServer, sign_in: Callable[[User | None], None]
) -> None:
    wrong: list[str] = []
    pages = list(documents(copy_of(every_address.make)))
    assert len(pages) > FEWEST_PAGES
    with axe_in_every_page(browser):
        for number, (name, reader, address) in enumerate(pages):
            sign_in(reader)
            faults = look(browser, site.url + address, views_of(number))
            wrong += [f"{name}: {fault}" for fault in faults]
    report = "\n".join(wrong)
    assert not wrong, report


def test_the_page_before_the_secret_is_revealed_is_accessible_and_fits(
    inspector: PageInspector, browser: Chrome, sign_in: Callable[[User | None], None]
) -> None:
    now = timezone.now()
    world = worlds.make(opens_at=now - timedelta(days=9), due_at=now + timedelta(days=1))
    worlds.submit_and_practise(world, world.ada)
    Submission.objects.update(uploaded_at=now - timedelta(days=3))
    Assignment.objects.update(due_at=now - timedelta(days=2))
    sign_in(world.ida)
    wrong = list(
        inspector.faults("staff-reveal", "/courses/coop/assignments/hanabi/reveal/confirm/", 0)
    )
    report = "\n".join(wrong)
    assert not wrong, report
    assert "Reveal the secret for good" in browser.page_source


def test_pages_on_similar_sources_and_regrade_requests_are_accessible_and_fit(
    inspector: PageInspector, sign_in: Callable[[User | None], None]
) -> None:
    wrong: list[str] = []
    for number, (name, user, address) in enumerate(similar.pages(similar.make())):
        sign_in(user)
        wrong += inspector.faults(name, address, number)
    report = "\n".join(wrong)
    assert not wrong, report
