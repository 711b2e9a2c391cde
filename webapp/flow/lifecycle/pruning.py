"""Clears the artefact store of what nothing refers to."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from webapp.base.artefacts import store
from webapp.contests.ladders.models import LadderEntry
from webapp.contests.tournaments.models import Participant
from webapp.flow.lifecycle.batches import BatchDeadline
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import GameFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    kept: int
    removed: int
    """With ``dry_run``, artefacts that would be removed."""
    bytes: int
    left: int = 0
    """Artefacts for the next call."""


# See webapp/decisions/pruning.md
def prune(*, older_than: timedelta, dry_run: bool = False, seconds: float | None = None) -> Pruned:
    """Remove artefacts older than this that nothing refers to, for ``seconds`` at most.

    Younger ones may belong to an upload whose row is about to be written. Raises SystemFault if the
    store fails.
    """
    before = timezone.now() - older_than
    artefacts = list(store().artefacts())
    needed = _needed()
    useless = [key for key, written in artefacts if key not in needed and written < before]
    kept = len(artefacts) - len(useless)
    if dry_run:
        return Pruned(kept=kept, removed=len(useless), bytes=0)
    deadline, filled = BatchDeadline(seconds), list[int]()
    while len(filled) < len(useless) and not deadline.is_over:
        filled.append(store().remove(useless[len(filled)], before=before))
    left = len(useless) - len(filled)
    return Pruned(kept=kept, removed=len(filled), bytes=sum(filled), left=left)


def _needed() -> set[str]:
    """Return every artefact that a row names; read after the store, so that new rows count."""
    given_up = Q(submission__sources_removed_at__isnull=False)
    there = Submission.objects.with_sources()
    keys = set(there.values_list("sha256", flat=True))
    evaluations = Evaluation.with_tries.exclude(given_up).values_list("sha256", "opponents")
    for sha256, opponents in evaluations.iterator():
        keys |= {sha256, *(agent["sha256"] for agent in opponents)}
    keys |= set(GameFolder.objects.values_list("sha256", flat=True))
    for rows in (Participant.objects, LadderEntry.objects):
        agents = rows.exclude(given_up).values_list("agent", flat=True)
        keys |= {agent["sha256"] for agent in agents.iterator()}
    return keys
