"""Steps of a person at the browser: press a button, fill in a form, wait for what appears."""

from collections.abc import Callable

from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from tests.support.processes import PATIENCE_SECONDS
from webapp.accounts.models import User

__all__ = ["SignIn", "Visit", "enter", "every", "one", "press", "text", "until"]

SignIn = Callable[[User | None], None]
"""Signs the browser in as a user; ``None`` as a visitor."""
Visit = Callable[[str], str]
"""Opens an address of the site and returns the page's text."""


def text(browser: Chrome) -> str:
    """Return the text of the page's main part."""
    return browser.find_element(By.TAG_NAME, "main").text


def press(browser: Chrome, words: str, *, then: str = "") -> None:
    """Press the button with these words; with ``then``, wait until the page shows that text."""
    browser.find_element(By.XPATH, f"//main//button[normalize-space()='{words}']").click()
    if then:
        waiting = WebDriverWait(browser, PATIENCE_SECONDS, ignored_exceptions=[WebDriverException])
        waiting.until(lambda window: then in text(window), then)


def enter(browser: Chrome, **values: str) -> None:
    """Fill in fields by their names."""
    for name, value in values.items():
        field = browser.find_element(By.NAME, name)
        if field.tag_name == "select":
            Select(field).select_by_value(value)
        elif (field.get_attribute("type") or "").startswith("date"):
            # A date has parts that depend on the browser's language: it is set as a whole.
            browser.execute_script("arguments[0].value = arguments[1]", field, value)
        else:
            field.clear()
            field.send_keys(value)


def until(browser: Chrome, test: Callable[[], object]) -> None:
    """Wait until the test holds. An element that it has lost to the next page is none yet."""
    lost = [WebDriverException]
    waiting = WebDriverWait(browser, PATIENCE_SECONDS, 0.1, ignored_exceptions=lost)
    waiting.until(lambda _: test())


def one(browser: Chrome, selector: str) -> WebElement:
    """Return the first element that a CSS selector finds."""
    return browser.find_element(By.CSS_SELECTOR, selector)


def every(browser: Chrome, selector: str) -> list[WebElement]:
    """Return all elements that a CSS selector finds."""
    return browser.find_elements(By.CSS_SELECTOR, selector)
