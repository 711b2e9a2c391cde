"""Practice stops when its mean is known well enough; graded evaluations never do."""

import random
from collections.abc import Callable

import pytest
from django.core.exceptions import ValidationError

from grader.core.records import BatchPhase, FaultKind, from_json
from grader.results.export import EvaluationExport, verify_export
from grader.results.figures import stopped_after
from tests.support.jobs import request_of
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.flow.pipeline import requeue, update_assignment
from webapp.grading.evaluations.models import Evaluation, Kind, Status, Verdict
from webapp.grading.evaluations.reproducing import export_json, reproduce_command
from webapp.grading.evaluations.services import grade_team
from webapp.grading.evaluations.services.batches import indices_of
from webapp.grading.jobs.models import JobStatus
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Team

pytestmark = pytest.mark.slow

WIDTH = 0.5
MAX_GAMES = 400


@pytest.fixture
def patient(assignment: Assignment, ida: User) -> Assignment:
    """An assignment that practises 400 games at most, and stops at ± 0.5."""
    update_assignment(
        assignment=assignment,
        by=ida,
        practice_games=MAX_GAMES,
        n_games=MAX_GAMES,
        practice_half_width=WIDTH,
    )
    assignment.refresh_from_db()
    return assignment


@pytest.fixture
def practice(patient: Assignment, team: Team, ready: Callable[..., Submission]) -> Evaluation:
    assert patient.practice_half_width == WIDTH
    return ready(team).evaluations.get(kind=Kind.PRACTICE)


def test_an_evaluation_counts_no_more_games_than_its_interval_needed(practice: Evaluation) -> None:
    fakes.play(practice)
    assert (practice.status, practice.verdict) == (Status.FINISHED, Verdict.ACCEPTED)
    assert 50 <= practice.n_games < MAX_GAMES
    assert practice.stopped_early
    assert practice.games_done == practice.results.count() == practice.n_games
    assert practice.high is not None
    assert practice.mean is not None
    assert 0 < practice.high - practice.mean <= WIDTH
    assert not practice.jobs.open().exists()
    assert practice.jobs.filter(status=JobStatus.CANCELLED).exists()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_stop_depends_neither_on_batches_nor_on_their_order(
    practice: Evaluation, seed: int
) -> None:
    reports = [
        fakes.report(batch, BatchPhase.PLAYING, fakes.played(request_of(batch), only=indices))
        for batch in fakes.jobs(practice)
        for indices in (
            indices_of(batch)[at : at + 7] for at in range(0, len(indices_of(batch)), 7)
        )
    ]
    random.Random(seed).shuffle(reports)  # noqa: S311
    for report in reports:
        record_batch(report)
    practice.refresh_from_db()
    assert practice.status == Status.FINISHED
    scores = {index: int(fakes.ordinary(index)) for index in range(MAX_GAMES)}
    expected = stopped_after(scores, half_width=WIDTH, most=MAX_GAMES)
    assert expected is not None
    assert practice.n_games == practice.results.count() == expected.n
    assert (practice.mean, practice.low) == (expected.mean, expected.low)


def test_games_beyond_the_stop_that_come_in_after_a_failure_are_not_kept(
    practice: Evaluation, ida: User
) -> None:
    waiting = fakes.jobs(practice)
    Evaluation.objects.filter(pk=practice.pk).update(status=Status.FAILED)
    for batch in waiting:
        record_batch(fakes.report(batch, results=fakes.played(request_of(batch))))
    practice.refresh_from_db()
    assert practice.games_done == practice.results.count() == practice.n_games < MAX_GAMES
    requeue(evaluation=practice, by=ida)
    practice.refresh_from_db()
    assert (practice.status, practice.stopped_early) == (Status.FINISHED, True)


def test_the_export_has_only_games_that_count_and_verifies(practice: Evaluation) -> None:
    fakes.play(practice)
    export = from_json(export_json(practice), EvaluationExport)
    assert export.summary.n == practice.n_games
    assert (export.summary.low, export.summary.high) == (practice.low, practice.high)
    assert len(export.results) == practice.n_games
    report = verify_export(export)
    assert report.summary == export.summary


def test_the_command_to_repeat_it_stops_by_the_same_rule(practice: Evaluation) -> None:
    fakes.play(practice)
    assert f"--games {MAX_GAMES} --half-width 0.5" in reproduce_command(practice)


def test_consecutive_faults_still_end_the_evaluation_as_faulty(practice: Evaluation) -> None:
    fakes.play(practice, lambda index: 16 if index < 6 else FaultKind.CRASH)
    assert practice.verdict == Verdict.FAULTY
    assert practice.stop_index == 9
    assert practice.n_games == MAX_GAMES


def test_scores_that_vary_too_much_play_all_games(practice: Evaluation) -> None:
    fakes.play(practice, lambda index: 25 * (index % 2))
    assert practice.n_games == MAX_GAMES
    assert not practice.stopped_early


def test_graded_evaluations_play_what_was_announced(
    patient: Assignment, ida: User, team: Team, ready: Callable[..., Submission]
) -> None:
    ready(team)
    graded = grade_team(team=team, by=ida, at=NOW)
    assert graded.parsed_spec.half_width is None
    fakes.play(graded)
    assert graded.games_done == patient.n_games == MAX_GAMES


@pytest.mark.parametrize("width", [0.0, -1.0, float("nan"), float("inf")])
def test_a_width_that_cannot_be_reached_is_refused(
    assignment: Assignment, ida: User, width: float
) -> None:
    with pytest.raises(ValidationError, match="more than 0"):
        update_assignment(assignment=assignment, by=ida, practice_half_width=width)


def test_stopping_early_is_refused_against_opponents(assignment: Assignment, ida: User) -> None:
    with pytest.raises(ValidationError, match="all rounds are played"):
        update_assignment(
            assignment=assignment,
            by=ida,
            game="hearts",
            options={"variant": "standard", "players": 2},
            opponents=["hearts/careful"],
            practice_half_width=0.5,
        )
