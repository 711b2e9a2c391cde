"""Taking in an upload: checked whole before anything is stored, then numbered."""

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil
from pathlib import PurePath, PurePosixPath
from typing import Any, BinaryIO, Final, Required, TypedDict, Unpack, cast

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from grader.core.errors import UploadRejected
from grader.core.words import counted
from grader.interfaces.recognise import recognise
from grader.uploads.archive import DEFAULT_LIMITS, Sources
from grader.uploads.lighten import Light, lightened
from grader.uploads.zip_reader import UploadLimits
from webapp.base.artefacts import store
from webapp.base.errors import Refused, SourceMessage, UploadRefused
from webapp.base.interfaces import ANY
from webapp.base.storable import storable
from webapp.grading.submissions.models import RefusedUpload, Submission
from webapp.grading.submissions.selectors import uploads_left
from webapp.grading.submissions.services.builds import message_of
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.deadlines import Resolution
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment, Course, Team
from webapp.teaching.courses.permissions import (
    is_own_team,
    require_participant,
    require_right_for,
    require_unarchived,
    viewer_in,
)
from webapp.teaching.courses.resolution import resolution_for, resolution_of
from webapp.teaching.courses.rights import Right
from webapp.teaching.courses.selectors import team_of
from webapp.teaching.courses.services import team_for

MAX_REFUSALS: Final = 30
"""Refused uploads that a person may have within ``REFUSALS_WITHIN``."""
SAME_WITHIN: Final = timedelta(seconds=30)
"""The time in which an equal upload is the same form, sent twice."""
REFUSALS_WITHIN: Final = timedelta(minutes=10)


class File(TypedDict, total=False):
    """A file, with its uploader's choices."""

    filename: Required[str]
    data: Required[bytes]
    interface: str
    """One that the assignment takes; without it, found out from the sources."""
    agent_class: str
    notes: Sequence[str]
    """On what is not in ``data`` any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    """An upload that has been checked and stored."""

    assignment: Assignment
    team: Team | None
    """``None``: the uploader's, which is made when the upload is recorded."""
    by: User
    filename: str
    sha256: str
    size_bytes: int
    interface: str
    notes: tuple[str, ...] = ()


def check_upload(*, team: Team, by: User, at: datetime, **file: Unpack[File]) -> Upload:
    """Check an upload and store its bytes, before any row can point at them.

    Raises NotAllowed; Refused (too early, too late, too many today); UploadRefused; SystemFault if
    the store fails.
    """
    _require_may_upload(team, by)
    last = _just_uploaded(team, at)
    if last is None:
        _require_room(team, at)  # before anything is kept; once more when it is recorded
    upload, archive = _packed(team.assignment, team, by, file)
    if last is not None and not _is_same(last, upload):
        _require_room(team, at)
    store().put(archive)
    return upload


def check_upload_from(
    *, user: User, assignment: Assignment, at: datetime, **file: Unpack[File]
) -> Upload:
    """Check and store an upload as ``check_upload``, for the user's team, if there is one.

    Raises what that does; and Refused after many refused uploads, for each takes the site some
    work.
    """
    with _refusals_counted(user, at):
        return _checked_from(user, assignment, at, file)


def check_try_from(
    *, user: User, assignment: Assignment, at: datetime, **file: Unpack[File]
) -> Upload:
    """Check and store what is tried; it is none of the day's uploads.

    Raises what ``check_upload_from`` does, but nothing on the number of uploads.
    """
    require_participant(user, assignment.course)
    team = team_of(user, assignment)
    resolution = resolution_for(user, assignment) if team is None else resolution_of(team)
    _require_open(assignment, resolution, at)
    with _refusals_counted(user, at):
        upload, archive = _packed(assignment, team, user, file)
    store().put(archive)
    return upload


@contextmanager
def _refusals_counted(user: User, at: datetime) -> Iterator[None]:
    _require_few_refusals(user, at)
    try:
        yield
    except UploadRefused:
        RefusedUpload.objects.filter(user=user, at__lt=at - REFUSALS_WITHIN).delete()
        RefusedUpload.objects.create(user=user, at=at)
        raise


