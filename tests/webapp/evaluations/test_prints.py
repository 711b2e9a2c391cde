"""Output of agents in practice: requested, kept for some games, deleted with them."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from grader.core.errors import RecordError
from grader.core.records import BatchPhase, FaultKind, GamePrints, Printed
from grader.results.prints import FIRST_GAMES, LOWEST_GAMES
from tests.support.jobs import request_of
from tests.support.trusted import record_batch
from tests.webapp import fakes
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.jobs.models import Job
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Team

SAID = (Printed(turn=0, seat=0, text="thinking\n"),)


@pytest.fixture
def practice(team: Team, ready: Callable[..., Submission]) -> Evaluation:
    """Ada's, of sixty games, not played yet."""
    team.assignment.practice_games = 60
    team.assignment.save()
    return ready(team).evaluations.get(kind=Kind.PRACTICE)


def tell(
    job: Job, indices: range, outcome: Callable[[int], fakes.Outcome] = fakes.ordinary
) -> None:
    results = fakes.played(request_of(job), outcome, only=indices)
    prints = tuple(GamePrints(index=index, printed=SAID) for index in indices)
    record_batch(replace(fakes.report(job, BatchPhase.PLAYING, results), prints=prints))


def printing(evaluation: Evaluation) -> set[int]:
    return set(evaluation.results.exclude(prints=b"").values_list("index", flat=True))


def test_output_is_requested_in_practice_and_never_in_graded_games(
    practice: Evaluation, graded: Evaluation
) -> None:
    asked = [request_of(fakes.jobs(each)[0]).with_prints_of for each in (practice, graded)]
    assert asked == [(0,), ()]


def test_output_is_kept_with_its_game(practice: Evaluation) -> None:
    tell(fakes.jobs(practice)[0], range(2))
    assert practice.results.get(index=1).printed == SAID


def test_later_games_keep_output_only_if_lowest_or_faulted(practice: Evaluation) -> None:
    job = fakes.jobs(practice)[0]
    tell(job, range(30))
    tell(job, range(30, 60), lambda index: FaultKind.CRASH if index == 59 else 100 - index)
    later = sorted(printing(practice) - set(range(FIRST_GAMES)))
    assert later[:10] == list(range(20, 30))
    assert later[10:] == [*range(49, 59), 59]
    assert len(later) == LOWEST_GAMES + 1


def test_output_that_was_not_asked_for_is_refused(graded: Evaluation) -> None:
    with pytest.raises(RecordError, match="nobody asked for"):
        tell(fakes.jobs(graded)[0], range(2))
    assert not graded.results.exists()
