"""Games that staff upload: taken, checked by a grader, recorded. The site never runs the rules."""

import logging
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID, uuid4

import msgspec
from django.db import transaction
from django.utils import timezone

from grader.core.errors import GameFault, RecordError
from grader.core.folder_check import GameCheckReport, GameCheckRequest
from grader.core.games.uploaded import name_of, read_facts
from grader.core.words import printable
from grader.uploads.game_folder import read_game_folder
from webapp.base.artefacts import store
from webapp.base.errors import Refused
from webapp.base.storable import storable
from webapp.grading.jobs import broker
from webapp.grading.jobs.queues import Queue, broker_queue
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.locks import lock_course
from webapp.teaching.courses.models import Course, GameFolder, note_uploaded
from webapp.teaching.courses.permissions import require_instructor

logger = logging.getLogger(__name__)

ANSWER_WITHIN = timedelta(hours=1)
"""A check is not sent again earlier: students' first tests wait in the same queue."""
MOST_FOLDERS = 100
"""Folders of a course: each is kept as long as the course, or until a new one needs the room of one
that its check refused."""


# See webapp/decisions/uploaded-games.md
def upload_game(*, course: Course, by: User, filename: str, data: bytes) -> GameFolder:
    """Take a game's folder and have it checked; equal files are the folder that is there.

    Raises NotAllowed, Refused, UploadRejected.
    """
    require_instructor(by, course)
    archive = read_game_folder(filename, data).archive()
    sha256 = store().put(archive)
    with transaction.atomic():
        lock_course(course)
        if (known := course.game_folders.filter(sha256=sha256).first()) is not None:
            return known
        if course.game_folders.count() >= MOST_FOLDERS:
            refused = course.game_folders.filter(status=GameFolder.Status.REFUSED).last()
            if refused is None:
                raise Refused(f"A course has at most {MOST_FOLDERS} uploaded games.")
            refused.delete()  # the oldest: no assignment can be of it
        folder = GameFolder.objects.create(
            course=course,
            uploaded_by=by,
            uploaded_at=timezone.now(),
            filename=storable(filename, characters=200),
            sha256=sha256,
        )
        record(ActKind.GAME_UPLOADED, by=by, course=course, thing=folder.filename)
        _send(folder)
    return folder


@transaction.atomic
def check_again(*, folder: GameFolder, by: User, at: datetime | None = None) -> None:
    """Send the check again: a grader failed, or has not answered for long.

    Raises NotAllowed, Refused.
    """
    require_instructor(by, folder.course)
    now = at or timezone.now()
    folder.refresh_from_db(from_queryset=GameFolder.objects.select_for_update())
    if folder.is_usable:
        raise Refused("This game has passed its check.")
    is_new = now - (folder.checked_at or folder.uploaded_at) < ANSWER_WITHIN
    if folder.status == GameFolder.Status.CHECKING and is_new:
        raise Refused("This game is being checked. Ask again if there is no answer in an hour.")
    folder.checked_at = now
    folder.check_id, folder.status = uuid4(), GameFolder.Status.CHECKING
    folder.problems, folder.system_fault = [], ""
    folder.save(update_fields=["checked_at", "check_id", "status", "problems", "system_fault"])
    record(ActKind.GAME_UPLOADED, by=by, course=folder.course, thing=folder.filename)
    _send(folder)


def request_of(folder: GameFolder) -> GameCheckRequest:
    """Return the request to a grader."""
    return GameCheckRequest(check=str(folder.check_id), folder=folder.sha256)


def _send(folder: GameFolder) -> None:
    transaction.on_commit(partial(_publish, request_of(folder)), robust=True)


def _publish(request: GameCheckRequest) -> None:
    try:
        with broker.producer() as producer:
            broker.publish(request, queue=broker_queue(Queue.SMOKE), producer=producer)
    except broker.BrokerError as error:
        logger.warning("the broker is away, a game is not checked: %s", error)


@transaction.atomic
def record_check(report: GameCheckReport, *, at: datetime | None = None) -> None:
    """Record a grader's findings; late and repeated answers change nothing. Raises RecordError."""
    waiting = GameFolder.objects.select_for_update().filter(status=GameFolder.Status.CHECKING)
    folder = waiting.filter(check_id=_id(report)).first()
    if folder is None:
        logger.info("no game waits for this check: %s", report.check)
        return
    if report.request != request_of(folder).digest():
        raise RecordError("a check of another folder than was sent")
    folder.checked_at = at or timezone.now()
    folder.system_fault = storable(report.system_fault, characters=2000)
    folder.problems = msgspec.to_builtins(report.problems)
    if report.facts:
        try:
            facts = read_facts(report.facts)
        except GameFault as fault:
            if not report.problems:
                raise RecordError(str(fault)) from fault
        else:
            folder.title = storable(printable(facts.title), characters=100)
            folder.name = name_of(facts, folder.sha256)
    folder.status = _status(report, folder)
    folder.save()
    if folder.is_usable:
        note_uploaded(folder.name, folder.sha256, report.facts)


def _status(report: GameCheckReport, folder: GameFolder) -> GameFolder.Status:
    if report.system_fault:
        return GameFolder.Status.FAILED
    return (
        GameFolder.Status.PASSED
        if folder.name and not report.problems
        else GameFolder.Status.REFUSED
    )


def _id(report: GameCheckReport) -> UUID:
    try:
        return UUID(report.check)
    except ValueError as error:
        raise RecordError(f"a check with a malformed id: {error}") from error
