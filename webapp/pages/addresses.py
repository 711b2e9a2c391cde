"""Addresses of pages: how those of a course and of an assignment begin, and what may follow."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

COURSE: Final = "courses/<slug:course_slug>/"
ASSIGNMENT: Final = COURSE + "assignments/<slug:assignment_slug>/"


def query_of(asked: Mapping[str, object]) -> str:
    """Return what is asked for as it stands in an address, to be followed by a page's number.

    What is empty is left out.
    """
    given = {name: value for name, value in asked.items() if value not in ("", None)}
    return f"{urlencode(given)}&" if given else ""