@transaction.atomic
def record_upload(upload: Upload, *, at: datetime) -> Submission:
    """Number an upload that has been checked. A student's team is made with the first one.

    The same upload as the team's last one, within seconds, is that one: a double click, or a form
    that was sent again. Raises Refused or NotAllowed if what allowed it has changed meanwhile, and
    leaves no team behind then.
    """
    team = upload.team or team_for(user=upload.by, assignment=upload.assignment)
    lock(team.assignment)  # partners who upload at the same moment, or change teams
    _require_still_there(team)
    _require_may_upload(team, upload.by)
    last = _just_uploaded(team, at)
    if last is not None and _is_same(last, upload):
        return last
    _require_room(team, at)
    submission = Submission.objects.create(
        team=team,
        number=team.submissions.count() + 1,
        uploaded_by=upload.by,
        uploaded_at=at,
        filename=upload.filename,
        sha256=upload.sha256,
        size_bytes=upload.size_bytes,
        interface=upload.interface,
        notes=[message_of("", 0, note) for note in upload.notes],
    )
    if not team.memberships.filter(user=upload.by).exists():
        record(
            ActKind.UPLOADED,
            by=upload.by,
            team=team,
            thing=f"{team.assignment}, {submission}",
            at=at,
        )
    return submission


def _just_uploaded(team: Team, now: datetime) -> Submission | None:
    last = team.submissions.order_by("-number").first()
    return last if last is not None and abs(now - last.uploaded_at) <= SAME_WITHIN else None


def _is_same(last: Submission, upload: Upload) -> bool:
    return (last.sha256, last.interface) == (upload.sha256, upload.interface)


def _require_room(team: Team, now: datetime) -> None:
    _require_open(team.assignment, resolution_of(team), now)
    _require_uploads_left(team, now)


def _require_few_refusals(user: User, now: datetime) -> None:
    since = now - REFUSALS_WITHIN
    refused = RefusedUpload.objects.filter(user=user, at__gt=since).order_by("-at")
    times = list(refused.values_list("at", flat=True)[:MAX_REFUSALS])
    if len(times) == MAX_REFUSALS:
        minutes = ceil((times[-1] - since) / timedelta(minutes=1))
        raise Refused(
            f"{MAX_REFUSALS} of your uploads were refused within"
            f" {REFUSALS_WITHIN // timedelta(minutes=1)} minutes. Test the program on your own"
            f" computer with firebox play, then upload again in {counted(minutes, 'minute')}."
        )


def _checked_from(user: User, assignment: Assignment, at: datetime, file: File) -> Upload:
    team = team_of(user, assignment)
    if team is not None:
        return check_upload(team=team, by=user, at=at, **file)
    require_participant(user, assignment.course)
    _require_open(assignment, resolution_for(user, assignment), at)
    upload, archive = _packed(assignment, None, user, file)
    store().put(archive)
    return upload


def _packed(
    assignment: Assignment, team: Team | None, by: User, file: File
) -> tuple[Upload, bytes]:
    """Check a file; return the upload and its archive, which is not stored yet."""
    assignment.require_installed_game()
    name = PurePath(file["filename"].replace("\\", "/")).name
    names = _wanted(assignment, file.get("interface", ANY))
    interface, sources = _checked(name, file["data"], names, file.get("agent_class", ""))
    if assignment.checks_student_number:
        members = () if team is None else tuple(team.users.all())
        require_own_number(by, assignment.course, sources, team=members)
    archive = sources.archive()
    upload = Upload(
        assignment=assignment,
        team=team,
        by=by,
        filename=storable(name[-120:], characters=120),
        sha256=hashlib.sha256(archive).hexdigest(),
        size_bytes=len(archive),
        interface=interface,
        notes=(*file.get("notes", ()), *sources.notes),
    )
    return upload, archive


