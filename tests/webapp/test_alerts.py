"""Each alert is raised by its cause, and by nothing while all is well."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

import pytest
import yaml
from django.utils import timezone

from tests.chaos.planning import ALERTS, is_firing
from tests.support.graders import FAILED, GRADER_KEY, a_report
from tests.webapp.test_metrics import figures
from webapp.grading.evaluations.models import Evaluation, Status
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.operations.health import SIGNS
from webapp.grading.operations.models import Grader, Sign
from webapp.grading.operations.services import leave_sign, record_grader

pytestmark = pytest.mark.django_db

RULES: Final = Path(__file__).resolve().parents[2] / "deploy" / "monitoring" / "alerts.yaml"
EXPRESSIONS: Final = {
    rule["alert"]: rule["expr"] for rule in yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
}


@pytest.fixture(autouse=True)
def _all_is_well(graded: Evaluation) -> None:
    for part in SIGNS:
        leave_sign(part)
    Job.objects.update(created_at=timezone.now())
    Evaluation.objects.update(requested_at=timezone.now())
    record_grader(a_report(), key=GRADER_KEY)


def silence(part: str) -> None:
    Sign.objects.filter(name=part).update(at=timezone.now() - timedelta(seconds=41))


def a_worker_that_never_ran(part: str) -> None:
    Sign.objects.filter(name=part).delete()


def silence_of_a_grader(seconds: float) -> None:
    Grader.objects.update(seen_at=timezone.now() - timedelta(seconds=seconds))


def a_check_that_fails() -> None:
    """As after Docker went away: see ``tests/grader/worker/test_guard.py``."""
    record_grader(a_report(checks=(FAILED,)), key=GRADER_KEY)


def reports_that_wait() -> None:
    leave_sign("results", sent_at=timezone.now().timestamp() - 31)


def a_clock_that_is_slow() -> None:
    report = a_report(sent_at=timezone.now() - timedelta(seconds=7))
    record_grader(report, key=GRADER_KEY, waited_seconds=0.0)


def an_evaluation_that_failed() -> None:
    Evaluation.objects.open().update(status=Status.FAILED)


def batches_that_failed() -> None:
    (job,) = Job.objects.filter(queue="graded")
    for _ in range(12):
        job.pk, job.uuid, job.status = None, type(job)().uuid, JobStatus.FAILED
        job.save()


def a_queue_that_is_old(seconds: float, queue: str = "graded") -> None:
    since = timezone.now() - timedelta(seconds=seconds)
    Job.objects.filter(queue="graded").update(queue=queue, created_at=since)


def games_that_were_played_twice() -> None:
    Evaluation.objects.open().update(second_plays=51)


CAUSES: Final[dict[str, Callable[[], None]]] = {
    "FireboxTickSilent": partial(silence, "tick"),
    "FireboxResultsSilent": partial(silence, "results"),
    "FireboxBackgroundSilent": partial(a_worker_that_never_ran, "background"),
    "FireboxGraderSilent": partial(silence_of_a_grader, 41),
    "FireboxNoGrader": partial(silence_of_a_grader, 61),
    "FireboxGraderUnfit": a_check_that_fails,
    "FireboxClockSkew": a_clock_that_is_slow,
    "FireboxRecordingLate": reports_that_wait,
    "FireboxEvaluationsFailed": an_evaluation_that_failed,
    "FireboxSystemFaults": batches_that_failed,
    "FireboxVerdictsSlow": partial(a_queue_that_is_old, 61, "smoke"),
    "FireboxQueueOld": partial(a_queue_that_is_old, 3601),
    "FireboxSecondPlays": games_that_were_played_twice,
}
ELSEWHERE: Final = {"FireboxBrokerAway", "FireboxMessagesRejected"}
"""Alerts that the chaos suite raises, with a broker."""
OVER_TIME: Final = {"FireboxServerErrors", "FireboxPagesSlow"}
"""Alerts on rates: see ``tests/deploy/test_alert_rules.py``."""


def test_every_alert_has_a_cause_here() -> None:
    assert EXPRESSIONS.keys() == CAUSES.keys() | ELSEWHERE | OVER_TIME | {"FireboxDown"}
    assert set(ALERTS.values()) >= ELSEWHERE


@pytest.mark.parametrize("alert", CAUSES)
def test_an_alert_is_raised_by_its_cause_alone(alert: str) -> None:
    before = figures()
    assert not is_firing(EXPRESSIONS[alert], before, before)
    CAUSES[alert]()
    assert is_firing(EXPRESSIONS[alert], before, figures())


def test_no_alert_is_raised_by_the_removal_of_what_is_old(graded: Evaluation) -> None:
    """The daily deletion removes closed jobs, and the games of deleted courses."""
    batches_that_failed()
    other = Evaluation.objects.exclude(pk=graded.pk).earliest("pk")
    Evaluation.objects.filter(pk__in=(graded.pk, other.pk)).update(second_plays=51)
    before = figures()
    Job.objects.filter(status=JobStatus.FAILED).earliest("pk").delete()
    Evaluation.objects.filter(pk=other.pk).update(second_plays=0)
    now = figures()
    assert [alert for alert in CAUSES if is_firing(EXPRESSIONS[alert], before, now)] == []
