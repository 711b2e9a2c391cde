"""Visual faults of a page: axe, its width, covered elements, refused scripts."""

import os
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any, Final, NamedTuple

from selenium.webdriver import Chrome

from tests.support.browsing import prefer, resize
from tests.support.depth import DEEP
from tests.support.slots import WORLDS_VARIABLE

_AXE: Final = resources.files("selenium_axe_python").joinpath("axe-core/axe.min.js").read_text()
_RULES: Final = {
    "type": "tag",
    "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}
_RULES_OF_A_VIEW: Final = {
    "type": "rule",
    "values": [
        *("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"),
        *("empty-heading", "heading-order", "link-name", "button-name", "label", "region"),
    ],
}
"""What can be wrong in one view and not in another: colours, sizes, and what is hidden."""


_LOOK: Final = Path(__file__).with_suffix(".js").read_text()
_LATER_ROWS: Final = ("tbody > tr:nth-child(n+13)", "ol > li:nth-child(n+13)")


class View(NamedTuple):
    """A window of this width, for a reader who prefers light or dark."""

    width: int
    scheme: str

    def __str__(self) -> str:
        return f"{self.width}-{self.scheme}"


ALL_VIEWS: Final = tuple(
    View(width, scheme) for width in (1280, 375) for scheme in ("light", "dark")
)
PICTURE_VIEWS: Final = (*ALL_VIEWS, View(1920, "light"), View(1920, "dark"))
"""The views of pictures: also a projector's."""
_ALTERNATING: Final = (
    (View(1280, "light"), View(375, "dark")),
    (View(1280, "dark"), View(375, "light")),
)


def views_of(number: int) -> tuple[View, View]:
    """Both widths and both schemes; all four views on two pages in a row."""
    return _ALTERNATING[number % 2]


def look(browser: Chrome, address: str, views: Sequence[View]) -> list[str]:
    """Load a page once, and say what is wrong with it in each of these views.

    What is the same in all of them is looked for in the first. Of long lists and tables, the others
    see the first rows.
    """
    _show(browser, views[0])
    browser.get(address)
    if not browser.execute_script("return 'axe' in window"):
        browser.execute_script(_AXE)
    wrong = []
    for view in views:
        first = view is views[0]
        if not first:
            _show(browser, view)
        violations = _violations(
            browser,
            view,
            _RULES if first else _RULES_OF_A_VIEW,
            leaving_out=() if first else _LATER_ROWS,
        )
        found = violations + _misfits(browser)
        wrong += [f"{view}: {text}" for text in found]
    return wrong + _refusals(browser)


@contextmanager
def axe_in_every_page(browser: Chrome) -> Iterator[None]:
    """Have pages come with axe, which is sent to the browser once instead of once a page."""
    script = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _AXE})
    yield
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def take_picture(browser: Chrome, path: Path) -> None:
    """The whole page, however long, as it is looked at."""
    path.parent.mkdir(parents=True, exist_ok=True)
    height = browser.execute_script("return document.documentElement.scrollHeight")
    width = browser.execute_script("return innerWidth")
    resize(browser, width, height)
    browser.save_screenshot(str(path))


def take_picture_of(browser: Chrome, selector: str, path: Path) -> None:
    """The page down to the end of an element: small, as a WebP."""
    path.parent.mkdir(parents=True, exist_ok=True)
    bottom = browser.execute_script(
        "return document.querySelector(arguments[0]).getBoundingClientRect().bottom + scrollY",
        selector,
    )
    clip = {"x": 0, "y": 0, "width": browser.execute_script("return innerWidth"), "scale": 1}
    options = {"format": "webp", "quality": 85, "captureBeyondViewport": True}
    taken = browser.execute_cdp_cmd(
        "Page.captureScreenshot", {**options, "clip": clip | {"height": bottom + 16}}
    )
    path.write_bytes(b64decode(taken["data"]))


def _show(browser: Chrome, view: View) -> None:
    resize(browser, view.width)
    prefer(browser, prefers_color_scheme=view.scheme, prefers_reduced_motion="reduce")


def _violations(
    browser: Chrome, view: View, rules: Mapping[str, object], *, leaving_out: Sequence[str]
) -> list[str]:
    """The violations that axe finds on this page, without the elements of these selectors."""
    known = [] if DEEP else _sound_looks(view).read_text().splitlines()
    found: dict[str, Any] = browser.execute_async_script(_LOOK, rules, leaving_out, known)
    if "error" in found:
        raise AssertionError(found["error"])
    with _sound_looks(view).open("a") as file:
        file.write("".join(f"{look}\n" for look in found["looks"]))
    violations: list[str] = found["violations"]
    return violations


def _sound_looks(view: View) -> Path:
    """Looks of text whose contrast was sound, on any page since the run of tests began.

    All processes of the run add to this file. ``make test-deep`` judges the looks on each page.
    """
    file = Path(os.environ[WORLDS_VARIABLE], f"sound-looks-{view}")
    file.touch()
    return file


def _misfits(browser: Chrome) -> list[str]:
    """Say what does not fit: a page wider than the window, elements cut off or covered."""
    found: list[str] = browser.execute_script(
        """
        const {scrollWidth, clientWidth} = document.documentElement;
        const extra = scrollWidth - clientWidth;
        const overflow = extra > 0 ? [`${extra} px wider than the window`] : [];
        const covers = (a, b) => a.left < b.right && b.left < a.right
            && a.top < b.bottom && b.top < a.bottom;
        const boards = [...document.querySelectorAll("table.board")]
            .filter(board => board.scrollWidth > board.parentElement.clientWidth)
            .map(() => "a leaderboard is cut off");
        const buttons = [...document.querySelectorAll(".command")].filter(box => {
            const button = box.querySelector("button"), text = box.querySelector("pre");
            return button && covers(button.getBoundingClientRect(), text.getBoundingClientRect());
        }).map(() => "a button covers its command");
        const hidden = [...document.querySelectorAll(".table button:not(.sort)")].filter(button => {
            const place = button.closest(".table").getBoundingClientRect();
            return button.getBoundingClientRect().right > place.right + 1;
        }).map(() => "a button in a table is out of view");
        return [...overflow, ...boards, ...buttons, ...hidden];
        """
    )
    return list(dict.fromkeys(found))


def _refusals(browser: Chrome) -> list[str]:
    """The browser's complaints: refused scripts and styles, errors in scripts."""
    return [
        entry["message"]
        for entry in browser.get_log("browser")
        if entry["level"] == "SEVERE" and " 404 " not in entry["message"]
        and " 403 " not in entry["message"]
    ]  # fmt: skip
