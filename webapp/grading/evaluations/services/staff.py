"""Requests of a course's staff: graded evaluations, house agents, stopping, sending again."""

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from grader.house.catalogue import fitting
from webapp.base.artefacts import stored_house_agent
from webapp.base.errors import Refused
from webapp.grading.evaluations.models import Evaluation, Kind, Status
from webapp.grading.evaluations.services.batches import add_batches, missing
from webapp.grading.evaluations.services.finishing import finish_if_complete
from webapp.grading.evaluations.services.requests import (
    request_evaluation,
    request_house_evaluation,
    same_agent,
)
from webapp.grading.jobs.models import Sending
from webapp.grading.submissions.selectors import counted_submission, require_sources
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment, Team
from webapp.teaching.courses.permissions import require_right, require_right_for
from webapp.teaching.courses.rights import Right


@transaction.atomic
def grade_team(*, team: Team, by: User, at: datetime | None = None) -> Evaluation:
    """Run the graded evaluation of the team's counted submission, or run it again.

    An earlier run's figures count until this one has finished. Raises NotAllowed, Refused.
    """
    require_right_for(by, team, Right.GRADE)
    submission = counted_submission(team)
    if submission is None:
        raise Refused("This team has no submission that counts: none was ready by the deadline.")
    record(
        ActKind.GRADING_STARTED, by=by, team=team, thing=f"{team.assignment}, {submission}", at=at
    )
    return request_evaluation(kind=Kind.GRADED, submission=submission, by=by, at=at)


def _playable(assignment: Assignment, names: Collection[str]) -> Collection[str]:
    known = fitting(assignment.rules)
    if unknown := set(names) - set(known):
        listed = ", ".join(sorted(unknown))
        raise Refused(f"No house agent named {listed} plays by these rules.")
    return names or known


def request_house(
    *,
    assignment: Assignment,
    by: User,
    names: Collection[str] = (),
    kind: Kind = Kind.GRADED,
    at: datetime | None = None,
) -> list[Evaluation]:
    """Evaluate house agents as reference lines, by default all that fit; skip those under way.

    Raises NotAllowed, Refused.
    """
    require_right(by, assignment.course, Right.GRADE)
    agents = {name: stored_house_agent(name) for name in _playable(assignment, names)}
    now = at or timezone.now()
    with transaction.atomic():
        busy = set(
            Evaluation.objects.open()
            .filter(assignment=assignment, kind=kind, submission=None)
            .values_list("house_agent", flat=True)
        )
        record(
            ActKind.HOUSE_STARTED,
            by=by,
            thing=assignment,
            after={"agents": ", ".join(sorted(agents))},
            at=now,
        )
        return [
            request_house_evaluation(
                kind=kind, assignment=assignment, name=name, agent=agent, by=by, at=now
            )
            for name, agent in agents.items()
            if name not in busy
        ]


@transaction.atomic
def cancel(*, evaluation: Evaluation, by: User) -> None:
    """Cancel an evaluation that is under way or has failed. Raises NotAllowed, Refused."""
    _require_right(evaluation, by)
    if not evaluation.advance(Status.CANCELLED, finished_at=timezone.now()):
        raise Refused("This evaluation has already ended.")
    evaluation.jobs.cancel()
    _record(ActKind.EVALUATION_CANCELLED, evaluation, by)


@transaction.atomic
def requeue(*, evaluation: Evaluation, by: User, at: datetime) -> bool:
    """Send the missing games of a failed evaluation again; recorded ones are kept.

    Return whether nothing was missing, so that it has finished. Raises NotAllowed, Refused.
    """
    _require_right(evaluation, by)
    lock(evaluation.assignment)
    if evaluation.submission is not None:
        require_sources(evaluation.submission)
    if same_agent(evaluation).replacing(evaluation).exists():
        raise Refused("A newer evaluation of this agent has taken its place.")
    if not evaluation.advance(Status.QUEUED, system_fault=""):
        raise Refused("Only a failed evaluation can be sent again.")
    _record(ActKind.EVALUATION_REQUEUED, evaluation, by)
    evaluation.refresh_from_db()
    if left := missing(evaluation):
        add_batches(evaluation, left, Sending(at=at))
        return False
    return finish_if_complete(evaluation, at=at)


def _require_right(evaluation: Evaluation, by: User) -> None:
    submission = evaluation.submission
    if submission is None:
        require_right(by, evaluation.assignment.course, Right.GRADE)
    else:
        require_right_for(by, submission.team, Right.GRADE)


def _record(kind: ActKind, evaluation: Evaluation, by: User) -> None:
    submission = evaluation.submission
    record(
        kind,
        by=by,
        course=evaluation.assignment.course,
        team=None if submission is None else submission.team_id,
        thing=f"{evaluation.assignment}, {submission or evaluation.house_agent}",
        after={"evaluation": evaluation.uuid, "kind": evaluation.kind},
    )
