"""Views of a course's life: the archive, retention, deletion."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from webapp.flow.lifecycle.models import Retention
from webapp.flow.lifecycle.services.archiving import archive_course, obstacles, unarchive_course
from webapp.flow.lifecycle.services.deleting import delete_course
from webapp.flow.lifecycle.services.retention import due_of, set_retention
from webapp.pages.confirming import Question, ask
from webapp.pages.contexts import course_context
from webapp.pages.http import current_user, form_values, is_saved, run_with_message, signed_in
from webapp.pages.lifecycle.forms import DeleteForm, ReasonForm, RetentionForm
from webapp.pages.lookup import instructors_course
from webapp.teaching.courses.models import Course

DAYS = ("sources_days", "records_days", "prints_days", "logs_days")


def course_of(request: HttpRequest, slug: str) -> Course:
    """Return the course, archived or not, for its instructors."""
    return instructors_course(request, slug, to_look=True)


@signed_in("GET")
def life(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Show all that can be done with the whole course."""
    return show(request, course_of(request, course_slug))


def show(
    request: HttpRequest, course: Course, form: RetentionForm | None = None, *, status: int = 200
) -> HttpResponse:
    """Render the page; also with a refused form in it."""
    kept = Retention.objects.filter(course=course).first()
    context = {
        **course_context(course),
        "obstacles": [] if course.archived_at else obstacles(course),
        "due": due_of(course, at=timezone.now(), retention=kept),
        "now": timezone.now(),
        "retention_form": form or RetentionForm(initial=days_of(kept)),
        "reason_form": ReasonForm(),
        "may_copy": current_user(request).may_create_courses or current_user(request).is_superuser,
    }
    return render(request, "lifecycle/life.html", context, status=status)


def days_of(kept: Retention | None) -> dict[str, int | None]:
    """Return the periods in days, by the names of their fields."""
    return {name: getattr(kept, name, None) for name in DAYS}


@signed_in("POST")
def archive(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Archive the course."""
    words = "The course is archived: everybody can still read it, but nobody can change it."
    return act_with_reason(request, course_slug, archive_course, words)


@signed_in("POST")
def reopen(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Take the course out of the archive."""
    words = "The course is no longer archived: everything works as before."
    return act_with_reason(request, course_slug, unarchive_course, words)


def act_with_reason(
    request: HttpRequest, course_slug: str, service: Callable[..., object], done: str
) -> HttpResponse:
    """Call ``service`` with the course and the reason that was entered; show the course's page."""
    course, by = course_of(request, course_slug), current_user(request)
    run_with_message(
        request,
        lambda: service(course=course, by=by, **form_values(ReasonForm(request.POST))),
        done=done,
    )
    return redirect("lifecycle:life", course_slug)


@signed_in("POST")
def retention(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Set the retention periods."""
    course, by = course_of(request, course_slug), current_user(request)
    kept = Retention.objects.filter(course=course).first()
    form = RetentionForm(request.POST, initial=days_of(kept))

    def act() -> None:
        set_retention(course=course, by=by, **form.cleaned_data)

    if not is_saved(form, act):
        return show(request, course, form, status=422)
    messages.success(request, "Retention periods saved.")
    return redirect("lifecycle:life", course_slug)


@signed_in("GET", "POST")
def delete(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Explain what deleting a course does, and do it."""
    course, by = course_of(request, course_slug), current_user(request)
    form = DeleteForm(request.POST or None)
    form.fields["slug"].help_text = course.slug

    def act() -> None:
        delete_course(course=course, by=by, **form.cleaned_data)

    if is_saved(form, act):
        messages.success(request, "The course was deleted. Grades are kept without names.")
        return redirect("home")
    return ask(request, delete_question(course, form))


def delete_question(course: Course, form: DeleteForm) -> Question:
    """Ask for the short name and a reason before a course is deleted."""
    return Question(
        title=f"Delete {course.title}?",
        effects=(
            *(() if course.archived_at else ("Archive it first: else it cannot be deleted.",)),
            "Nobody can open the course, neither students nor staff nor visitors of its boards.",
            "Uploads, games, logs, teams, extensions and the list of people are removed.",
            "Grades are kept without names: points, scheme, date, and which are of the same team.",
            "The audit log still says who did what and when, but its texts are erased.",
            "People keep their accounts.",
            "If you may need it again, export it first.",
        ),
        button="Delete course for good",
        back=reverse("lifecycle:life", args=[course.slug]),
        form=form,
        course=course,
    )
