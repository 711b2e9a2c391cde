"""Games that a course's staff upload: their list, the page of one, and its check."""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString

from grader.core.errors import UploadRejected
from grader.core.games import game_named
from grader.core.words import byte_words
from grader.uploads.archive import DEFAULT_LIMITS
from webapp.grading.game_folders import check_again, upload_game
from webapp.pages.http import (
    course_context,
    current_user,
    run_with_message,
    saved,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import instructors_course, visible_course
from webapp.teaching.courses.models import Course, GameFolder


class GameForm(forms.Form):
    """A game's folder."""

    file = forms.FileField(
        label="Folder of the game, as a zip",
        max_length=120,
        widget=forms.FileInput(attrs={"accept": ".zip"}),
        help_text=SafeString("As <code>firebox game new</code> writes it."),
        error_messages={"required": "Choose a file first.", "empty": "This file is empty."},
    )

    def clean_file(self) -> Any:
        """Refuse what is too large before it is read."""
        file = self.cleaned_data["file"]
        if file.size > DEFAULT_LIMITS.archive_bytes:
            raise forms.ValidationError(
                f"This file has {byte_words(file.size)}; a game has at most"
                f" {byte_words(DEFAULT_LIMITS.archive_bytes)}."
            )
        return file


@signed_in("GET", "POST")
def games(request: HttpRequest, course_slug: str) -> HttpResponse:
    """List the games that the course uploaded, and take another one."""
    course = instructors_course(request, course_slug, to_look=request.method == "GET")
    form = GameForm(request.POST or None, request.FILES or None)
    folder = saved(form, lambda: _upload(request, course, form))
    if folder is not None:
        return redirect("courses:game", course.slug, folder.sha256)
    context = {
        **course_context(course),
        "form": form,
        "folders": course.game_folders.select_related("uploaded_by"),
    }
    status = 422 if form.errors else 200
    return render(request, "courses/games.html", context, status=status)


def _upload(request: HttpRequest, course: Course, form: GameForm) -> GameFolder | None:
    file = form.cleaned_data["file"]
    by = current_user(request)
    try:
        return upload_game(course=course, by=by, filename=file.name, data=file.read())
    except UploadRejected as error:
        form.add_error("file", str(error))
        return None


@signed_in("GET")
def game(request: HttpRequest, course_slug: str, folder: str) -> HttpResponse:
    """Show a game: to everybody in the course once it passed its check."""
    course = visible_course(request, course_slug)
    one = _folder(course, folder)
    viewer = viewer_of(request, course)
    if not (one.is_usable or viewer.is_staff):
        raise Http404("No such game.")
    kind = game_named(one.name) if one.is_usable else None
    context = {
        **course_context(course),
        "viewer": viewer,
        "folder": one,
        "facts": getattr(kind, "facts", None),
    }
    return render(request, "courses/game.html", context)


@signed_in("POST")
def check_game(request: HttpRequest, course_slug: str, folder: str) -> HttpResponse:
    """Have a game checked again."""
    course = instructors_course(request, course_slug)
    one = _folder(course, folder)
    run_with_message(
        request,
        lambda: check_again(folder=one, by=current_user(request)),
        done="The game is being checked again.",
    )
    return redirect("courses:game", course.slug, one.sha256)


def _folder(course: Course, sha256: str) -> GameFolder:
    folder = course.game_folders.filter(sha256=sha256).first()
    if folder is None:
        raise Http404("No such game.")
    return folder
