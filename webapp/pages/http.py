"""Small functions for views: know who asks, tell a refusal, send a file."""

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.text import get_valid_filename

from webapp.accounts.models import User
from webapp.errors import NotAllowed, Refused, UploadRefused

__all__ = [
    "attachment",
    "attempt",
    "chosen_id",
    "form_values",
    "is_saved",
    "person",
    "streamed",
    "tell_form",
]

T = TypeVar("T")
AnyResponse = TypeVar("AnyResponse", bound=HttpResponseBase)


def person(request: HttpRequest) -> User:
    """Whoever is signed in. Views that call it are also marked ``login_required``."""
    if not isinstance(request.user, User):
        raise NotAllowed("Sign in first.")
    return request.user


def attempt(request: HttpRequest, action: Callable[[], T], *, done: str = "") -> T | None:
    """Do it and say so, or say why it was refused; ``None`` then."""
    try:
        result = action()
    except (Refused, ValidationError) as error:
        messages.error(request, sentence(error), extra_tags="bad")
        return None
    if done:
        messages.success(request, done, extra_tags="good")
    return result


def chosen_id(text: str) -> int | None:
    """Return the id that a form field names; ``None`` for an empty field.

    Raises Http404 for anything else.
    """
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,18}", text):
        raise Http404("No such choice.")
    return int(text)


def sentence(error: Exception) -> str:
    """Return a refusal's sentence, whichever kind of exception carried it."""
    if isinstance(error, ValidationError):
        return " ".join(error.messages)
    return str(error)


def tell_form(form: forms.BaseForm, action: Callable[[], T]) -> T | None:
    """Do it, or put what was refused beside the form's fields; ``None`` then."""
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
    """The messages of a validation error by field."""
    if hasattr(error, "error_dict"):
        return {field or None: texts for field, texts in error.message_dict.items()}
    return {None: error.messages}


def attachment(text: str | bytes, *, name: str, content_type: str) -> HttpResponse:
    """A file to keep. Never cached: it may hold what only this person may see."""
    return _to_keep(HttpResponse(text, content_type=content_type), name)


def streamed(parts: Iterable[str], *, name: str, content_type: str) -> StreamingHttpResponse:
    """A file to keep that is too large to be held at once: its parts are sent as they come."""
    return _to_keep(StreamingHttpResponse(parts, content_type=content_type), name)


def _to_keep(response: AnyResponse, name: str) -> AnyResponse:
    response["Content-Disposition"] = f'attachment; filename="{get_valid_filename(name)}"'
    response["Cache-Control"] = "private, no-store"
    response["X-Content-Type-Options"] = "nosniff"
    return response


def form_values(form: forms.Form) -> dict[str, Any]:
    """Return what was entered into a form that has no page of its own. Raises ValidationError."""
    if not form.is_valid():
        raise ValidationError([text for texts in form.errors.values() for text in texts])
    return form.cleaned_data


def is_saved(form: forms.BaseForm, action: Callable[[], None]) -> bool:
    """Have a service take a form's values, and return whether it did.

    What it refused is told beside the fields.
    """

    def act() -> bool:
        action()
        return True

    return tell_form(form, act) is not None
