"""Decides which of a team's uploads counts.

Pure. A further upload of a team changes what counts as follows. One after the end changes nothing.

* ``BEST``: it never lowers the practice mean after what lateness costs.
* ``CHOICE``: once the team has chosen, it changes nothing. Before, as ``LATEST``.
* ``LATEST``: it counts, whatever it costs, and no earlier upload counts again.

This holds within the assignment. The late days that an upload uses are missing in the assignments
that are due later.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from webapp.teaching.courses.lateness import WHOLE, Deadline


class DeadlineRule(StrEnum):
    """The rule that picks a team's upload to grade."""

    LATEST = "latest"
    """The last one that was early enough."""
    BEST = "best"
    """The one with the best mean in practice after the penalty. Of equals the one that costs less,
    of these the later one."""
    BEST_MEAN = "mean"
    """The one with the best mean in practice, whatever lateness costs; the later one of equals. Of
    assignments that are older than ``BEST``'s present meaning."""
    CHOICE = "choice"
    """The one that the team chose; the latest until it chooses."""

    @property
    def is_by_practice(self) -> bool:
        """True if means in practice decide."""
        return self in (DeadlineRule.BEST, DeadlineRule.BEST_MEAN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An accepted upload."""

    pk: int
    number: int
    uploaded_at: datetime
    practice: float | None = None
    """Its mean in practice, above the game's worst score: higher is better in every game."""


def counted_upload(
    uploads: Iterable[Candidate], deadline: Deadline, rule: DeadlineRule, chosen: int | None
) -> Candidate | None:
    """Return the upload of a team that counts, if any; ``chosen`` is the key of its own choice."""
    in_time = [upload for upload in uploads if upload.uploaded_at <= deadline.ends_at]
    if rule is DeadlineRule.CHOICE:
        own = next((upload for upload in in_time if upload.pk == chosen), None)
        if own is not None:
            return own
    if rule is DeadlineRule.BEST:
        return max(in_time, key=lambda upload: _worth(upload, deadline), default=None)
    if rule is DeadlineRule.BEST_MEAN:
        return max(in_time, key=_by_practice, default=None)
    return max(in_time, key=lambda upload: upload.number, default=None)


def _worth(upload: Candidate, deadline: Deadline) -> tuple[bool, Decimal, Decimal, int, int]:
    """Return a key that is larger for uploads that are better for the student."""
    lateness = deadline.lateness(upload.uploaded_at)
    penalty = lateness.penalty_percent
    mean = Decimal(upload.practice or 0)  # exactly: equal means stay equal, others do not become so
    left = mean - abs(mean) * penalty / WHOLE  # a mean below zero is not improved by a penalty
    return upload.practice is not None, left, -penalty, -lateness.late_days, upload.number


def _by_practice(upload: Candidate) -> tuple[bool, float, int]:
    """Return a key that is larger for better uploads in practice; those without it come last."""
    has_practised = upload.practice is not None
    return has_practised, upload.practice or 0.0, upload.number
