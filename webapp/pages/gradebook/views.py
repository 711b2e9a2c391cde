"""The gradebook, for staff."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from webapp.gradebook import selectors
from webapp.pages.http import attachment
from webapp.pages.lookup import staff_assignment


@login_required
@require_GET
def grades(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Every student's points, each with its evidence."""
    found = staff_assignment(request, course, assignment)
    rows = selectors.gradebook(found)
    context = {
        "assignment": found,
        "course": found.course,
        "rows": rows,
        "n_graded": sum(row.status == "graded" for row in rows),
        "nav": "home",
    }
    return render(request, "gradebook/grades.html", context)


@login_required
@require_GET
def grades_csv(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """The same as a spreadsheet."""
    found = staff_assignment(request, course, assignment)
    name = f"{found.course.slug}-{found.slug}-grades.csv"
    text = selectors.gradebook_csv(found)
    return attachment(text, name=name, content_type="text/csv; charset=utf-8")
