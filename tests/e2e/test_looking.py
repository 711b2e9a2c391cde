"""A look at a page notices each fault that it is there for, in the view that has it."""

import pytest
from pytest_django.live_server_helper import LiveServer
from selenium.webdriver import Chrome

from tests.support.broken_pages import FAULTS
from tests.support.looking import View, look, views_of

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.urls("tests.support.broken_pages"),
]

WORDS = {
    "overflow": "px wider than the window",
    "dark": "color-contrast",
    "light": "color-contrast",
    "label": "label",
    "narrow-label": "label",
    "broad-label": "label",
    "target": "target-size",
    "link": "link-in-text-block",
    "outside": "region",
    "board": "a leaderboard is cut off",
    "button": "a button covers its command",
}
ALIKE = ("row", "layer", "control", "word")

ANY = set(WORDS) - {"dark", "light"}
"""Faults of both schemes: each width has one of them, and the other in ``make test-deep``."""


def has(fault: str, view: View) -> bool:
    """Return whether this view has the fault."""
    return {
        "overflow": view.width == 375,
        "board": view.width == 375,
        "dark": view.scheme == "dark",
        "light": view.scheme == "light",
        "narrow-label": view.width == 375,
        "broad-label": view.width == 1280,
    }.get(fault, True)


@pytest.mark.parametrize(
    ("fault", "number"),
    [
        pytest.param(fault, number, marks=[pytest.mark.deep] if number and fault in ANY else [])
        for fault in WORDS
        for number in (0, 1)
    ],
)
def test_a_fault_is_noticed_in_the_views_that_have_it(
    fault: str, number: int, browser: Chrome, site: LiveServer
) -> None:
    found = look(browser, f"{site.url}/broken/{fault}/", views_of(number))
    expected = [str(view) for view in views_of(number) if has(fault, view)]
    assert expected
    assert list(dict.fromkeys(text.split(": ")[0] for text in found)) == expected
    assert all(WORDS[fault] in text for text in found)


@pytest.mark.parametrize("fault", ALIKE)
def test_bad_contrast_is_noticed_beside_text_that_looks_alike(
    fault: str, browser: Chrome, site: LiveServer
) -> None:
    views = views_of(0)
    assert look(browser, f"{site.url}/broken/nothing/", views) == []
    found = look(browser, f"{site.url}/broken/{fault}/", views)
    assert [text.split(": ")[:2] for text in found] == [
        [str(view), "color-contrast"] for view in views
    ]
    assert all("Who reads this?" in text for text in found)


def test_a_refused_script_is_noticed(browser: Chrome, site: LiveServer) -> None:
    (refusal,) = look(browser, f"{site.url}/broken/script/", views_of(0))
    assert "Content Security Policy" in refusal


@pytest.mark.parametrize("number", [0, 1])
def test_nothing_is_wrong_with_a_sound_page(number: int, browser: Chrome, site: LiveServer) -> None:
    assert look(browser, f"{site.url}/broken/nothing/", views_of(number)) == []


def test_every_fault_is_looked_for() -> None:
    assert set(FAULTS) == {*WORDS, *ALIKE, "script", "nothing"}
