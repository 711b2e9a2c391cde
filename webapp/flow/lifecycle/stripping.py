"""Remove parts of stored rows: programs, output, logs, whole games. Grades and figures stay."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Final, TypeAlias

from django.db.models import Q, QuerySet

from grader.core.errors import RecordError
from grader.core.records import Evidence
from webapp.flow.lifecycle.batches import raw_delete
from webapp.grading.evaluations.models import Evaluation, GameResult
from webapp.grading.evaluations.models.result import pack, unpack
from webapp.grading.similarity.models import SimilarPair, SourcePrints
from webapp.grading.submissions.models import Submission

Submissions: TypeAlias = QuerySet[Submission]
Games: TypeAlias = QuerySet[Any]

REMOVED: Final = "removed"
"""The replacement of a removed file name or fault detail."""
_NOTHING: Final = Evidence(sent="", received="", stderr="", exit=REMOVED)


def with_sources(submissions: Submissions) -> Submissions:
    """Return the submissions whose program is still there."""
    return submissions.filter(sources_removed_at__isnull=True)


def strip_sources(submissions: Submissions, *, at: datetime) -> int:
    """Give the programs up. Their archives leave the store with the next pruning."""
    SourcePrints.objects.filter(submission__in=submissions).delete()
    SimilarPair.objects.filter(Q(first__in=submissions) | Q(second__in=submissions)).delete()
    return with_sources(submissions).update(sources_removed_at=at, filename=REMOVED)


def with_logs(submissions: Submissions) -> Submissions:
    """Return the submissions with messages of a compiler."""
    return submissions.exclude(build_log="", messages=[], notes=[])


def strip_submission_logs(submissions: Submissions) -> int:
    """Delete messages of compilers."""
    return with_logs(submissions).update(build_log="", messages=[], notes=[])


def games_with_prints(games: Games) -> Games:
    """Return the games with output of the agent."""
    return games.exclude(prints=b"")


def strip_game_prints(games: Games) -> int:
    """Delete output of agents."""
    return games_with_prints(games).update(prints=b"")


def games_with_logs(games: Games) -> Games:
    """Return games that ended with a fault and have its evidence."""
    return games.exclude(fault_kind="").exclude(fault_detail__in=("", REMOVED))


def strip_game_logs(games: Games) -> int:
    """Delete the output of failed programs. The game can still be replayed."""
    stripped = list(games_with_logs(games))
    for game in stripped:
        _strip(game)
    games.model._base_manager.bulk_update(stripped, ["packed", "fault_detail"])
    return len(stripped)


def _strip(game: Any) -> None:
    """Remove the evidence from one game; a game that cannot be read loses its detail only."""
    game.fault_detail = REMOVED
    if not game.packed:
        return
    try:
        result = unpack(bytes(game.packed))
    except RecordError:
        return
    fault = result.record.fault and replace(result.record.fault, detail=REMOVED)
    record, evidence = replace(result.record, fault=fault), result.evidence and _NOTHING
    game.packed = pack(replace(result, record=record, evidence=evidence, other_attempt=None))


def remove_games(games: Games, *, at: datetime) -> None:
    """Delete games, and note it beside their figures."""
    if games.model is GameResult:
        # Read first: in one statement, PostgreSQL looks through all games of each evaluation.
        keys = set(games.order_by().values_list("evaluation", flat=True))
        Evaluation.objects.filter(pk__in=keys, games_removed_at__isnull=True).update(
            games_removed_at=at
        )
    raw_delete(games)


def strip_prints(submissions: Submissions) -> int:
    """Delete these programs' output in all games."""
    return strip_game_prints(GameResult.objects.filter(evaluation__submission__in=submissions))


def strip_logs(submissions: Submissions) -> int:
    """Delete messages of compilers and output of these programs."""
    games = GameResult.objects.filter(evaluation__submission__in=submissions)
    return strip_submission_logs(submissions) + strip_game_logs(games)
