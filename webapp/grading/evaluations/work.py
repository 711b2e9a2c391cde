"""Teams' uploads and evaluations, as courses ask for them to decide about dates and settings."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db.models import OuterRef, Q, QuerySet, Subquery

from grader.core.games import Game
from grader.core.games.outcomes import point_range
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.submissions.models import SubmissionStatus
from webapp.teaching.courses.deadlines import Candidate, DeadlineRule
from webapp.teaching.courses.models import Assignment, Team

_READY: Final = SubmissionStatus.READY
_OF_UPLOAD: Final = ("pk", "submissions__pk", "submissions__number", "submissions__uploaded_at")
_Upload = tuple[int, int, int, datetime]


def candidates(
    assignments: Sequence[Assignment],
    in_time: Mapping[int, datetime],
    teams: Sequence[int] | None,
) -> dict[int, list[Candidate]]:
    """Return accepted uploads of these teams; of all of the assignments where none are given."""
    if teams is None:
        of_all = [_of_assignment(assignment, in_time) for assignment in assignments]
        first, *more = (rows for of_one in of_all for rows in of_one)
        rows = first.union(*more, all=True) if more else first
    else:
        ready = Team.objects.filter(assignment__in=assignments, submissions__status=_READY)
        rows = ready.filter(pk__in=teams).values_list(*_OF_UPLOAD)
    practice = _practice(assignments)
    uploads: dict[int, list[Candidate]] = defaultdict(list)
    for team, pk, number, at in rows:
        mean = practice.get(pk)
        uploads[team].append(Candidate(pk=pk, number=number, uploaded_at=at, practice=mean))
    return uploads


def _of_assignment(
    assignment: Assignment, in_time: Mapping[int, datetime]
) -> list[QuerySet[Team, _Upload]]:
    """Return team, key, number and time of all uploads of an assignment of which one may count.

    Where the latest counts, one that is early enough for everybody rules out all before it: reading
    nine others of ten would take most of the time.
    """
    teams = Team.objects.filter(assignment=assignment).order_by()
    if assignment.counts != DeadlineRule.LATEST:
        return [teams.filter(submissions__status=_READY).values_list(*_OF_UPLOAD)]
    sure = in_time[assignment.pk]
    # Each in one call: a second one would be about any other upload of the team.
    early = Q(submissions__status=_READY, submissions__uploaded_at__lte=sure)
    own = teams.filter(early, pk=OuterRef("pk")).order_by("-submissions__number")
    latest = own.values("submissions__pk")[:1]
    later = teams.filter(submissions__status=_READY, submissions__uploaded_at__gt=sure)
    of_latest = teams.filter(submissions__pk=Subquery(latest))
    return [of_latest.values_list(*_OF_UPLOAD), later.values_list(*_OF_UPLOAD)]


def _practice(assignments: Iterable[Assignment]) -> dict[int, float]:
    games = {
        assignment.pk: assignment.rules
        for assignment in assignments
        if DeadlineRule(assignment.counts).is_by_practice
    }
    if not games:
        return {}
    means = Evaluation.objects.filter(
        assignment__in=games, kind=Kind.PRACTICE, is_current=True, submission__isnull=False
    ).order_by()
    rows = means.values_list("assignment", "submission", "mean")
    return {
        submission: _above_worst(games[assignment], mean)
        for assignment, submission, mean in rows
        if submission is not None and mean is not None
    }


def _above_worst(game: Game, mean: float) -> float:
    low, high = map(float, point_range(game))
    return high - mean if game.lower_is_better else mean - low


def chosen(assignments: Iterable[Assignment]) -> dict[int, int]:
    """Return by team the submission that it chose last, where teams choose."""
    asking = [assignment for assignment in assignments if assignment.counts == DeadlineRule.CHOICE]
    if not asking:
        return {}
    teams = Team.objects.filter(assignment__in=asking, choices__isnull=False)
    return dict(teams.order_by("choices__pk").values_list("pk", "choices__submission_id"))


def has_uploads(team: Team) -> bool:
    """Return whether the team has submitted anything."""
    return team.submissions.exists()


def is_graded(team: Team) -> bool:
    """Return whether a graded evaluation of the team's was requested."""
    return team.submissions.filter(evaluations__kind=Kind.GRADED).exists()


def is_frozen(assignment: Assignment) -> bool:
    """Return whether a graded evaluation was requested, which freezes rules and limits."""
    return assignment.evaluations.filter(kind=Kind.GRADED).exists()
