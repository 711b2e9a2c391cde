"""The lock of an assignment.

Every decision from several rows (the members of a team, the uploads left, whether the secret may be
revealed) takes it first and reads afterwards. Teams have no lock of their own. Reports of graders
lock their evaluation before it, never after it: so nobody waits in a circle.
"""

from webapp.teaching.courses.models import Assignment, Course


# See webapp/decisions/one-lock-per-assignment.md
def lock(assignment: Assignment) -> None:
    """Lock an assignment until the transaction ends, and refresh ``assignment``.

    Rows that point at it can still be inserted: that is what ``no_key`` says. SQLite knows one
    lock, which every writing transaction holds from its beginning.
    """
    rows = Assignment.objects.select_related("course")
    assignment.refresh_from_db(from_queryset=rows.select_for_update(of=("self",), no_key=True))


def lock_all(course: Course) -> None:
    """Lock the assignments of a course, always in the same order, and then the course itself."""
    rows = Assignment.objects.filter(course=course).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk"))
    lock_course(course)


def lock_course(course: Course) -> None:
    """Lock the points of a course until the transaction ends.

    It is taken last, after an assignment's: its holder takes no other lock.
    """
    Course.objects.select_for_update(no_key=True).get(pk=course.pk)
