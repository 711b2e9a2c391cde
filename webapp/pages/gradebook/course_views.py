"""The gradebook of a course, for staff, and its files for other systems.

Files have addresses and student numbers, so they need the right to see the list of people.
"""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from webapp.courses.models import Assignment
from webapp.courses.rights import Right
from webapp.errors import Refused
from webapp.gradebook.course import assignments_of, course_rows, out_of
from webapp.gradebook.exports import SYSTEMS, exported
from webapp.gradebook.models import Outcome, RegradeRequest
from webapp.gradebook.students import students_like
from webapp.gradebook.worksheets import filled
from webapp.pages.addresses import query_of
from webapp.pages.contexts import course_context
from webapp.pages.http import attachment, run_with_message, viewer_of
from webapp.pages.lookup import staff_assignment, staff_course
from webapp.storable import storable

STUDENTS_PER_PAGE: Final = 50


@login_required
@require_GET
def course_grades(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Every student's points of every assignment, and their totals."""
    course = staff_course(request, course_slug)
    words = storable(request.GET.get("q", "").strip(), characters=80)
    assignments = assignments_of(course)
    students = students_like(course, words)
    page = Paginator(students, STUDENTS_PER_PAGE).get_page(request.GET.get("page"))
    asked = RegradeRequest.objects.filter(assignment__course=course, outcome=Outcome.OPEN)
    viewer = viewer_of(request, course)
    context = {
        **course_context(course),
        "columns": [(assignment, out_of(assignment)) for assignment in assignments],
        "rows": course_rows(course, assignments, list(page)),
        "page": page,
        "words": words,
        "query": query_of({"q": words}),
        "systems": [(name, system) for name, system in SYSTEMS.items() if system.takes_course],
        "n_asked": asked.count(),
        "can": viewer.can,
        "is_instructor": viewer.is_instructor,
    }
    return render(request, "gradebook/course.html", context)


@login_required
@require_GET
def course_export(request: HttpRequest, course_slug: str, system: str) -> HttpResponse:
    """The whole course in the columns of another system."""
    course = staff_course(request, course_slug)
    viewer_of(request, course).require_right(Right.ROSTER)
    chosen = SYSTEMS.get(system)
    if chosen is None or not chosen.takes_course:
        raise Http404("No such system, or it takes one assignment at a time.")
    assignments = assignments_of(course)
    rows = course_rows(course, assignments)
    text = exported(chosen, assignments, rows)
    name = f"{course.slug}-{system}.csv"
    return attachment(text, name=name)


@login_required
@require_GET
def assignment_export(
    request: HttpRequest, course_slug: str, assignment_slug: str, system: str
) -> HttpResponse:
    """One assignment in the columns of another system."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    viewer_of(request, assignment.course).require_right(Right.ROSTER)
    chosen = SYSTEMS.get(system)
    if chosen is None:
        raise Http404("No such system.")
    course = assignment.course
    rows = course_rows(course, [assignment])
    name = f"{course.slug}-{assignment.slug}-{system}.csv"
    text = exported(chosen, [assignment], rows)
    return attachment(text, name=name)


@login_required
@require_POST
def fill_worksheet(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Return the uploaded grading worksheet of Moodle with points and comments in it."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    viewer_of(request, assignment.course).require_right(Right.ROSTER)
    done = run_with_message(request, lambda: filled_in(request, assignment))
    if done is None:
        return redirect("gradebook:grades", course_slug, assignment_slug)
    name = f"{assignment.course.slug}-{assignment.slug}-worksheet.csv"
    return attachment(done, name=name)


def filled_in(request: HttpRequest, assignment: Assignment) -> str:
    """Return the text of the file. Raises Refused if no student in it has points."""
    file = request.FILES.get("file")
    if file is None:
        raise Refused("Choose a worksheet first.")
    course = assignment.course
    rows = course_rows(course, [assignment])
    text, n_filled = filled(file.read(), rows)
    if not n_filled:
        raise Refused(
            "No student in this worksheet has points here."
            " Its addresses must be those of this site."
        )
    return text
