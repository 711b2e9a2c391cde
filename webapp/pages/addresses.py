"""Addresses of pages: the prefixes of a course and an assignment, and possible queries."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from webapp.teaching.courses.models import Assignment

COURSE: Final = "courses/<slug:course_slug>/"
ASSIGNMENT: Final = COURSE + "assignments/<slug:assignment_slug>/"


def editor_address(assignment: Assignment, **asked: object) -> str:
    """Return the editor's address: of ``submission``, ``kit`` or ``draft``, ``file``, ``line``."""
    page = reverse("submissions:editor", args=[assignment.course.slug, assignment.slug])
    return f"{page}?{urlencode(asked)}"


def query_of(asked: Mapping[str, object]) -> str:
    """Return a query without empty values, to which a page's number can be appended."""
    given = {name: value for name, value in asked.items() if value not in ("", None)}
    return f"{urlencode(given)}&" if given else ""


def whole_number(text: str, *, digits: int = 6) -> int | None:
    """Return the number in an address, of so many digits at most; ``None`` for anything else."""
    return int(text) if re.fullmatch(rf"[0-9]{{1,{digits}}}", text) else None
