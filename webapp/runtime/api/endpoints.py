"""Endpoints of ``/api/v1/``: submit, and read the results of the user's teams."""

import logging
from collections.abc import Iterator
from http import HTTPStatus
from importlib.metadata import version
from typing import Final

from django.core.exceptions import ValidationError as InvalidValues
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from ninja import File, Form, NinjaAPI, Status
from ninja.errors import AuthenticationError, ValidationError
from ninja.files import UploadedFile
from ninja.security import HttpBearer

from grader.core.errors import SystemFault
from webapp.base.errors import NotAllowed, Refused, UploadRefused
from webapp.base.storable import storable
from webapp.flow.pipeline import accept_from
from webapp.grading.evaluations.history import history, row_of
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.services import read_file
from webapp.pages.http import current_user, sentence
from webapp.pages.lookup import visible_assignment
from webapp.people.accounts.models import User
from webapp.people.accounts.tokens import user_of_token
from webapp.runtime.api.results import assignments_out, submission_out, submissions_out
from webapp.runtime.api.schemas import (
    AssignmentOut,
    MessageOut,
    Problem,
    SubmissionOut,
    UploadOptions,
    UserOut,
)
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.selectors import team_of

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class AccessTokenAuth(HttpBearer):
    """``Authorization: Bearer firebox_…``. A session's cookie does not count here."""

    def authenticate(self, request: HttpRequest, token: str) -> User | None:
        """Return the token's user, also the request's. Raises NotAllowed if it may only read."""
        to_upload = request.method not in _READS
        user = user_of_token(token, at=timezone.now(), to_upload=to_upload)
        if user is not None:
            request.user = user
        return user


logger = logging.getLogger(__name__)

api = NinjaAPI(
    title="Firebox",
    version=version("firebox"),
    description="Submit an agent and read the results of your own teams.",
    urls_namespace="api",
    docs_url=None,  # its page loads scripts from elsewhere, which the site's policy forbids
    auth=AccessTokenAuth(),
)
_PROBLEMS = {
    HTTPStatus.UNAUTHORIZED: Problem,
    HTTPStatus.FORBIDDEN: Problem,
    HTTPStatus.NOT_FOUND: Problem,
}
_UPLOAD_PROBLEMS = {
    **_PROBLEMS,
    HTTPStatus.CONFLICT: Problem,
    HTTPStatus.UNPROCESSABLE_ENTITY: Problem,
    HTTPStatus.SERVICE_UNAVAILABLE: Problem,
}


@api.get("/me", response={HTTPStatus.OK: UserOut, HTTPStatus.UNAUTHORIZED: Problem})
def me(request: HttpRequest) -> UserOut:
    """Return whose token this is."""
    user = current_user(request)
    return UserOut(name=user.display_name, email=user.email)


@api.get(
    "/assignments",
    response={HTTPStatus.OK: list[AssignmentOut], HTTPStatus.UNAUTHORIZED: Problem},
)
def assignments(request: HttpRequest) -> list[AssignmentOut]:
    """List the assignments of the user's courses, the next due first."""
    user = current_user(request)
    assignments = Assignment.objects.visible_to(user).select_related("course")
    return assignments_out(assignments.order_by("due_at", "pk"), user)


_MAX_NAME: Final = 100
"""Characters of a name in an address that are looked at: more than any name has."""
_SUBMISSIONS = "/courses/{course}/assignments/{assignment}/submissions"


@api.get(_SUBMISSIONS, response={HTTPStatus.OK: list[SubmissionOut], **_PROBLEMS})
def submissions(request: HttpRequest, course: str, assignment: str) -> list[SubmissionOut]:
    """List the submissions of the user's team, the newest first."""
    user = current_user(request)
    team = team_of(user, _assignment(request, course, assignment))
    return submissions_out(history(team, viewer=user)) if team else []


