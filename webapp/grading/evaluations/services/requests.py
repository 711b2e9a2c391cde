"""Requests evaluations: creates the rows, and freezes rules and agents."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

import msgspec
from django.db import transaction
from django.utils import timezone

from grader.core.records import AgentRef
from grader.core.words import counted
from grader.house.catalogue import AGENTS
from grader.interfaces import interface_named
from grader.results.evaluation import EvaluationSpec, games_against
from webapp.base.artefacts import stored_house_agent
from webapp.base.errors import Refused
from webapp.grading.evaluations.history import practice_is_over, practice_left
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.models.evaluation import EvaluationQuerySet
from webapp.grading.evaluations.services.batches import add_batches
from webapp.grading.jobs.models import Sending
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.grading.submissions.selectors import agent_of
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import (
    is_own_team,
    require_right_for,
    require_unarchived,
    viewer_in,
)
from webapp.teaching.courses.resolution import resolution_of
from webapp.teaching.courses.rights import Right

SMOKE_CONSECUTIVE_FAULTS: Final = 3
"""Faults in a row that end a smoke test, so that the author of a hanging agent need not wait."""


def spec_for(assignment: Assignment, kind: Kind, interface: str) -> EvaluationSpec:
    """Return the plan of an evaluation of this kind: one agent in every seat, or against opponents.

    Only practice may stop when its mean is known well enough: all graded agents play as many games.
    House agents keep to a mode of their own where theirs does not have the assignment's.
    """
    game = assignment.rules
    is_smoke = kind in (Kind.SMOKE, Kind.TRY)
    asked = assignment.asked_mode
    opponents = tuple(assignment.opponents[: 1 if is_smoke else None])
    n_games = {
        Kind.SMOKE: assignment.smoke_games,
        Kind.TRY: assignment.smoke_games,
        Kind.PRACTICE: assignment.practice_games,
        Kind.GRADED: assignment.n_games,
    }[kind]
    return EvaluationSpec(
        **assignment.plan,
        seating=(0,) + (1 if opponents else 0,) * (game.seats - 1),
        n_games=games_against(n_games, game.seats, len(opponents)),
        max_consecutive_faults=(
            SMOKE_CONSECUTIVE_FAULTS if is_smoke else assignment.max_consecutive_faults
        ),
        mode=asked if asked in interface_named(interface).modes and not opponents else None,
        opponents=opponents,
        half_width=assignment.practice_half_width if kind == Kind.PRACTICE else None,
    )


@transaction.atomic
def request_games_of_draft(
    *, assignment: Assignment, agent: AgentRef, by: User, at: datetime
) -> Evaluation:
    """Have an agent play as in its first test, for its author alone."""
    draft = Evaluation(assignment=assignment, kind=Kind.TRY)
    return _request(draft, agent, by=by, at=at)


@transaction.atomic
def request_evaluation(
    *, kind: Kind, submission: Submission, by: User | None = None, at: datetime | None = None
) -> Evaluation:
    """Have a submission evaluated. Raises Refused while one of the same kind is under way."""
    assignment = submission.team.assignment
    lock(assignment)  # two clicks at once; its options as they are now
    assignment.require_installed_game()
    agent = agent_of(submission, assignment.interface_options)
    draft = Evaluation(
        assignment=assignment,
        submission=submission,
        kind=kind,
        ms_per_game=_known_pace(submission),
    )
    return _request(draft, agent, by=by, at=at or timezone.now())


@transaction.atomic
def request_house_evaluation(
    *, kind: Kind, assignment: Assignment, name: str, agent: AgentRef, by: User | None, at: datetime
) -> Evaluation:
    """Have a house agent evaluated. Raises Refused while one of the same kind is under way."""
    lock(assignment)  # two clicks at once
    assignment.require_installed_game()
    pace = AGENTS[name].ms_per_game
    draft = Evaluation(assignment=assignment, house_agent=name, kind=kind, ms_per_game=pace)
    return _request(draft, agent, by=by, at=at)


@transaction.atomic
def request_smoke_test(
    *, submission: Submission, by: User, at: datetime | None = None
) -> Evaluation:
    """Repeat the first test of a submission that was never judged. Raises NotAllowed, Refused."""
    _require_team_or_staff(submission, by)
    if submission.is_final:
        raise Refused("This submission has been tested already.")
    return request_evaluation(kind=Kind.SMOKE, submission=submission, by=by, at=at)


@transaction.atomic
def request_practice(*, submission: Submission, by: User, at: datetime | None = None) -> Evaluation:
    """Request another practice evaluation. Raises NotAllowed, Refused."""
    team, now = submission.team, at or timezone.now()
    _require_team_or_staff(submission, by)
    if submission.status != SubmissionStatus.READY:
        raise Refused("This submission is not ready to play.")
    if not viewer_in(by, team.assignment.course).is_staff:
        _refuse_too_much_practice(submission, now)
    return request_evaluation(kind=Kind.PRACTICE, submission=submission, by=by, at=now)


def _require_team_or_staff(submission: Submission, by: User) -> None:
    """Raise NotAllowed for others; what staff ask for is in the audit log."""
    team = submission.team
    require_unarchived(team.assignment.course)
    if is_own_team(by, team):
        return
    require_right_for(by, team, Right.GRADE)
    record(ActKind.TEST_STARTED, by=by, team=team, thing=f"{team.assignment}, {submission}")


# See webapp/decisions/practice-quota.md
def _refuse_too_much_practice(submission: Submission, now: datetime) -> None:
    team = submission.team
    lock(team.assignment)  # partners who ask at the same moment
    # Before its results are looked for: it may end at this moment.
    _refuse_second(submission.evaluations.filter(kind=Kind.PRACTICE), Kind.PRACTICE)
    if practice_is_over(submission, resolution_of(team).deadline.ends_at, now):
        if team.assignment.practice_after_due:
            raise Refused("The due date has passed, and the best practice before it counts.")
        raise Refused("The due date has passed, and this assignment allows no practice after it.")
    if practice_left(team, at=now) < 1:
        used = team.assignment.practice_per_day
        refusal = (
            f"Your team has used its {counted(used, 'practice evaluation')} for today;"
            " it gets as many again tomorrow."
        )
        usual = "Each upload practises once automatically."
        raise Refused(f"{refusal if used else 'Practice cannot be requested here.'} {usual}")


def _refuse_second(evaluations: EvaluationQuerySet, kind: Kind) -> None:
    if evaluations.open().exists():
        raise Refused(f"A {kind.label} evaluation of this agent is under way.")


def _request(draft: Evaluation, agent: AgentRef, *, by: User | None, at: datetime) -> Evaluation:
    _refuse_second(same_agent(draft), Kind(draft.kind))
    spec = spec_for(draft.assignment, Kind(draft.kind), agent.interface)
    draft.spec = msgspec.to_builtins(spec)
    draft.n_games = spec.n_games
    draft.interface, draft.sha256 = agent.interface, agent.sha256
    draft.interface_options = list(agent.options)
    draft.keeps_prints = draft.kind != Kind.GRADED
    draft.ms_per_game = _slowest(draft.ms_per_game, spec.opponents)
    draft.opponents = [msgspec.to_builtins(stored_house_agent(name)) for name in spec.opponents]
    draft.requested_by, draft.requested_at = by, at
    draft.save()
    add_batches(draft, range(spec.n_games), Sending(at=at))
    return draft


def _slowest(pace: float | None, opponents: Sequence[str]) -> float | None:
    """Return a pace that holds against each opponent: batches must not become too long."""
    paces = [AGENTS[name].ms_per_game for name in opponents]
    return pace if not paces else max(*paces, pace or 0.0)


def same_agent(evaluation: Evaluation) -> EvaluationQuerySet:
    """Return evaluations of the same kind of the same agent, this one included."""
    return Evaluation.objects.filter(
        assignment=evaluation.assignment,
        kind=evaluation.kind,
        submission=evaluation.submission,
        house_agent=evaluation.house_agent,
    )


def _known_pace(submission: Submission) -> float | None:
    finished = submission.evaluations.filter(finished_at__isnull=False, ms_per_game__isnull=False)
    return finished.order_by("-finished_at").values_list("ms_per_game", flat=True).first()
