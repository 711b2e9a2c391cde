"""Small functions for views: the current user, messages about refusals, files to download."""

import re
from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import Any, Final, TypeVar

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.text import get_valid_filename
from django.views.decorators.http import require_http_methods

from webapp.base.errors import NotAllowed, Refused, UploadRefused
from webapp.flow.undoing import undoable
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.people.auditlog.services import recorded
from webapp.teaching.courses.models import Assignment, Course
from webapp.teaching.courses.permissions import Viewer, viewer_in

T = TypeVar("T")
View = TypeVar("View", bound=Callable[..., HttpResponseBase])
AnyResponse = TypeVar("AnyResponse", bound=HttpResponseBase)

_CONTENT_TYPES: Final = {
    ".csv": "text/csv; charset=utf-8",
    ".json": "application/json",
    ".zip": "application/zip",
}
"""Content types of downloads, by the ending of their names."""


def signed_in(*methods: str) -> Callable[[View], View]:
    """Decorate a view for people who are signed in, and for these methods."""
    return lambda view: login_required(require_http_methods(methods)(view))


def current_user(request: HttpRequest) -> User:
    """Return who is signed in. Views that call it are also marked ``signed_in``."""
    if not isinstance(request.user, User):
        raise NotAllowed("Sign in first.")
    return request.user


def viewer_of(request: HttpRequest, course: Course) -> Viewer:
    """Return who asks, in this course. One query a request."""
    known: dict[int, Viewer] = request.__dict__.setdefault("viewers", {})
    if course.pk not in known:
        known[course.pk] = viewer_in(request.user, course)
    return known[course.pk]


def require_operator(request: HttpRequest) -> User:
    """Return the operator who asks. Raises NotAllowed for anybody else."""
    user = current_user(request)
    if not user.is_superuser:
        raise NotAllowed("Only operators of this site may do that.")
    return user


def run_with_message(
    request: HttpRequest, action: Callable[[], T], *, done: str = "", undo: bool = False
) -> T | None:
    """Run ``action``; show ``done``, undoable on request, or the refusal and return ``None``."""
    try:
        with recorded() as acts:
            result = action()
    except (Refused, ValidationError) as error:
        messages.error(request, sentence(error))
        return None
    if done:
        say_done(request, done, acts if undo else ())
    return result


def say_done(request: HttpRequest, words: str, acts: Iterable[Act]) -> None:
    """Show ``words``, with a button that undoes these acts if there is a way back from them."""
    act = undoable(acts)
    messages.success(request, words, extra_tags="" if act is None else f"undo-{act.pk}")


def chosen_id(text: str) -> int | None:
    """Return the id in a form field; ``None`` for an empty one. Raises Http404 otherwise."""
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise Http404("No such choice.")
    return int(text)


def sentence(error: Exception) -> str:
    """Return a refusal's sentence, from any kind of exception."""
    if isinstance(error, ValidationError):
        return " ".join(error.messages)
    return str(error)


def run_with_form_errors(form: forms.BaseForm, action: Callable[[], T]) -> T | None:
    """Run ``action``, or add its refusal to the form's errors and return ``None``."""
    try:
        return action()
    except UploadRefused:
        raise
    except Refused as error:
        form.add_error(None, str(error))
    except ValidationError as error:
        for field, texts in fields_of(error).items():
            form.add_error(field if field in form.fields else None, texts)
    return None


def fields_of(error: ValidationError) -> dict[str | None, list[str]]:
    """Return the messages of a validation error by field."""
    if hasattr(error, "error_dict"):
        return {field or None: texts for field, texts in error.message_dict.items()}
    return {None: error.messages}


def attachment(text: str | bytes, *, name: str) -> HttpResponse:
    """Return a download. Never cached: it may hold what only this user may see."""
    return _as_download(HttpResponse(text), name)


def streamed(parts: Iterable[str | bytes], *, name: str) -> StreamingHttpResponse:
    """Return a download that is too large for memory: its parts are sent as they come."""
    return _as_download(StreamingHttpResponse(parts), name)


def _as_download(response: AnyResponse, name: str) -> AnyResponse:
    response["Content-Type"] = _CONTENT_TYPES[PurePath(name).suffix]
    response["Content-Disposition"] = f'attachment; filename="{get_valid_filename(name)}"'
    response["Cache-Control"] = "private, no-store"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def form_values(form: forms.Form) -> dict[str, Any]:
    """Return the values of a form that has no page of its own. Raises ValidationError."""
    if not form.is_valid():
        raise ValidationError([text for texts in form.errors.values() for text in texts])
    return form.cleaned_data


def saved(form: forms.BaseForm, action: Callable[[], T]) -> T | None:
    """Return the action's result; ``None`` if the form is invalid or refused, with its errors."""
    return run_with_form_errors(form, action) if form.is_valid() else None


def is_saved(form: forms.BaseForm, action: Callable[[], object]) -> bool:
    """Return whether the form is valid and ``action`` accepted its values."""
    return saved(form, lambda: (action(),)) is not None


def course_context(course: Course) -> dict[str, Any]:
    """Return the values of a course's page. The site's navigation marks *Courses*."""
    return {"course": course, "nav": "home"}


def assignment_context(assignment: Assignment) -> dict[str, Any]:
    """Return the values of an assignment's page, which is one of its course's."""
    return {**course_context(assignment.course), "assignment": assignment}
