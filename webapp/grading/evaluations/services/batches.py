"""Batches: the games of an evaluation as jobs for graders."""

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from grader.results.evaluation import (
    BATCH_SECONDS,
    SHORT_BATCH_SECONDS,
    UNKNOWN_MS_PER_GAME,
    deals_between,
    plan_batches,
)
from webapp.grading.evaluations.models import Evaluation, GameResult, Kind
from webapp.grading.jobs.adding import add_jobs
from webapp.grading.jobs.capacity import idle_slots
from webapp.grading.jobs.models import Job, Requester, Sending
from webapp.teaching.courses.models import Membership


def secret_of(evaluation: Evaluation) -> bytes:
    """Return the secret of its deals: the assignment's if graded, else its public one."""
    assignment = evaluation.assignment
    graded = evaluation.kind == Kind.GRADED
    return bytes(assignment.secret if graded else assignment.practice_secret)


def missing(evaluation: Evaluation, indices: Iterable[int] | None = None) -> tuple[int, ...]:
    """Return the ``indices`` (default: all) that are needed and not recorded. One query."""
    wanted = range(evaluation.n_games) if indices is None else indices
    needed = [index for index in wanted if index < evaluation.games_needed]
    return tuple(sorted(unrecorded(evaluation, needed)))


def unrecorded(evaluation: Evaluation, indices: Collection[int]) -> set[int]:
    """Return the ``indices`` without a row. One query, of the rows between them."""
    if not indices:
        return set()
    rows = GameResult.objects.filter(
        evaluation=evaluation, index__gte=min(indices), index__lte=max(indices)
    )
    return set(indices).difference(rows.values_list("index", flat=True))


def add_batches(evaluation: Evaluation, indices: Sequence[int], sending: Sending) -> None:
    """Add jobs for these games, spread over the slots that are idle.

    A first test is one batch, so that the agent is compiled once; what is sent again was one. Where
    precision may end it, batches are short, so that little is played for nothing.
    """
    is_smoke = evaluation.kind in (Kind.SMOKE, Kind.TRY)
    spec = evaluation.parsed_spec
    plan = plan_batches(
        indices,
        ms_per_game=evaluation.ms_per_game,
        slots=1 if sending.is_retry or is_smoke else idle_slots(evaluation.queue),
        target_seconds=BATCH_SECONDS if spec.half_width is None else SHORT_BATCH_SECONDS,
        deals_between=None if is_smoke else deals_between(spec),
    )
    seconds_per_game = (evaluation.ms_per_game or UNKNOWN_MS_PER_GAME) / 1000
    jobs = (
        Job(
            evaluation=evaluation,
            queue=evaluation.queue,
            payload={"ranges": ranges_of(games), "check_first": is_smoke},
            n_games=len(games),
            seconds=len(games) * seconds_per_game,
            **sending.columns,
        )
        for games in plan
    )
    add_jobs(jobs, by=_requester_of(evaluation))


def _requester_of(evaluation: Evaluation) -> Requester:
    assignment, submission = evaluation.assignment, evaluation.submission
    team = None if submission is None else submission.team_id
    if evaluation.kind == Kind.TRY:  # in the queue of its team's first tests
        own = Membership.objects.filter(assignment=assignment, user=evaluation.requested_by)
        team = own.values_list("team", flat=True).first()
    return Requester(
        course=assignment.course_id,
        team=team,
        due_at=assignment.due_at,
    )


def ranges_of(indices: Sequence[int]) -> list[list[int]]:
    """Ascending indices as pairs of first and last: 0, 1, 2, 5 become [0, 2], [5, 5]."""
    edges = [k for k, (low, high) in enumerate(pairwise(indices), 1) if high != low + 1]
    return [[indices[low], indices[high - 1]] for low, high in pairwise([0, *edges, len(indices)])]


def indices_of(job: Job) -> tuple[int, ...]:
    """The games that a job asks for."""
    return tuple(index for low, high in job.payload["ranges"] for index in range(low, high + 1))


def checks_first(job: Job) -> bool:
    """Return whether the agent is compiled before this job's games, which may reject it."""
    return bool(job.payload["check_first"])