def _wanted(assignment: Assignment, interface: str) -> tuple[str, ...]:
    if interface == ANY:
        return tuple(assignment.interfaces)
    if interface not in assignment.interfaces:
        raise Refused("This assignment does not take agents written for this interface.")
    return (interface,)


def _require_uploads_left(team: Team, now: datetime) -> None:
    if uploads_left(team, at=now) < 1:
        most = team.assignment.uploads_per_day
        raise Refused(
            f"Your team has made its {counted(most, 'upload')} for today;"
            f" it gets {'as many' if most > 1 else 'one'} again tomorrow."
        )


def _require_may_upload(team: Team, by: User) -> None:
    require_unarchived(team.assignment.course)
    if not is_own_team(by, team):
        require_right_for(by, team, Right.UPLOAD)


def _require_still_there(team: Team) -> None:
    if not Team.objects.filter(pk=team.pk).exists():
        raise Refused("You have joined another team in the meantime. Upload the file again.")


def _require_open(assignment: Assignment, resolution: Resolution, now: datetime) -> None:
    if now < assignment.opens_at:
        raise Refused("This assignment is not open yet.")
    if now > resolution.deadline.ends_at and not assignment.practice_after_due:
        raise Refused("The deadline has passed, and this assignment takes no late uploads.")


def upload_limits() -> UploadLimits:
    """Return the limits of an upload to this site."""
    most = max(settings.MAX_UPLOAD_BYTES, settings.MAX_ARCHIVE_BYTES)
    return replace(DEFAULT_LIMITS, archive_bytes=most, packed_bytes=settings.MAX_UPLOAD_BYTES)


def read_file(file: "UploadedFile[Any]") -> Light:
    """Return an upload: of a large zip, only what an agent may need. Raises UploadRefused."""
    name = file.name or ""
    try:
        return lightened(name, cast("BinaryIO", file), upload_limits())
    except UploadRejected as error:
        raise UploadRefused((SourceMessage(file=name, text=str(error)),)) from error


def _checked(
    filename: str, data: bytes, names: Sequence[str], agent_class: str
) -> tuple[str, Sources]:
    try:
        interface, sources = recognise(
            filename, data, names, agent_class=agent_class.strip(), limits=upload_limits()
        )
    except UploadRejected as error:
        raise UploadRefused((SourceMessage(file=filename, text=str(error)),)) from error
    return interface.name, sources


_NUMBERED: Final = re.compile(r"Agent([0-9]{5,})")
"""A file name, without its ending, with the number of a student. Shorter numbers are ignored."""


def require_own_number(
    user: User, course: Course, sources: Sources, *, team: Collection[User] = ()
) -> None:
    """Refuse files named with the number of a student who is not in the team. One query.

    Staff may upload anybody's. Raises Refused for a student without a number, UploadRefused for
    another's.
    """
    numbered = {
        file.name: match[1]
        for file in sources.files
        if (match := _NUMBERED.fullmatch(PurePosixPath(file.name).stem))
    }
    if not numbered or viewer_in(user, course).is_staff:
        return
    enrolments = course.enrolments.filter(user__in={user, *team})
    numbers = dict(enrolments.values_list("user_id", "student_number"))
    own = numbers.get(user.pk) or ""
    if not _digits(own):
        raise Refused(
            "Files are named with student numbers here, and yours is not known yet. Enter it on"
            " your profile page, then upload this file again."
        )
    known = {_digits(number or "") for number in numbers.values()}
    wrong = {name: number for name, number in numbered.items() if number not in known}
    if wrong:
        raise UploadRefused(tuple(_not_yours(*entry, own) for entry in wrong.items()))


def _digits(number: str) -> str:
    """Without letters and blanks: ``u1234567`` is in file names as 1234567."""
    return "".join(filter(str.isdecimal, number))


def _not_yours(name: str, number: str, own: str) -> SourceMessage:
    text = (
        f"It is named with the student number {number}; yours is {own}. Upload your own agent, and"
        " name file and class after your number. If your number is wrong here, tell your"
        " instructor: it can be corrected on the page of people."
    )
    return SourceMessage(file=name, text=text)
