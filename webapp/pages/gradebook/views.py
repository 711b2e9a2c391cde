"""The gradebook of an assignment and of a course, for staff."""

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.base.storable import storable
from webapp.grading.gradebook.course import assignments_of, course_rows, out_of
from webapp.grading.gradebook.exports import SYSTEMS
from webapp.grading.gradebook.models import Outcome, RegradeRequest
from webapp.grading.gradebook.spreadsheets import gradebook_csv
from webapp.grading.gradebook.students import students_like, without_upload
from webapp.grading.gradebook.work import Work
from webapp.pages.addresses import query_of
from webapp.pages.contexts import assignment_context, course_context
from webapp.pages.http import attachment, signed_in, viewer_of
from webapp.pages.lookup import staff_assignment, staff_course
from webapp.teaching.courses.releases import is_held
from webapp.teaching.courses.rights import Right

STUDENTS_PER_PAGE: Final = 50


@signed_in("GET")
def grades(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Every student's points, each with its evidence."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    words = storable(request.GET.get("q", "").strip(), characters=80)
    only_nothing = request.GET.get("show") == "nothing"
    students = students_like(assignment.course, words)
    if only_nothing:
        students = without_upload(assignment, students)
    page = Paginator(students, STUDENTS_PER_PAGE).get_page(request.GET.get("page"))
    people, everybody = list(page), Work([assignment])
    users = [student.user_id for student in people]
    work = Work([assignment], users=users, settled=everybody.settled)
    viewer = viewer_of(request, assignment.course)
    context = {
        **assignment_context(assignment),
        "is_held": is_held(assignment),
        "can": viewer.can,
        "is_instructor": viewer.is_instructor,
        "n_asked": RegradeRequest.objects.filter(
            assignment=assignment, outcome=Outcome.OPEN
        ).count(),
        "rows": [(student, work.of(assignment, student.user_id)) for student in people],
        "page": page,
        "words": words,
        "only_nothing": only_nothing,
        "query": query_of({"q": words, "show": "nothing" if only_nothing else ""}),
        "n_graded": everybody.n_graded_students(),
        "n_students": page.paginator.count
        if not words and not only_nothing
        else students_like(assignment.course).count(),
        "systems": SYSTEMS.items(),
    }
    return render(request, "gradebook/grades.html", context)


@signed_in("GET")
def grades_csv(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """The same as a spreadsheet, with addresses and student numbers."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    viewer_of(request, assignment.course).require_right(Right.ROSTER)
    name = f"{assignment.course.slug}-{assignment.slug}-grades.csv"
    text = gradebook_csv(assignment)
    return attachment(text, name=name)


@signed_in("GET")
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
