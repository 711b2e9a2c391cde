"""Participants that cannot be built: one grader's report removes none while another is ready."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.utils import timezone
from msgspec import UNSET

from grader.core.errors import RecordError
from grader.core.records import BatchPhase, BuildReport
from tests.support import tables
from tests.support.graders import a_report, a_signer
from tests.support.jobs import request_of
from webapp.contests.tournaments.models import Tournament
from webapp.grading.evaluations.models import Status
from webapp.grading.graders import services as graders
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.jobs.recording import record_batch
from webapp.grading.operations.services import record_grader

pytestmark = pytest.mark.slow

Start = Callable[..., Tournament]
OURS, TAKEN = (a_signer(number).public_key for number in (1, 2))


def ready(*keys: str) -> None:
    """These machines are admitted, and were heard of just now."""
    for key in keys:
        graders.admit_key(public_key=key, name=key[:4], at=timezone.now())
        record_grader(a_report(name=f"games@{key[:4]}"), key=key)


def say(
    job: Job, phase: BatchPhase, *, key: str, unbuilt: int | None = None, played: bool = False
) -> None:
    """A grader reports of a job: that it could not build a participant, or its games."""
    participants = tables.table_of(job).participants
    builds = tuple(BuildReport(ok=number != unbuilt) for number in participants)
    report = tables.report(
        job, phase, tables.results(job) if played else (), builds=() if played else builds
    )
    record_batch(replace(report, request=request_of(job).digest()), key=key)


def fail_to_build(job: Job, number: int, *, key: str) -> Job | None:
    say(job, BatchPhase.BUILT, key=key, unbuilt=number)
    again = Job.objects.filter(payload=job.payload, attempt=job.attempt + 1).order_by("pk")
    return again.select_related("tournament").last()


def is_out(tournament: Tournament, number: int) -> bool:
    return tournament.participants.get(number=number).is_out


def first_job(tournament: Tournament) -> tuple[Job, int]:
    job = tables.jobs(tournament)[0]
    return job, tables.table_of(job).participants[0]


@pytest.fixture
def again(start: Start) -> Job:
    """The job that asks for games again after one of two graders could not build an agent."""
    ready(OURS, TAKEN)
    job, number = first_job(start())
    asked = fail_to_build(job, number, key=TAKEN)
    assert asked is not None
    return asked


def doubted(again: Job) -> int:
    return tables.table_of(again).participants[0]


def test_a_compromised_grader_cannot_remove_participants(again: Job) -> None:
    assert not is_out(again.tournament, doubted(again))
    job = Job.objects.get(payload=again.payload, attempt=again.attempt - 1)
    assert job.status == JobStatus.FAILED
    assert "could not build" in job.system_fault
    assert request_of(again).not_by == (TAKEN,)
    fail_to_build(again, doubted(again), key=TAKEN)  # it does not decline
    assert not is_out(again.tournament, doubted(again))


def test_a_participant_that_a_second_grader_cannot_build_is_removed(again: Job) -> None:
    fail_to_build(again, doubted(again), key=OURS)
    assert is_out(again.tournament, doubted(again))
    assert tables.play(again.tournament).status == Status.FINISHED


def test_a_participant_that_another_grader_can_build_plays_on(again: Job) -> None:
    say(again, BatchPhase.DONE, key=OURS, played=True)
    assert again.tournament.games.of(doubted(again)).count() == again.n_games


def test_one_grader_alone_is_asked_twice(start: Start) -> None:
    ready(OURS)
    tournament = start()
    job, number = first_job(tournament)
    again = fail_to_build(job, number, key=OURS)
    assert not is_out(tournament, number)
    assert again is not None
    assert request_of(again).not_by is UNSET
    fail_to_build(again, number, key=OURS)
    assert is_out(tournament, number)


def test_a_grader_that_could_not_build_it_declines(again: Job) -> None:
    Job.objects.filter(pk=again.pk).update(sent_at=timezone.now(), send_after=None)
    say(again, BatchPhase.DECLINED, key=TAKEN)
    again.refresh_from_db()
    assert (again.status, again.sent_at, again.claimed_by) == (JobStatus.QUEUED, None, "")
    assert again.send_after is not None
    with pytest.raises(RecordError, match="was declined by a grader that was to play it"):
        say(again, BatchPhase.DECLINED, key=OURS)
