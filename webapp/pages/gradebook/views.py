"""Grades for staff: the gradebook, releases, regrade requests; and a student's own total."""

from collections.abc import Sequence
from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import floatformat

from webapp.base.storable import storable
from webapp.flow import pipeline
from webapp.grading.gradebook.course import (
    CourseResult,
    CourseTotal,
    GradePart,
    assignments_of,
    course_rows,
    out_of,
    own_total,
)
from webapp.grading.gradebook.exports import SYSTEMS
from webapp.grading.gradebook.models import Grade, Outcome, RegradeRequest
from webapp.grading.gradebook.points import all_points
from webapp.grading.gradebook.spreadsheets import gradebook_csv
from webapp.grading.gradebook.students import students_like, without_upload
from webapp.grading.gradebook.work import Work
from webapp.pages.addresses import query_of
from webapp.pages.gradebook.forms import AnswerForm, HoldForm
from webapp.pages.gradebook.student_views import context_of
from webapp.pages.http import (
    assignment_context,
    attachment,
    course_context,
    current_user,
    form_values,
    is_saved,
    run_with_message,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import (
    chosen_section,
    instructors_assignment,
    staff_assignment,
    staff_course,
    visible_course,
)
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.selectors import WantedActs, acts
from webapp.teaching.courses.models import Assignment, Enrolment
from webapp.teaching.courses.people import with_students
from webapp.teaching.courses.releases import held_teams, is_held
from webapp.teaching.courses.rights import Right
from webapp.teaching.courses.services import hold_grades
from webapp.teaching.courses.services.releases import audience, released_to

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
    work = Work([assignment], users=users, by_assignment=everybody.by_assignment)
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


@signed_in("GET", "POST")
def release(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Show who sees the grades, and release them to everybody or to a section."""
    assignment = instructors_assignment(request, course_slug, assignment_slug, to_look=True)
    user = current_user(request)
    if request.method == "POST":
        section = chosen_section(request, assignment.course)
        run_with_message(
            request,
            lambda: pipeline.release_grades(assignment=assignment, by=user, section=section),
            done=f"The grades are released to {audience(section)}. Students get an e-mail.",
            undo=True,
        )
        return redirect("gradebook:release", course_slug, assignment_slug)
    return render(request, "gradebook/release.html", release_context(assignment))


def release_context(assignment: Assignment) -> dict[str, object]:
    """Return the values of the page."""
    releases = {row.section_id: row for row in assignment.releases.select_related("released_by")}
    sections = with_students(assignment.course.sections.order_by("name"))
    held = held_teams(assignment)
    graded = Grade.objects.filter(team__assignment=assignment, is_current=True)
    hidden = acts(WantedActs(course=assignment.course, kind=ActKind.GRADES_HELD.name_kept))
    return {
        **assignment_context(assignment),
        "released_to": released_to(assignment),
        "hidden": hidden.filter(thing=str(assignment)).first(),
        "for_everybody": releases.get(None),
        "sections": [(section, releases.get(section.pk)) for section in sections],
        "is_released": not assignment.holds_grades or None in releases,
        "n_held": len(held),
        "n_graded": graded.count(),
        "n_teams": assignment.teams.count(),
        "hold_form": HoldForm(),
    }


@signed_in("POST")
def hold(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Hide the grades from students until they are released."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    form = HoldForm(request.POST)
    run_with_message(
        request,
        lambda: hold_grades(assignment=assignment, by=current_user(request), **form_values(form)),
        done="The grades are hidden from students.",
    )
    return redirect("gradebook:release", course_slug, assignment_slug)


PER_PAGE: Final = 50


@signed_in("GET")
def regrades(request: HttpRequest, course_slug: str) -> HttpResponse:
    """List the course's requests, the open ones first."""
    course = staff_course(request, course_slug)
    asked = RegradeRequest.objects.filter(assignment__course=course)
    state = request.GET.get("state", Outcome.OPEN.value)
    shown = asked.filter(outcome=state) if state in Outcome.values else asked
    related = shown.select_related("user", "assignment", "answered_by").defer("answer")
    page = Paginator(related, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        **course_context(course),
        "requests": list(page),
        "page": page,
        "state": state,
        "states": [*Outcome.choices, ("all", "all")],
        "query": query_of({"state": state or "all"}),
        "n_open": asked.filter(outcome=Outcome.OPEN).count(),
    }
    return render(request, "gradebook/regrades.html", context)


@signed_in("GET", "POST")
def regrade(request: HttpRequest, course_slug: str, pk: int) -> HttpResponse:
    """Show one request with the points it is about, and answer it."""
    course = staff_course(request, course_slug)
    rows = RegradeRequest.objects.filter(assignment__course=course)
    related = rows.select_related("user", "assignment__course", "answered_by")
    asked = get_object_or_404(related, pk=pk)
    user = current_user(request)
    if request.method == "POST":
        viewer_of(request, course).require_right(Right.GRADE, people=[asked.user_id])
    form = AnswerForm(request.POST or None)
    if is_saved(form, lambda: pipeline.answer_regrade(request=asked, by=user, **form.cleaned_data)):
        messages.success(request, f"Regrade request of {asked.user} answered.")
        return redirect("gradebook:regrades", course_slug)
    points = all_points([asked.assignment], [asked.user_id])
    context = {
        **context_of(
            asked.assignment, asked.user, points.get((asked.assignment_id, asked.user_id))
        ),
        "asked": asked,
        "enrolment": Enrolment.objects.filter(course=course, user=asked.user).first(),
        "can": viewer_of(request, course).can,
        "form": form,
    }
    return render(request, "gradebook/regrade.html", context, status=422 if form.errors else 200)


@signed_in("GET")
def own_course(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Show the reader's results and their total; to staff, who have none, the gradebook."""
    course = visible_course(request, course_slug)
    is_staff = viewer_of(request, course).is_staff
    parts = {} if is_staff else _parts_of(own_total(current_user(request), course))
    context = {**course_context(course), "is_staff": is_staff, **parts}
    return render(request, "gradebook/own_course.html", context)


def _parts_of(own: CourseTotal) -> dict[str, object]:
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
