"""Reports that only bring more games are recorded several at a time, with the same outcome."""

import random
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from grader.core.records import BatchPhase, FaultKind
from tests.support.graders import GRADER_KEY, a_signer, signed
from tests.support.jobs import make_unreadable, request_of
from tests.webapp import fakes
from webapp.grading.evaluations.models import Evaluation, Status, Verdict
from webapp.grading.evaluations.services.batches import add_batches
from webapp.grading.graders.services import admit_key
from webapp.grading.jobs import broker
from webapp.grading.jobs.models import Job, JobStatus, Sending
from webapp.grading.jobs.reports import record_reports

pytestmark = pytest.mark.django_db

OTHER = a_signer(2)


@pytest.fixture(autouse=True)
def _admitted() -> None:
    for key, name in ((GRADER_KEY, "ours"), (OTHER.public_key, "other")):
        admit_key(public_key=key, name=name, at=timezone.now())


@pytest.fixture
def batches(graded: Evaluation) -> list[Job]:
    """Four batches of five games; of each a grader has reported its first game."""
    graded.jobs.all().delete()
    for first in range(0, 20, 5):
        add_batches(graded, range(first, first + 5), Sending(at=timezone.now()))
    jobs = fakes.jobs(graded)
    for job in jobs:
        record_reports([part(job, [first_of(job)])])
    return jobs


def first_of(job: Job) -> int:
    return int(job.payload["ranges"][0][0])


def part(
    job: Job,
    only: Sequence[int],
    outcome: Callable[[int], fakes.Outcome] = fakes.ordinary,
    phase: BatchPhase = BatchPhase.PLAYING,
) -> str:
    """Some games of a batch, as its grader sends them."""
    report = fakes.report(job, phase, fakes.played(request_of(job), outcome, only=only))
    return signed(report, "record_batch")


def record_in_groups(evaluation: Evaluation, texts: list[str], chance: random.Random) -> None:
    """Record all, several at a time; the counts are the rows' after each time."""
    while texts:
        size = chance.randint(1, 6)
        record_reports(texts[:size])
        del texts[:size]
        evaluation.refresh_from_db()
        if evaluation.is_open:
            counts = (evaluation.results.count(), evaluation.results.exclude(fault_kind="").count())
            assert (evaluation.games_done, evaluation.faults) == counts


def in_any_order(
    jobs: list[Job], outcome: Callable[[int], fakes.Outcome], chance: random.Random
) -> list[str]:
    """All games of the batches in small reports, some of them twice."""
    texts = []
    for job in jobs:
        first = first_of(job)
        games = range(first, first + 5)
        texts += [part(job, [first + 1, first + 2], outcome), part(job, [first + 2], outcome)]
        texts += [part(job, [first + 3], outcome), part(job, games, outcome, BatchPhase.DONE)]
    texts += chance.sample(texts, 4)
    chance.shuffle(texts)
    return texts


@pytest.mark.parametrize("seed", range(3))
def test_the_figures_do_not_depend_on_the_order_or_grouping_of_reports(
    graded: Evaluation, batches: list[Job], seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - a test's order

    def outcome(index: int) -> fakes.Outcome:
        return FaultKind.CRASH if index % 7 == 3 else fakes.ordinary(index)

    record_in_groups(graded, in_any_order(batches, outcome, chance), chance)
    assert (graded.status, graded.verdict) == (Status.FINISHED, Verdict.ACCEPTED)
    assert (graded.games_done, graded.faults, graded.mean) == (20, 2, 14.35)
    assert list(graded.results.values_list("index", flat=True)) == list(range(20))
    assert not graded.jobs.open().exists()


@pytest.mark.parametrize("seed", range(3))
def test_a_streak_of_faults_stops_an_evaluation_in_any_order_and_grouping(
    graded: Evaluation, batches: list[Job], seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311 - a test's order

    def streak(index: int) -> fakes.Outcome:
        return FaultKind.CRASH if 11 <= index < 15 else 20

    record_in_groups(graded, in_any_order(batches, streak, chance), chance)
    assert (graded.status, graded.verdict) == (Status.FINISHED, Verdict.FAULTY)
    assert graded.stop_index == 14


def test_several_reports_take_the_queries_of_one(
    batches: list[Job], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    texts = [part(job, [first_of(job) + 1, first_of(job) + 2]) for job in batches]
    keys, jobs, rows, counts, games = 1, 1, 1, 1, 1
    savepoint = 2  # of the test's transaction
    with django_assert_num_queries(keys + jobs + rows + counts + games + savepoint):
        record_reports(texts)


def test_second_reports_of_the_batches_are_recorded_together_too(
    graded: Evaluation, batches: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone: list[object] = []
    monkeypatch.setattr(
        "webapp.grading.jobs.recording.record_batch", lambda *_, **__: alone.append(_)
    )
    record_reports([part(job, [first_of(job) + game]) for game in (1, 2, 3) for job in batches])
    assert alone == []
    assert graded.results.count() == 16


def test_a_report_keeps_its_batch_from_being_taken_for_lost(batches: list[Job]) -> None:
    job = batches[0]
    Job.objects.update(lease_until=timezone.now() + timedelta(seconds=5))
    record_reports([part(job, [first_of(job) + 1])])
    job.refresh_from_db()
    assert job.lease_until is not None
    assert job.lease_until > timezone.now() + timedelta(seconds=50)


def test_the_last_report_of_a_batch_closes_it_also_among_others(
    graded: Evaluation, batches: list[Job]
) -> None:
    job, other = batches[:2]
    first = first_of(job)
    record_reports(
        [
            part(job, [first + 1, first + 2]),
            part(other, [first_of(other) + 1]),
            part(job, [first + 3, first + 4], phase=BatchPhase.DONE),
        ]
    )
    job.refresh_from_db()
    graded.refresh_from_db()
    assert (job.status, graded.games_done) == (JobStatus.FINISHED, 4 + 4 + 1)


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_a_report_that_is_refused_takes_no_other_with_it(
    graded: Evaluation, batches: list[Job]
) -> None:
    job, forged, stolen, last = batches
    other_deal = fakes.played(request_of(job), only=[first_of(job) + 1])
    report = fakes.report(forged, BatchPhase.PLAYING, fakes.played(request_of(forged), only=[6]))
    wrong = [
        signed(fakes.report(job, BatchPhase.PLAYING, other_deal + other_deal), "record_batch"),
        signed(report, "record_batch", by=a_signer(3)),
        signed(
            fakes.report(stolen, BatchPhase.PLAYING, fakes.played(request_of(stolen), only=[11])),
            "record_batch",
            by=OTHER,
        ),
        "nonsense",
    ]
    record_reports([*wrong, part(last, [16, 17])])
    assert sorted(graded.results.values_list("index", flat=True)) == [0, 5, 10, 15, 16, 17]
    whys = " ".join(message.why for message in broker.aside())
    for why in ("reported twice", "not admitted", "another grader", "not a valid SignedReport"):
        assert whys.count(why) == 1


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_a_report_of_rules_that_cannot_be_read_takes_no_other_with_it(
    graded: Evaluation, batches: list[Job], smoke: Evaluation
) -> None:
    (other,) = fakes.jobs(smoke)
    record_reports([part(other, [0])])
    texts = [part(other, [1]), part(batches[0], [1, 2]), part(other, [2])]
    make_unreadable(graded)
    record_reports(texts)
    assert (smoke.results.count(), graded.results.count()) == (3, 4)
    (aside,) = broker.aside()
    assert "of_another_version" in aside.why
