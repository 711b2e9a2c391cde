"""A student's own grades in a course, and their total."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import floatformat

from webapp.grading.gradebook.course import CourseResult, CourseTotal, GradePart, own_total
from webapp.pages.contexts import course_context
from webapp.pages.http import current_user, signed_in, viewer_of
from webapp.pages.lookup import visible_course


@signed_in("GET")
def own_course(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Show the reader's results of all assignments and the computation of their total.

    Staff have none: they see a link to the gradebook.
    """
    course = visible_course(request, course_slug)
    is_staff = viewer_of(request, course).is_staff
    parts = {} if is_staff else parts_of(own_total(current_user(request), course))
    context = {**course_context(course), "is_staff": is_staff, **parts}
    return render(request, "gradebook/own_course.html", context)


def parts_of(own: CourseTotal) -> dict[str, object]:
    """Return the total, and the results by their parts in it, for sentences."""
    counted = own.of_part(GradePart.COUNTS)
    return {
        "own": own,
        "counted": counted,
        "dropped": own.of_part(GradePart.DROPPED),
        "held": own.of_part(GradePart.HELD),
        "pending": own.of_part(GradePart.PENDING),
        "same_weight": is_even(counted),
        "formula": formula_of(counted),
    }


def is_even(counted: Sequence[CourseResult]) -> bool:
    """Return whether all of these have the same weight."""
    return len({row.assignment.weight for row in counted}) <= 1


def formula_of(counted: Sequence[CourseResult]) -> str:
    """Write the mean of these results by their weights: ``(2 × 80% + 1 × 95%) ÷ 3``."""
    shares = [f"{floatformat(row.result.percent, -2)}%" for row in counted]
    if is_even(counted):
        return f"({' + '.join(shares)}) ÷ {len(counted)}"
    weights = [row.assignment.weight for row in counted]
    parts = [
        f"{floatformat(weight, -2)} × {share}"
        for weight, share in zip(weights, shares, strict=True)
    ]
    return f"({' + '.join(parts)}) ÷ {floatformat(sum(weights), -2)}"
