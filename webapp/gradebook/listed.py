"""The students whom another system knows: its import refuses a whole file for an unknown one."""

from collections.abc import Mapping, Sequence

from webapp.courses.models import Enrolment
from webapp.courses.roster.formats import guess, recognise
from webapp.courses.roster.reading import MAX_BYTES, table_of, text_of
from webapp.errors import Refused
from webapp.gradebook.exports import System


def listed_in(data: bytes, system: System, students: Sequence[Enrolment]) -> list[Enrolment]:
    """Return the students whom the system's import would find. Raises Refused.

    ``data`` is the system's own list of people or grades, as it exports it.
    """
    if len(data) > MAX_BYTES:
        raise Refused("This file is larger than 1 MiB: is it a list of people?")
    table = table_of(text_of(data))
    columns = guess(table, recognise(table))
    known: dict[str, set[str]] = {}
    for field in system.finds_by:
        if (header := columns.get(field)) is not None:
            place = table.header.index(header)
            values = {_plain(line.cells[place]) for line in table.lines}
            known[field] = values | {
                value.partition("@")[0] for value in values if field == "login"
            }
    if not known:
        raise Refused(
            f"{system.label} finds students by columns that this list does not have. Export the"
            " list of people, or the grades, of your course there."
        )
    return [student for student in students if _is_known(student, known)]


def _is_known(student: Enrolment, known: Mapping[str, set[str]]) -> bool:
    """Return whether the first field that the student has a value for is in the list."""
    email = student.user.email
    own = {"email": email, "login": email.partition("@")[0], "number": student.student_number}
    field = next((field for field in known if own[field]), None)
    return field is not None and _plain(own[field]) in known[field]


def _plain(value: str) -> str:
    """Return a value for comparison: Brightspace marks its own with a sign."""
    return value.strip().removeprefix("#").lower()
