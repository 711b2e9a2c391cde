"""The figures of the site, who may read them, and the files that refer to them."""

import json
import math
import re
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path

import pytest
import yaml
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries, Settings

from grader.broker.transport import MAX_ASIDE
from grader.core.health import REPORT_SECONDS
from tests.support.graders import FAILED, GRADER_KEY, a_report
from tests.webapp import fakes
from webapp.base.celery import NOTE_RESULTS, PERIODIC, RESEND_LOST_JOBS
from webapp.flow.metrics import exposition
from webapp.grading.evaluations.models import Evaluation, Status
from webapp.grading.evaluations.services import grade_team
from webapp.grading.jobs import broker
from webapp.grading.jobs.models import Job
from webapp.grading.operations.models import Grader, Sign
from webapp.grading.operations.services import leave_sign, record_grader
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Team

pytestmark = pytest.mark.django_db

MONITORING = Path(__file__).resolve().parents[2] / "deploy" / "monitoring"
KEDA = MONITORING.parent / "kubernetes" / "keda.yaml"
TOKEN = "a-token-of-prometheus"


def figures() -> dict[str, float]:
    return {
        sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(exposition().decode())
        for sample in family.samples
    }


def test_waiting_jobs_have_their_age_by_course_queue_and_kind(graded: Evaluation) -> None:
    Job.objects.filter(evaluation=graded).update(created_at=timezone.now() - timedelta(hours=1))
    course = graded.assignment.course.slug
    found = figures()
    age = found[f"firebox_queue_oldest_seconds {course} evaluation graded"]
    assert age == pytest.approx(3600, abs=30)
    assert found[f"firebox_jobs {course} graded queued"] == graded.jobs.count()


def test_games_and_verdicts_are_measured(graded: Evaluation) -> None:
    fakes.play(graded)
    now = timezone.now()
    smoke = Evaluation.objects.filter(kind="smoke")
    smoke.update(requested_at=now - timedelta(seconds=7), finished_at=now)
    found = figures()
    assert found["firebox_games_recorded_total"] >= 20
    assert found["firebox_verdict_seconds 0.95"] == pytest.approx(7)


def test_a_failed_evaluation_counts_until_a_newer_one_replaces_it(
    graded: Evaluation, team: Team, ida: User
) -> None:
    graded.advance(Status.FAILED)
    assert figures()["firebox_evaluations failed"] == 1
    grade_team(team=team, by=ida)
    assert "firebox_evaluations failed" not in figures()


def test_graders_are_counted_by_state() -> None:
    record_grader(a_report(), key=GRADER_KEY)
    record_grader(a_report(name="unfit@host", checks=(FAILED,)), key=GRADER_KEY)
    record_grader(a_report(name="gone@host"), key=GRADER_KEY)
    Grader.objects.filter(name="gone@host").update(seen_at=timezone.now() - timedelta(minutes=2))
    found = figures()
    states = [found[f"firebox_graders {state}"] for state in ("ready", "silent", "unfit")]
    assert states == [1, 1, 1]
    assert found["firebox_grader_silence_seconds gone@host"] == pytest.approx(120, abs=20)


def test_recording_is_late_by_what_its_last_sign_waited_or_by_its_absence() -> None:
    leave_sign("results", sent_at=timezone.now().timestamp() - 40)
    assert figures()["firebox_recording_lag_seconds"] == pytest.approx(40, abs=5)
    Sign.objects.update(at=timezone.now() - timedelta(seconds=100))
    assert figures()["firebox_recording_lag_seconds"] == pytest.approx(90, abs=5)


@pytest.mark.redis
@pytest.mark.usefixtures("redis_url")
def test_rejections_are_counted_also_when_they_are_deleted(settings: Settings) -> None:
    settings.QUEUE_CACHE_SECONDS = 0
    for number in range(MAX_ASIDE + 5):
        broker.set_aside("results", str(number), "no report")
    assert figures()["firebox_rejections_total"] == MAX_ASIDE + 5
    broker.trim_aside()
    found = figures()
    assert found["firebox_rejections_total"] == MAX_ASIDE + 5
    assert found["firebox_rejected_messages"] == MAX_ASIDE
    broker.set_aside("results", "one more", "no report")
    broker.forget_aside()
    found = figures()
    assert found["firebox_rejections_total"] == MAX_ASIDE + 6
    assert found["firebox_rejected_messages"] == 0


def test_a_part_that_has_never_run_is_silent_for_ever() -> None:
    leave_sign("tick")
    found = figures()
    assert found["firebox_sign_age_seconds tick"] < 45
    assert found["firebox_sign_age_seconds results"] == math.inf
    assert found["firebox_sign_age_seconds background"] == math.inf


def test_a_sign_of_a_clock_that_was_fast_hides_no_silence() -> None:
    leave_sign("tick")
    Sign.objects.update(at=timezone.now() + timedelta(minutes=10))
    assert figures()["firebox_sign_age_seconds tick"] == pytest.approx(600, abs=30)


def test_metrics_are_served_with_the_token_or_from_the_network(settings: Settings) -> None:
    client = Client()
    settings.METRICS_TOKEN, settings.METRICS_NETWORKS = "", []
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics", headers={"Authorization": "Bearer other"}).status_code == 404
    assert client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    settings.METRICS_NETWORKS = [ip_network("127.0.0.0/8")]
    assert client.get("/metrics").status_code == 200


def test_figures_take_few_queries(
    graded: Evaluation, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(23):
        exposition()


def test_silence_raises_its_alert_within_a_minute_and_not_for_one_sign_that_is_late() -> None:
    group = yaml.safe_load(MONITORING.joinpath("alerts.yaml").read_text())["groups"][0]
    rules = {rule["alert"]: rule for rule in group["rules"]}
    signs = {"Tick": PERIODIC[RESEND_LOST_JOBS], "Results": PERIODIC[NOTE_RESULTS]}
    signs |= {"Background": PERIODIC["webapp.tell_operators"], "Grader": REPORT_SECONDS}
    scrape = look = 10.0  # the runbook's interval, and the group's
    assert group["interval"] == "10s"
    for part, seconds in signs.items():
        rule = rules[f"Firebox{part}Silent"]
        (limit,) = re.findall(r"^\S+ > (\d+)", rule["expr"])
        assert 2 * seconds <= float(limit) <= 60 - scrape - look
        assert "for" not in rule


def test_rules_and_dashboard_use_figures_that_exist(graded: Evaluation) -> None:
    names = re.findall(r"# TYPE (firebox_\w+)", exposition().decode())
    rules = yaml.safe_load(MONITORING.joinpath("alerts.yaml").read_text())["groups"][0]["rules"]
    panels = json.loads(MONITORING.joinpath("dashboard.json").read_text())["panels"]
    scaled = yaml.safe_load_all(KEDA.read_text())
    asked = [rule["expr"] for rule in rules]
    asked += [each["metadata"]["query"] for one in scaled for each in one["spec"]["triggers"]]
    asked += [target["expr"] for panel in panels for target in panel["targets"]]
    used = {name for text in asked for name in re.findall(r"firebox_\w+", text)}
    used = {re.sub("^(firebox_request_seconds)_(bucket|count)$", r"\1", name) for name in used}
    assert used - set(names) == set()
    assert set(names) - used == set(), "figures that nobody looks at"
