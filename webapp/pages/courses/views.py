"""Courses with their sections and announcements."""

from copy import copy
from functools import partial
from typing import Final

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from grader.core.words import counted
from webapp.pages.confirming import Question, ask, ask_first
from webapp.pages.courses.dates_views import change_dates
from webapp.pages.courses.forms.course import CourseForm, JoinForm
from webapp.pages.courses.forms.people import ChangeForm, DeleteSectionForm, SectionForm
from webapp.pages.courses.overview import assignment_cards
from webapp.pages.courses.people_views import show_people
from webapp.pages.http import (
    course_context,
    current_user,
    form_values,
    is_saved,
    run_with_form_errors,
    run_with_message,
    saved,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import instructors_course, visible_course
from webapp.pages.staff_tasks import tasks_of
from webapp.pages.widgets import TextArea
from webapp.teaching.announcements.models import Announcement
from webapp.teaching.announcements.services import delete, post
from webapp.teaching.courses import services
from webapp.teaching.courses.models import Assignment, Section
from webapp.teaching.courses.permissions import require_course_maker
from webapp.teaching.courses.rights import Right

ANNOUNCEMENTS_SHOWN: Final = 2
"""The newest are shown on the course's page, the others on their own."""


@signed_in("POST")
def join(request: HttpRequest) -> HttpResponse:
    """Enrol with an invite code."""
    form = JoinForm(request.POST)
    course = run_with_message(
        request, lambda: services.enrol_by_code(user=current_user(request), **form_values(form))
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
    made = saved(
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


def section_of(request: HttpRequest, course_slug: str, pk: int) -> Section:
    """Return a section. Raises Http404, and NotAllowed for all but instructors."""
    course = instructors_course(request, course_slug)
    return get_object_or_404(course.sections.select_related("course"), pk=pk)


@signed_in("POST")
def new_section(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Divide the course: a tutorial, a lab group."""
    course = instructors_course(request, course_slug)
    by, form = current_user(request), SectionForm(request.POST)

    def act() -> None:
        services.create_section(course=course, by=by, name=form.cleaned_data["name"])

    if is_saved(form, act):
        messages.success(request, "Section created. Choose its people below.")
        return redirect("courses:people", course.slug)
    change = ChangeForm(course=course)
    return show_people(request, course, change, section_form=form, status=422)


@signed_in("GET", "POST")
def edit_section(request: HttpRequest, course_slug: str, pk: int) -> HttpResponse:
    """Rename a section."""
    section = section_of(request, course_slug, pk)
    before = section.name
    form = SectionForm(request.POST or None, initial={"name": before})
    form.fields["name"].label = "Name"

    def act() -> None:
        services.rename_section(
            section=section, by=current_user(request), name=form.cleaned_data["name"]
        )

    if is_saved(form, act):
        messages.success(request, f"{before} is now called {section.name}.")
        return redirect("courses:people", course_slug)
    context = {
        **course_context(section.course),
        "section": section,
        "before": before,
        "form": form,
    }
    status = 422 if form.errors else 200
    return render(request, "courses/section_form.html", context, status=status)


@signed_in("GET", "POST")
def delete_section(request: HttpRequest, course_slug: str, pk: int) -> HttpResponse:
    """Delete a section, after a question with a reason and a new section for its people."""
    section = section_of(request, course_slug, pk)
    form = DeleteSectionForm(request.POST or None, section=section)
    if form.is_valid():
        values = {"section": section, **form.cleaned_data}
        moved = run_with_form_errors(
            form,
            lambda: change_dates(request, section.course, services.delete_section, **values),
        )
        if moved is not None:
            into = form.cleaned_data["into"] or "no section"
            words = f"{section} was deleted; {counted(moved, 'person', 'people')} moved to {into}."
            messages.success(request, words)
            return redirect("courses:people", course_slug)
    question = Question(
        title=f"Delete the section {section}?",
        effects=tuple(_effects_of_deletion(section)),
        button="Delete section",
        back=reverse("courses:people", args=[course_slug]),
        form=form,
        course=section.course,
    )
    return ask(request, question)


def _effects_of_deletion(section: Section) -> list[str]:
    people = section.course.enrolments.in_sections([section]).count()
    dates = [str(own.assignment) for own in section.dates.select_related("assignment")]
    effects = [f"It has {counted(people, 'person', 'people')}. Their work and grades stay."]
    if dates:
        effects.append(
            f"Its due dates in {', '.join(dates)} are deleted. Its people get the due dates of the"
            " section that they move to, or the assignment\u2019s. Points are recomputed."
        )
    released = [str(row.assignment) for row in section.releases.select_related("assignment")]
    if released:
        effects.append(
            f"The grades of {', '.join(released)} are released to this section: its people see them"
            " only where they are released to everybody, or to the section they move to."
        )
    staff = [str(member.user) for member in section.staff.select_related("user")]
    if staff:
        effects.append(
            f"Staff responsible for it: {', '.join(staff)}. Staff who are left without a section"
            " can act for the students of all sections."
        )
    return effects


class AnnouncementForm(forms.Form):
    """An announcement of staff. The service checks it."""

    title = forms.CharField(max_length=120)
    text = forms.CharField(
        max_length=5000,
        widget=TextArea(attrs={"rows": 8}),
        help_text="Plain text. Web addresses become links.",
    )


@signed_in("GET")
def announcements(request: HttpRequest, course_slug: str) -> HttpResponse:
    """All announcements of a course, the newest first."""
    course = visible_course(request, course_slug)
    context = {
        **course_context(course),
        "announcements": course.announcements.select_related("posted_by"),
        "viewer": viewer_of(request, course),
    }
    return render(request, "courses/announcements.html", context)


@signed_in("GET", "POST")
def new_announcement(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Write an announcement."""
    course = visible_course(request, course_slug)
    viewer_of(request, course).require_right(Right.ANNOUNCE)
    form = AnnouncementForm(request.POST or None)
    posted = saved(
        form,
        lambda: post(
            course=course, by=current_user(request), at=timezone.now(), **form.cleaned_data
        ),
    )
    if posted is not None:
        messages.success(request, "Posted. People who get e-mails about announcements receive it.")
        return redirect("courses:announcements", course.slug)
    context = {**course_context(course), "form": form}
    return render(request, "courses/announcement_form.html", context)


@signed_in("GET", "POST")
def delete_announcement(request: HttpRequest, course_slug: str, pk: int) -> HttpResponse:
    """Delete an announcement, once it was asked for a second time."""
    course = visible_course(request, course_slug)
    viewer_of(request, course).require_right(Right.ANNOUNCE)
    announcement = get_object_or_404(Announcement, course=course, pk=pk)
    question = Question(
        title=f"Delete the announcement “{announcement.title}”?",
        effects=(
            "It is removed from the site.",
            "E-mails that have not been sent yet are cancelled; sent ones cannot be recalled.",
        ),
        button="Delete announcement",
        back=reverse("courses:announcements", args=[course.slug]),
        course=course,
    )
    act = partial(delete, announcement=announcement, by=current_user(request), at=timezone.now())
    return ask_first(request, question, act, done="Announcement deleted.")
