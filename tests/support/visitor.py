"""A person at a real browser."""

from collections.abc import Callable

from pytest_django.live_server_helper import LiveServer
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.support.browsing import follow
from tests.support.processes import PATIENCE_SECONDS, wait_until


class Visitor:
    """A person at the browser, who reads the page and clicks on its words."""

    def __init__(self, browser: Chrome, site: LiveServer) -> None:
        self._browser = browser
        self._site = site

    def goes_to(self, path: str) -> None:
        self._browser.get(self._site.url + path)

    def follows(self, words: str) -> None:
        follow(self._browser, By.PARTIAL_LINK_TEXT, words)

    def presses(self, words: str) -> None:
        follow(self._browser, By.XPATH, f"//button[normalize-space()='{words}']")

    def fills(self, **fields: str) -> None:
        for name, value in fields.items():
            self._when_there(By.NAME, name, lambda field, text=value: field.send_keys(text))

    def sees(self, words: str, *, seconds: float = PATIENCE_SECONDS) -> None:
        try:
            wait_until(lambda: words in self.page, seconds=seconds, why=f"no {words!r} there")
        except AssertionError as error:
            error.add_note(self.page)
            raise

    def finds(self, selector: str) -> None:
        self._when_there(By.CSS_SELECTOR, selector, lambda _: None)

    @property
    def page(self) -> str:
        return str(self._browser.execute_script("return document.body?.innerText ?? ''"))  # type: ignore[no-untyped-call]

    def _when_there(self, by: str, what: str, act: Callable[[WebElement], None]) -> None:
        """Do something to an element as soon as the page has it; a page may still be loading."""

        def attempt(browser: Chrome) -> bool:
            act(browser.find_element(by, what))
            return True

        gone = [NoSuchElementException, StaleElementReferenceException]
        WebDriverWait(self._browser, PATIENCE_SECONDS, ignored_exceptions=gone).until(attempt)

    def signs_in(self, email: str, password: str) -> None:
        # A page that asks for news is left first: without its session it would be refused.
        self._browser.get("about:blank")
        self._browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
        self.goes_to("/accounts/sign-in/")
        self.fills(username=email, password=password)
        self.presses("Sign in")