@api.post(_SUBMISSIONS, response={HTTPStatus.CREATED: SubmissionOut, **_UPLOAD_PROBLEMS})
def submit(
    request: HttpRequest,
    course: str,
    assignment: str,
    file: File[UploadedFile],
    options: Form[UploadOptions],
) -> Status[SubmissionOut]:
    """Store an upload and queue its first test."""
    user = current_user(request)
    upload = read_file(file)
    submission = accept_from(
        user=user,
        assignment=_assignment(request, course, assignment),
        filename=file.name or "",
        data=upload.data,
        notes=upload.notes,
        interface=options.interface,
        agent_class=options.agent_class,
    )
    return Status(HTTPStatus.CREATED, submission_out(row_of(submission, viewer=user)))


def _assignment(request: HttpRequest, course: str, assignment: str) -> Assignment:
    """Return the assignment by names that may be any text. Raises Http404."""
    names = (storable(name, characters=_MAX_NAME) for name in (course, assignment))
    return visible_assignment(request, *names)


@api.get("/submissions/{pk}", response={HTTPStatus.OK: SubmissionOut, **_PROBLEMS})
def submission(request: HttpRequest, pk: int) -> SubmissionOut:
    """Return a submission of one of the user's teams."""
    user = current_user(request)
    own = Submission.objects.visible_to(user).filter(team__memberships__user=user, pk=pk)
    submission = own.select_related("team__assignment__course").first()
    if submission is None:
        raise Http404("No such submission.")
    row = row_of(submission, viewer=user)
    if not row.is_under_way:  # its last evaluation may have ended since, and moved it on
        submission.refresh_from_db(fields=("status", "messages", "notes", "warning"))
    return submission_out(row)


# --- Failures -----------------------------------------------------------------------------------


@api.exception_handler(AuthenticationError)
def _unknown_token(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    del error
    text = (
        "This token is unknown, revoked or expired, or your password has changed since. Create one"
        " on your profile page."
    )
    return _problem(request, HTTPStatus.UNAUTHORIZED, text)


@api.exception_handler(NotAllowed)
def _not_allowed(request: HttpRequest, error: NotAllowed) -> HttpResponse:
    return _problem(request, HTTPStatus.FORBIDDEN, str(error))


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, error: Http404) -> HttpResponse:
    return _problem(request, HTTPStatus.NOT_FOUND, str(error) or "Not found.")


@api.exception_handler(Refused)
def _refused(request: HttpRequest, error: Refused) -> HttpResponse:
    return _problem(request, HTTPStatus.CONFLICT, str(error))


@api.exception_handler(UploadRefused)
def _upload_refused(request: HttpRequest, error: UploadRefused) -> HttpResponse:
    messages = [
        MessageOut(file=message.file, line=0, column=0, text=message.text)
        for message in error.messages
    ]
    return _problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, "The upload was refused.", messages)


@api.exception_handler(InvalidValues)
def _invalid_values(request: HttpRequest, error: InvalidValues) -> HttpResponse:
    return _problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, sentence(error))


@api.exception_handler(ValidationError)
def _malformed(request: HttpRequest, error: ValidationError) -> HttpResponse:
    return _problem(request, HTTPStatus.UNPROCESSABLE_ENTITY, "; ".join(_complaints(error)))


def _complaints(error: ValidationError) -> Iterator[str]:
    for detail in error.errors:
        yield f"{detail['loc'][-1]}: {detail['msg']}"


@api.exception_handler(SystemFault)
def _our_fault(request: HttpRequest, error: SystemFault) -> HttpResponse:
    logger.error("%s %s: %s", request.method, request.path, error)
    text = "Firebox itself failed, not your agent. Nothing was stored: try again in a few minutes."
    return _problem(request, HTTPStatus.SERVICE_UNAVAILABLE, text)


@api.exception_handler(OperationalError)
def _database_is_busy(request: HttpRequest, error: OperationalError) -> HttpResponse:
    logger.error("%s %s: the database: %s", request.method, request.path, error)
    text = (
        "The database is busy. It is not your fault. If you were uploading, look at your"
        " submissions before you send the file again: it may have been taken."
    )
    return _problem(request, HTTPStatus.SERVICE_UNAVAILABLE, text)


def _problem(
    request: HttpRequest, status: HTTPStatus, text: str, messages: list[MessageOut] | None = None
) -> HttpResponse:
    problem = Problem(detail=text, messages=messages or [])
    return api.create_response(request, problem.model_dump(), status=status)
