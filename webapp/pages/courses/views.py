"""Views of courses: join, look at, create, change."""

from copy import copy
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from webapp.pages.contexts import course_context
from webapp.pages.courses.dates_views import change_dates
from webapp.pages.courses.forms.course import CourseForm, JoinForm
from webapp.pages.courses.overview import assignment_cards
from webapp.pages.http import (
    current_user,
    form_values,
    is_saved,
    run_with_form_errors,
    run_with_message,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import instructors_course, visible_course
from webapp.pages.staff_tasks import tasks_of
from webapp.teaching.courses import services
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import require_course_maker

ANNOUNCEMENTS_SHOWN: Final = 2
"""The newest are shown on the course's page, the others on their own."""


@signed_in("POST")
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


@signed_in("GET")
def course(request: HttpRequest, course_slug: str) -> HttpResponse:
    """A course: its assignments; for staff also how to invite students."""
    course = visible_course(request, course_slug)
    visible = Assignment.objects.visible_to(current_user(request)).filter(course=course)
    assignments = list(visible.select_related("course"))
    context = {
        **course_context(course),
        "viewer": viewer_of(request, course),
        "announcements": course.announcements.select_related("posted_by")[:ANNOUNCEMENTS_SHOWN],
        "cards": assignment_cards(current_user(request), assignments),
        "tasks": tasks_of(viewer_of(request, course), assignments),
    }
    return render(request, "courses/course.html", context)


@signed_in("GET", "POST")
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


@signed_in("GET", "POST")
def edit_course(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Change a course."""
    course = instructors_course(request, course_slug)
    form = CourseForm(request.POST or None, instance=copy(course))

    def update() -> None:
        change_dates(  # other late days may change points
            request, course, services.update_course, course=course, **form.cleaned_data
        )

    if is_saved(form, update):
        messages.success(request, "The course was changed.")
        return redirect("courses:course", course.slug)
    context = {**course_context(course), "form": form}
    return render(request, "courses/course_form.html", context)
