"""The one lock that everything about an assignment is decided under.

Whoever decides from several rows (who is in which team, how many uploads are left, whether the
secret may be told) locks the assignment first and reads afterwards. There is no lock of a team.
Reports of graders lock their evaluation before it, never after it: so nobody waits in a circle.
"""

from webapp.courses.models import Assignment, Course

__all__ = ["lock", "lock_course"]


def lock(assignment: Assignment) -> None:
    """Until the transaction ends nobody else changes it; ``assignment`` is as it is now.

    Rows that point at it can still be inserted: that is what ``no_key`` says. SQLite knows one
    lock, which every writing transaction holds from its beginning.
    """
    rows = Assignment.objects.select_related("course")
    assignment.refresh_from_db(from_queryset=rows.select_for_update(of=("self",), no_key=True))


def lock_course(course: Course) -> None:
    """Until the transaction ends nobody else changes points of the course.

    Taken last, after an assignment: whoever holds it asks for no other lock.
    """
    Course.objects.select_for_update(no_key=True).get(pk=course.pk)
