"""Steps of a person at the browser: press a button, fill in a form, wait for what appears."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Final, Protocol

from selenium.common.exceptions import (
    NoSuchElementException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.processes import PATIENCE_SECONDS
from webapp.people.accounts.models import User


class SignIn(Protocol):
    """Signs the browser in as a user; ``None`` as a visitor. Then opens an address of the site."""

    def __call__(self, user: User | None, address: str = "", /) -> None: ...


Visit = Callable[[str], str]
"""Opens an address of the site and returns the page's text."""
_departures: Final = count(1)
"""Numbers of pages that were left: going back may show one of them again."""


def resize(browser: Chrome, width: int, height: int = 900, **metrics: object) -> None:
    """Give the page a window of this size; ``mobile`` makes it a phone's."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size | metrics)


def prefer(browser: Chrome, **features: str) -> None:
    """Have a reader who prefers this: ``prefers_color_scheme="dark"``."""
    named = [{"name": key.replace("_", "-"), "value": value} for key, value in features.items()]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": named})


def text(browser: Chrome) -> str:
    return browser.find_element(By.TAG_NAME, "main").text


@contextmanager
def leaving(browser: Chrome) -> Iterator[None]:
    """Wait, after the step within, until the page that it leads to has replaced this one.

    A click returns before the browser asks for the next page. What is read too soon is the old
    page, and an address that is opened too soon cancels the form that was sent.
    """
    number = next(_departures)
    browser.execute_script("window.departure = arguments[0]", number)
    yield
    arrived = "return window.departure !== arguments[0] && document.readyState === 'complete'"
    until(browser, lambda: browser.execute_script(arrived, number))


def follow(browser: Chrome, by: str, what: str) -> None:
    """Click on a link, looked for again if it is replaced, and wait until its page is complete."""

    def click(_: Chrome) -> bool:
        element = browser.find_element(by, what)
        with leaving(browser):
            element.click()
        return True

    lost = [NoSuchElementException, StaleElementReferenceException]
    WebDriverWait(browser, PATIENCE_SECONDS, ignored_exceptions=lost).until(click, what)


def press(browser: Chrome, words: str, *, then: str = "") -> None:
    """Press a button that leads to another page; with ``then``, wait until it shows that text."""
    follow(browser, By.XPATH, f"//main//button[normalize-space()='{words}']")
    if then:
        waiting = WebDriverWait(browser, PATIENCE_SECONDS, ignored_exceptions=[WebDriverException])
        waiting.until(lambda window: then in text(window), then)


def enter(browser: Chrome, **values: str) -> None:
    """Fill in fields by their names. A fold that hides a field is opened first."""
    for name, value in values.items():
        field = browser.find_element(By.NAME, name)
        for fold in field.find_elements(By.XPATH, "ancestor::details[not(@open)]"):
            fold.find_element(By.TAG_NAME, "summary").click()
        if field.tag_name == "select":
            Select(field).select_by_value(value)
        elif (field.get_attribute("type") or "").startswith("date"):
            # A date has parts that depend on the browser's language: it is set as a whole.
            browser.execute_script("arguments[0].value = arguments[1]", field, value)
        else:
            field.clear()
            field.send_keys(value)


def until(browser: Chrome, test: Callable[[], object], *, every_seconds: float = 0.1) -> None:
    """Wait until the test holds. An element that it has lost to the next page is none yet."""
    lost = [WebDriverException]
    waiting = WebDriverWait(browser, PATIENCE_SECONDS, every_seconds, ignored_exceptions=lost)
    waiting.until(lambda _: test())


def one(browser: Chrome, selector: str) -> WebElement:
    return browser.find_element(By.CSS_SELECTOR, selector)


def every(browser: Chrome, selector: str) -> list[WebElement]:
    return browser.find_elements(By.CSS_SELECTOR, selector)
