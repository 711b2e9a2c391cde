"""Views that copy a course or an assignment to another term."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from webapp.flow.lifecycle.services import copying
from webapp.flow.lifecycle.services.copying import CopyPlan, planned_dates
from webapp.pages.contexts import assignment_context, course_context
from webapp.pages.http import current_user, run_with_form_errors, signed_in
from webapp.pages.lifecycle.forms import CopyAssignmentForm, CopyCourseForm, PartsForm
from webapp.pages.lookup import instructors_assignment, instructors_course
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Course, EnrolmentState, Role
from webapp.teaching.courses.permissions import require_course_maker

PREVIEW = "preview"
"""The name of the button that only shows the dates."""


@signed_in("GET", "POST")
def copy_course(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Copy a course; on request, show its dates first."""
    course = instructors_course(request, course_slug, to_look=True)
    by = current_user(request)
    require_course_maker(by)
    form = CopyCourseForm(request.POST or None, initial={"title": course.title})
    valid = form.is_valid()
    if valid and PREVIEW not in request.POST:
        values = {name: form.cleaned_data[name] for name in ("title", "slug", "term", "begins")}
        plan = CopyPlan(parts=form.chosen(), **values)
        made = run_with_form_errors(
            form, lambda: copying.copy_course(course=course, by=by, plan=plan)
        )
        if made is not None:
            messages.success(request, "Copied. Check the dates before you invite anybody.")
            return redirect("courses:course", made.slug)
    assignments = course.assignments.select_related("course")
    context = {**course_context(course), "form": form, "dates": dates(form, assignments)}
    return render(request, "lifecycle/copy.html", context)


@signed_in("GET", "POST")
def copy_assignment(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Copy an assignment to a course of the reader's."""
    assignment = instructors_assignment(request, course_slug, assignment_slug, to_look=True)
    by = current_user(request)
    form = CopyAssignmentForm(
        request.POST or None,
        courses=open_courses_of(by),
        initial={"title": assignment.title, "slug": f"{assignment.slug}-2"[:50]},
    )
    if form.is_valid() and PREVIEW not in request.POST:
        made = run_with_form_errors(form, lambda: copy(assignment, by, form))
        if made is not None:
            messages.success(request, "Copied. Check the dates.")
            return redirect("courses:assignment", made.course.slug, made.slug)
    context: dict[str, Any] = {
        **assignment_context(assignment),
        "form": form,
        "dates": dates(form, [assignment]),
    }
    return render(request, "lifecycle/copy.html", context)


def copy(assignment: Assignment, by: User, form: CopyAssignmentForm) -> Assignment:
    """Hand the form's values to the service."""
    values = {name: form.cleaned_data[name] for name in ("to", "title", "slug", "begins")}
    return copying.copy_assignment(assignment=assignment, by=by, parts=form.chosen(), **values)


def open_courses_of(user: User) -> Any:
    """Return the courses to which the user may copy an assignment."""
    courses = Course.objects.visible_to(user).filter(archived_at__isnull=True)
    if user.is_superuser:
        return courses
    mine = {"enrolments__user": user, "enrolments__role": Role.INSTRUCTOR}
    return courses.filter(enrolments__state=EnrolmentState.ACTIVE, **mine)


def dates(
    form: PartsForm, assignments: Iterable[Assignment]
) -> list[tuple[Assignment, datetime, datetime]]:
    """Return the copies' dates, once the form says when the term begins."""
    begins = form.cleaned_data.get("begins") if form.is_bound and form.is_valid() else None
    return planned_dates(assignments, begins) if begins else []
