"""A table with an agent that a grader cannot build: it ends, and the others play on."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from grader.core.records import BatchPhase, BuildMessage, BuildReport
from tests.support.graders import a_report, a_signer
from tests.support.jobs import request_of
from tests.support.ladders import answer, answers, jobs, play
from tests.support.tables import report
from tests.support.trusted import record_batch
from tests.webapp.conftest import NOW
from webapp.contests.ladders.models import Departure, Ladder
from webapp.contests.tables.jobs import table_of
from webapp.grading.jobs import recording
from webapp.grading.jobs.leases import expire_leases
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.operations.services import record_grader
from webapp.people.notifications.models import Notification, Topic

pytestmark = pytest.mark.slow

Start = Callable[..., Ladder]
Clock = Callable[[], datetime]
SECOND_FAILS = (BuildReport(ok=True), BuildReport(ok=False))


def test_an_unbuildable_agent_leaves_with_its_table(start: Start) -> None:
    ladder = start()
    job = jobs(ladder)[0]
    number = table_of(job).participants[-1]
    bad = BuildReport(ok=False, messages=(BuildMessage(file="a.py", line=1, column=1, text="no"),))
    record_batch(report(job, BatchPhase.BUILT, builds=(BuildReport(ok=True), bad)))
    job.refresh_from_db()
    assert job.status == JobStatus.CANCELLED
    assert ladder.entries.get(number=number).departure == Departure.UNBUILDABLE
    assert "could not be built" in Notification.objects.get(topic=Topic.LADDER).body
    assert ladder.tables.get(number=table_of(job).table).n_games == 0
    assert all(number not in table_of(each).participants for each in jobs(ladder))


def test_a_table_that_ends_with_an_unbuildable_agent_keeps_its_number_and_its_games(
    start: Start, clock: Clock
) -> None:
    ladder = start()
    job = jobs(ladder)[-1]  # of the latest table
    Job.objects.filter(pk=job.pk).update(sent_at=NOW)
    record_batch(report(job, BatchPhase.PLAYING, answers(job)[:1]), at=NOW)
    assert expire_leases(at=NOW + timedelta(hours=1)) == 1
    record_batch(report(jobs(ladder)[-1], BatchPhase.BUILT, builds=SECOND_FAILS))
    ended = ladder.tables.get(number=table_of(job).table)
    following = jobs(ladder)[-1]
    assert ended.n_games == 1
    assert table_of(following).table == ended.number + 1
    play(ladder, tables=9, clock=lambda: clock() + timedelta(hours=1))
    following.refresh_from_db()
    assert following.status == JobStatus.FINISHED
    assert ladder.games.filter(table=ended.number).count() == 1
    assert ladder.n_games == ladder.games.count()


def test_a_later_game_of_a_table_that_ended_is_no_game_of_the_next(start: Start) -> None:
    ladder = start()
    job = jobs(ladder)[-1]
    record_batch(report(job, BatchPhase.BUILT, builds=SECOND_FAILS))
    following = jobs(ladder)[-1]
    record_batch(report(job, BatchPhase.PLAYING, answers(job)[:1]))
    answer(following)
    following.refresh_from_db()
    assert following.status == JobStatus.FINISHED
    (late,) = ladder.games.filter(table=table_of(job).table)
    assert late.numbers == table_of(job).games[0].seating


def test_an_agent_that_one_of_two_graders_cannot_build_stays(start: Start) -> None:
    ladder = start()
    job = jobs(ladder)[0]
    ours, taken = (a_signer(number).public_key for number in (1, 2))
    record_grader(a_report(name="games@ours"), key=ours)
    bad = report(job, BatchPhase.BUILT, builds=SECOND_FAILS)
    recording.record_batch(replace(bad, request=request_of(job).digest()), key=taken)
    job.refresh_from_db()
    assert (job.status, job.claimed_by) == (JobStatus.FAILED, taken)
    assert set(ladder.entries.values_list("departure", flat=True)) == {""}
    (again,) = (each for each in jobs(ladder) if each.attempt == 2)
    assert request_of(again).not_by == (taken,)
