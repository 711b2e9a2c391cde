"""Agents that staff should check: faults in many graded games, most games lost, or a flag."""

from collections.abc import Callable
from typing import Any, Final

from django.db.models import F, Q, QuerySet

from webapp.grading.evaluations.models import Verdict
from webapp.grading.gradebook.models import Grade
from webapp.teaching.courses.models import Assignment

FAULTY_SHARE: Final = 10
"""An agent has many faults if one of this many games was faulted."""
_MOSTLY_LOST: Final = 2
"""Staff check a grade if at least one in this many games was lost."""

_OFTEN: Final = Q(
    evaluation__faults__gt=0, evaluation__n_games__lte=F("evaluation__faults") * FAULTY_SHARE
)
IS_FAULTY: Final = _OFTEN | Q(evaluation__verdict__in=[Verdict.FAULTY, Verdict.REJECTED])


def is_mostly_lost(lost: int | None, games: int) -> bool:
    """Return whether so many games were lost that staff should check the agent."""
    return bool(lost) and (lost or 0) * _MOSTLY_LOST >= games


Flagged = Callable[[Assignment], QuerySet[Any, int]]
_further: list[Flagged] = []


def register_flags(flagged: Flagged) -> None:
    """Register the teams that audits of contests flagged, which a higher floor knows."""
    _further[:] = [flagged]


def flagged_teams(assignment: Assignment) -> QuerySet[Any, int]:
    """Return the keys of teams whose grade or contest has unseen flags of a replay audit."""
    grades = Grade.objects.filter(team__assignment=assignment, is_current=True)
    graded = grades.filter(evaluation__audit__flags__gt=0, evaluation__audit__seen_at=None)
    teams = graded.order_by().values_list("team", flat=True)
    return teams.union(*(flagged(assignment) for flagged in _further))
