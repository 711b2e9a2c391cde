"""The life of a course: archive, retention, copies, files; and persons who are forgotten."""

import tempfile
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone

from grader.core.words import counted
from webapp.base.errors import Refused
from webapp.flow.lifecycle.exporting import count_games, write_course
from webapp.flow.lifecycle.models import CourseImport, Retention
from webapp.flow.lifecycle.receiving import start_import
from webapp.flow.lifecycle.services import copying
from webapp.flow.lifecycle.services.archiving import archive_course, obstacles, unarchive_course
from webapp.flow.lifecycle.services.copying import CopyPlan, planned_dates
from webapp.flow.lifecycle.services.deleting import delete_course
from webapp.flow.lifecycle.services.forgetting import forget_person
from webapp.flow.lifecycle.services.retention import due_of, set_retention
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Submission
from webapp.pages.confirming import Question, ask, ask_with_form
from webapp.pages.http import (
    assignment_context,
    course_context,
    current_user,
    form_values,
    is_saved,
    require_operator,
    run_with_form_errors,
    run_with_message,
    signed_in,
)
from webapp.pages.lifecycle.forms import (
    CopyAssignmentForm,
    CopyCourseForm,
    DeleteForm,
    FindPersonForm,
    ForgetForm,
    ImportForm,
    PartsForm,
    ReasonForm,
    RetentionForm,
)
from webapp.pages.lookup import instructors_assignment, instructors_course
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.models import Assignment, Course, Enrolment, EnrolmentState, Role
from webapp.teaching.courses.permissions import require_course_maker

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
    question = Question(
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
    return ask(request, question)


@signed_in("GET")
def find(request: HttpRequest) -> HttpResponse:
    """Find a person by address."""
    require_operator(request)
    form = FindPersonForm(request.GET or None)
    if form.is_valid():
        email = User.objects.normalize_email(form.cleaned_data["email"])
        user = User.objects.filter(email=email).first()
        if user is not None:
            return redirect("lifecycle:forget_person", user.pk)
        form.add_error("email", "No account has this address.")
    return render(request, "lifecycle/find_person.html", {"form": form, "nav": "graders"})


@signed_in("GET", "POST")
def forget(request: HttpRequest, pk: int) -> HttpResponse:
    """Show which records are deleted with a person and which stay, and delete them."""
    by, person = require_operator(request), get_object_or_404(User, pk=pk)
    uploads = Submission.objects.filter(team__memberships__user=person).count()
    grades = Grade.objects.filter(team__memberships__user=person, is_current=True).count()
    places = Enrolment.objects.filter(user=person).select_related("course")
    question = Question(
        title=f"Delete {person.display_name}?",
        effects=(
            f"The account {person.email}, its name, student numbers and e-mails are deleted.",
            "So are games with agents, and reasons and audit log entries that name the person.",
            f"{counted(uploads, 'upload')}: programs and logs go, unless a partner stays.",
            f"{counted(grades, 'grade')} and the games behind them stay, of “a deleted person”.",
            "Backups stay until they are replaced: after restoring one, delete the person again.",
            *(f"In {place.course}: {place.words}." for place in places),
        ),
        button="Delete person for good",
        back=reverse("lifecycle:find_person"),
        nav="graders",
    )
    return ask_with_form(
        request,
        question,
        ForgetForm(request.POST or None),
        act=lambda values: forget_person(user=person, by=by, **values),
        done=lambda _: "The person was deleted. Their grades are kept without a name.",
    )


MAX_GAMES = 100_000
"""Number of games that a page exports in about ten seconds; larger courses need the command."""
IN_MEMORY = 8 << 20
"""A file that is larger is written to the disk."""


@signed_in("GET")
def export(request: HttpRequest, course_slug: str) -> HttpResponseBase:
    """Download everything of the course."""
    course = instructors_course(request, course_slug, to_look=True)
    file = run_with_message(request, lambda: written(request, course))
    if file is None:
        return redirect("lifecycle:life", course_slug)
    response = FileResponse(file, as_attachment=True, filename=f"{course.slug}.firebox.zip")
    response["Cache-Control"] = "private, no-store"
    return response


def written(request: HttpRequest, course: Course) -> "tempfile.SpooledTemporaryFile[bytes]":
    """Return the file, at its beginning. Raises Refused for a course with too many games."""
    if course.archived_at is None:
        raise Refused("Archive the course first: then nothing changes while the file is written.")
    if (n_games := count_games(course)) > MAX_GAMES:
        raise Refused(
            f"With {n_games:,} games this course is too large for a download: ask this site's"
            f" operator for `python -m webapp archive {course.slug}`."
        )
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - the response closes it
    with transaction.atomic():
        write_course(course, file, at=timezone.now())
        record(ActKind.COURSE_EXPORTED, by=current_user(request), course=course)
    file.seek(0)
    return file


@signed_in("GET", "POST")
def import_course(request: HttpRequest) -> HttpResponse:
    """Take in a course file, and show how far the person's last one is."""
    by = current_user(request)
    require_course_maker(by)
    form = ImportForm(request.POST or None, request.FILES or None)

    def act() -> None:
        start_import(by=by, **form.cleaned_data)

    if is_saved(form, act):
        return redirect("lifecycle:import_course")
    context = {
        "form": form,
        "most": settings.MAX_IMPORT_BYTES >> 20,
        "last": None if form.is_bound else CourseImport.objects.filter(requested_by=by).first(),
        "nav": "home",
    }
    return render(request, "lifecycle/import.html", context)


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
