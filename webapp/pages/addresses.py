"""Addresses of pages: the prefixes of a course and an assignment, and possible queries."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

COURSE: Final = "courses/<slug:course_slug>/"
ASSIGNMENT: Final = COURSE + "assignments/<slug:assignment_slug>/"


def query_of(asked: Mapping[str, object]) -> str:
    """Return a query string to which a page's number can be appended.

    What is empty is left out.
    """
    given = {name: value for name, value in asked.items() if value not in ("", None)}
    return f"{urlencode(given)}&" if given else ""
