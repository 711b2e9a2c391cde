"""Tries: the games of a first test for a draft. They use no upload, and count nowhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from grader.core.records import AgentRef
from grader.core.words import counted
from webapp.base.errors import Refused, UploadRefused
from webapp.base.interfaces import options_of
from webapp.grading.evaluations.models import Draft, Evaluation, Kind, Status
from webapp.grading.evaluations.models.evaluation import EvaluationQuerySet
from webapp.grading.evaluations.services.requests import request_games_of_draft
from webapp.grading.submissions.services import Upload, message_of
from webapp.people.accounts.models import User
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.selectors import team_of

TRIES_PER_DAY: Final = 50


def tries_left(user: User, assignment: Assignment, *, at: datetime | None = None) -> int:
    """Count the tries that the user's team may still make today."""
    begins, ends = assignment.course.day_of(at or timezone.now())
    today = _tries(user, assignment).filter(requested_at__gte=begins, requested_at__lt=ends)
    return max(0, TRIES_PER_DAY - today.count())


def _tries(user: User, assignment: Assignment) -> EvaluationQuerySet:
    team = team_of(user, assignment)
    people = [user] if team is None else list(team.users.all())
    tries = Evaluation.with_tries.filter(kind=Kind.TRY, assignment=assignment)
    return tries.filter(requested_by__in=people)


@transaction.atomic
def request_try(*, draft: Draft, upload: Upload, at: datetime) -> Evaluation:
    """Have a draft play; end the user's earlier try. Raises Refused after the day's tries."""
    user, assignment = upload.by, upload.assignment
    lock(assignment)  # two clicks at once; its options as they are now
    assignment.require_installed_game()
    if tries_left(user, assignment, at=at) < 1:
        most = counted(TRIES_PER_DAY, "try", "tries")
        raise Refused(f"Your team has made its {most} for today; it gets as many again tomorrow.")
    for earlier in _tries(user, assignment).filter(requested_by=user).open():
        if earlier.advance(Status.CANCELLED):
            earlier.jobs.cancel()
    options = options_of(upload.interface, assignment.interface_options)
    agent = AgentRef(interface=upload.interface, sha256=upload.sha256, options=options)
    evaluation = request_games_of_draft(assignment=assignment, agent=agent, by=user, at=at)
    _note(draft, tried=evaluation, messages=[])
    return evaluation


@contextmanager
def refusals_noted(draft: Draft) -> Iterator[None]:
    """Keep with a draft why the check refuses it, to be shown beside it."""
    try:
        yield
    except UploadRefused as refusal:
        told = [message_of(each.file, 0, each.text) for each in refusal.messages]
        _note(draft, tried=None, messages=told)
        raise


def _note(draft: Draft, **fields: object) -> None:
    rows = Draft.objects.filter(pk=draft.pk)
    rows.update(**fields, tried_revision=draft.revision)
