"""Views of courses: join, look at, create, change."""

from copy import copy
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from webapp import pipeline
from webapp.courses import services
from webapp.courses.models import Assignment, Course, Role
from webapp.courses.models.course import STAFF_ROLES
from webapp.courses.permissions import (
    names_of,
    require_course_maker,
    rights_of,
    role_in,
)
from webapp.pages.contexts import course_context
from webapp.pages.courses.forms import CourseForm, JoinForm
from webapp.pages.courses.overview import assignment_cards
from webapp.pages.http import (
    current_user,
    form_values,
    is_saved,
    run_with_form_errors,
    run_with_message,
)
from webapp.pages.lookup import instructors_course, visible_course
from webapp.pages.staff_tasks import tasks_of

ANNOUNCEMENTS_SHOWN: Final = 2
"""The newest are shown on the course's page, the others on their own."""


@login_required
@require_POST
def join(request: HttpRequest) -> HttpResponse:
    """Enrol with an invite code."""
    form = JoinForm(request.POST)
    course = run_with_message(
        request, lambda: services.join_course(user=current_user(request), **form_values(form))
    )
    if course is None:
        return redirect("home")
    messages.success(request, f"You are enrolled in {course}.")
    return redirect("courses:course", course.slug)


@login_required
@require_GET
def course(request: HttpRequest, course_slug: str) -> HttpResponse:
    """A course: its assignments; for staff also how to invite students."""
    course = visible_course(request, course_slug)
    role = role_in(current_user(request), course)
    visible = Assignment.objects.visible_to(current_user(request)).filter(course=course)
    assignments = list(visible.select_related("course"))
    context = {
        **course_context(course),
        **_standing(role, course),
        "announcements": course.announcements.select_related("posted_by")[:ANNOUNCEMENTS_SHOWN],
        "cards": assignment_cards(current_user(request), assignments),
        "tasks": tasks_of(request.user, course, assignments),
    }
    return render(request, "courses/course.html", context)


def _standing(role: Role | None, course: Course) -> dict[str, object]:
    """Return what the reader is and may do in the course."""
    return {
        "can": names_of(rights_of(role, course)),
        "is_staff": role in STAFF_ROLES,
        "is_observer": role == Role.OBSERVER,
        "is_instructor": role == Role.INSTRUCTOR,
        "is_student": role == Role.STUDENT,
    }


@login_required
@require_http_methods(["GET", "POST"])
def new_course(request: HttpRequest) -> HttpResponse:
    """Create a course; for those who may."""
    require_course_maker(current_user(request))
    form = CourseForm(request.POST or None)
    if form.is_valid():
        made = run_with_form_errors(
            form, lambda: services.create_course(by=current_user(request), **form.cleaned_data)
        )
        if made is not None:
            messages.success(request, "Course created. Now create an assignment.")
            return redirect("courses:course", made.slug)
    return render(request, "courses/course_form.html", {"form": form, "nav": "home"})


@login_required
@require_http_methods(["GET", "POST"])
def edit_course(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Change a course."""
    course = instructors_course(request, course_slug)
    form = CourseForm(request.POST or None, instance=copy(course))
    if is_saved(form, lambda: update(request, course, form)):
        messages.success(request, "The course was changed.")
        return redirect("courses:course", course.slug)
    context = {**course_context(course), "form": form}
    return render(request, "courses/course_form.html", context)


def update(request: HttpRequest, course: Course, form: CourseForm) -> None:
    """Hand the form's values to the service; other late days may change points."""
    by = current_user(request)
    pipeline.change_dates(
        course=course,
        by=by,
        change=lambda: services.update_course(course=course, by=by, **form.cleaned_data),
    )
