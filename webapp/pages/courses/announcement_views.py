"""Views of a course's announcements: everybody in it reads, its staff post and delete."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from webapp.pages.confirming import Question, ask
from webapp.pages.contexts import course_context
from webapp.pages.http import current_user, run_with_form_errors, signed_in, viewer_of
from webapp.pages.lookup import visible_course
from webapp.pages.widgets import TextArea
from webapp.teaching.announcements import services
from webapp.teaching.announcements.models import Announcement
from webapp.teaching.courses.rights import Right


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
    if form.is_valid():
        posted = run_with_form_errors(
            form,
            lambda: services.post(
                course=course, by=current_user(request), at=timezone.now(), **form.cleaned_data
            ),
        )
        if posted is not None:
            messages.success(
                request, "Posted. People who get e-mails about announcements receive it."
            )
            return redirect("courses:announcements", course.slug)
    context = {**course_context(course), "form": form}
    return render(request, "courses/announcement_form.html", context)


@signed_in("GET", "POST")
def delete_announcement(request: HttpRequest, course_slug: str, pk: int) -> HttpResponse:
    """Delete an announcement, once it was asked for a second time."""
    course = visible_course(request, course_slug)
    viewer_of(request, course).require_right(Right.ANNOUNCE)
    announcement = get_object_or_404(Announcement, course=course, pk=pk)
    if request.method != "POST":
        return ask(request, _question(announcement))
    services.delete(announcement=announcement, by=current_user(request), at=timezone.now())
    messages.success(request, "Announcement deleted.")
    return redirect("courses:announcements", course.slug)


def _question(announcement: Announcement) -> Question:
    return Question(
        title=f"Delete the announcement “{announcement.title}”?",
        effects=(
            "It is removed from the site.",
            "E-mails that have not been sent yet are cancelled; sent ones cannot be recalled.",
        ),
        button="Delete announcement",
        back=reverse("courses:announcements", args=[announcement.course.slug]),
        course=announcement.course,
    )
