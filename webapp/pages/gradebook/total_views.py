"""A student's own grades in a course, and their total."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from webapp.courses.permissions import is_staff_of
from webapp.gradebook.own import OwnTotal, Part, own_total
from webapp.pages.http import current_user
from webapp.pages.lookup import visible_course


@login_required
@require_GET
def own_course(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Show the reader's results of all assignments and how their total comes about.

    Staff have none: they are told where everybody's are.
    """
    course = visible_course(request, course_slug)
    is_staff = is_staff_of(request.user, course)
    parts = {} if is_staff else parts_of(own_total(current_user(request), course))
    context = {"course": course, "is_staff": is_staff, **parts, "nav": "home"}
    return render(request, "gradebook/own_course.html", context)


def parts_of(own: OwnTotal) -> dict[str, object]:
    """Return the total, and the results by their parts in it, for sentences."""
    counted = own.of_part(Part.COUNTS)
    return {
        "own": own,
        "counted": counted,
        "dropped": own.of_part(Part.DROPPED),
        "held": own.of_part(Part.HELD),
        "pending": own.of_part(Part.PENDING),
        "same_weight": len({row.assignment.weight for row in counted}) <= 1,
    }
