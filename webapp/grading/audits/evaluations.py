"""Audits of evaluations, which are requested when a graded one has finished."""

from collections import Counter
from datetime import datetime

from django.db import models

from grader.audit import AuditedGame, sample
from grader.core.records import Mode, Record
from grader.results.evaluation import EvaluationSpec, game_setup
from webapp.grading.audits.jobs import Audited, AuditJobs, audit_jobs_of, new_seed, tally
from webapp.grading.evaluations.models import STOPPED, Audit, Evaluation, GameResult, Kind
from webapp.grading.jobs.models import Sending
from webapp.teaching.courses.models import Team


# See webapp/decisions/audits.md
def request_audit(*, evaluation: Evaluation, at: datetime) -> Audit | None:
    """Request an audit of a sample of a finished evaluation's games; ``None`` if it needs none.

    House agents are ours, and other than graded games count nowhere. Seats that share a process
    need no channel.
    """
    if evaluation.kind != Kind.GRADED or evaluation.submission_id is None:
        return None
    if evaluation.mode is Mode.TEAM:
        return None
    n_games = min(evaluation.assignment.audited_games, _auditable(evaluation).count())
    if not n_games:
        return None
    audit, is_new = Audit.objects.get_or_create(
        evaluation=evaluation,
        defaults={"n_games": n_games, "seed": new_seed(), "created_at": at},
    )
    if is_new:
        audit_jobs_of(audit).add([audit], Sending(at=at))
    return audit


class EvaluationAudits(AuditJobs[Audit]):
    field = "audit"
    model = Audit

    def course_of(self, audit: Audit) -> int:
        return audit.evaluation.assignment.course_id

    def team_of(self, audit: Audit) -> Team:
        if audit.evaluation.submission is None:
            raise ValueError("only submissions are audited")
        return audit.evaluation.submission.team

    def name_of(self, audit: Audit) -> str:
        return str(audit.evaluation)

    def audited(self, audit: Audit) -> Audited:
        evaluation = audit.evaluation
        spec = evaluation.parsed_spec
        played = _auditable(evaluation)
        indices = played.values_list("index", flat=True)
        chosen = sample(indices, games=audit.n_games, seed=audit.seed)
        rows = played.filter(index__in=chosen).order_by("index")
        records = [(row.index, row.record) for row in rows]
        return Audited(
            agent=evaluation.agent,
            limits=spec.limits,
            seats=tuple(seat for seat, agent in enumerate(spec.seating) if agent == 0),
            games=tuple(_audited(spec, index, record) for index, record in records if record),
            game_version=evaluation.assignment.game_version,
        )

    def games_by_grader(self, audit: Audit) -> Counter[str]:
        return tally(audit.evaluation.jobs.all())


def _audited(spec: EvaluationSpec, index: int, record: Record) -> AuditedGame:
    if not spec.opponents:
        return AuditedGame(index=index, record=record)
    seating = game_setup(spec, index).seating
    seats = tuple(seat for seat, agent in enumerate(seating) if agent == 0)
    return AuditedGame(index=index, record=record, seats=seats)


def _auditable(evaluation: Evaluation) -> "models.QuerySet[GameResult]":
    return evaluation.results.exclude(ending=STOPPED).filter(turns__gt=0)
