"""Views that write a course into a file, and take one in."""

import tempfile

from django.conf import settings
from django.db import transaction
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone

from webapp.base.errors import Refused
from webapp.flow.lifecycle.exporting import count_games, write_course
from webapp.flow.lifecycle.models import CourseImport
from webapp.flow.lifecycle.receiving import start_import
from webapp.pages.http import current_user, is_saved, run_with_message, signed_in
from webapp.pages.lifecycle.forms import ImportForm
from webapp.pages.lookup import instructors_course
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.models import Course
from webapp.teaching.courses.permissions import require_course_maker

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
