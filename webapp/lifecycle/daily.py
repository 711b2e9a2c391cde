"""The daily deletion: by the clock a part at a time, by the command until it is done."""

from datetime import datetime

from webapp.lifecycle.batches import Deadline
from webapp.lifecycle.clearing import Cleared, clear_away
from webapp.lifecycle.services.deleting import remove_deleted_courses
from webapp.lifecycle.services.retention import remove_expired_course_data


def remove_expired(deadline: Deadline, *, at: datetime, dry_run: bool = False) -> list[Cleared]:
    """Remove deleted courses, expired data of courses, and expired rows.

    Stops at the deadline; the next call continues. ``dry_run`` removes nothing and does not count
    deleted courses.
    """
    cleared = []
    if not dry_run:
        cleared.append(Cleared("rows of deleted courses", remove_deleted_courses(deadline)))
    for course, kind, rows in remove_expired_course_data(deadline, at=at, dry_run=dry_run):
        cleared.append(Cleared(f"{kind} of {course}", rows))
    return [*cleared, *clear_away(deadline, at=at, dry_run=dry_run)]
