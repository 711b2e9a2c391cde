"""Student numbers in the names of files must be those of the students who upload them."""

import re
from collections.abc import Collection
from pathlib import PurePosixPath
from typing import Final

from grader.uploads.archive import Sources
from webapp.base.errors import Refused, SourceMessage, UploadRefused
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Course
from webapp.teaching.courses.permissions import viewer_in

_NUMBERED: Final = re.compile(r"Agent([0-9]{5,})")
"""A file name, without its ending, with the number of a student. Shorter numbers are ignored."""


def require_own_number(
    user: User, course: Course, sources: Sources, *, team: Collection[User] = ()
) -> None:
    """Refuse files named with the number of a student who is not in the team. One query.

    Staff may upload anybody's. Raises Refused for a student whose number the course does not have,
    UploadRefused for another's.
    """
    numbered = {
        file.name: match[1]
        for file in sources.files
        if (match := _NUMBERED.fullmatch(PurePosixPath(file.name).stem))
    }
    if not numbered or viewer_in(user, course).is_staff:
        return
    enrolments = course.enrolments.filter(user__in={user, *team})
    numbers = dict(enrolments.values_list("user_id", "student_number"))
    own = numbers.get(user.pk) or ""
    if not _digits(own):
        raise Refused(
            "Files are named with student numbers here, and yours is not known yet. Enter it on"
            " your profile page, then upload this file again."
        )
    known = {_digits(number or "") for number in numbers.values()}
    wrong = {name: number for name, number in numbered.items() if number not in known}
    if wrong:
        raise UploadRefused(tuple(_not_yours(*entry, own) for entry in wrong.items()))


def _digits(number: str) -> str:
    """Without letters and blanks: ``u1234567`` is in file names as 1234567."""
    return "".join(filter(str.isdecimal, number))


def _not_yours(name: str, number: str, own: str) -> SourceMessage:
    text = (
        f"It is named with the student number {number}; yours is {own}. Upload your own agent, and"
        " name file and class after your number. If your number is wrong here, tell your"
        " instructor: it can be corrected on the page of people."
    )
    return SourceMessage(file=name, text=text)
