"""Each alert rule over time, as Prometheus evaluates it: raised by its cause and nothing else."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from grader.broker.transport import MAX_ASIDE

RULES_FILE: Final = Path(__file__).parents[2] / "deploy" / "monitoring" / "alerts.yaml"
(GROUP,) = yaml.safe_load(RULES_FILE.read_text())["groups"]
RULES: Final = {rule["alert"]: rule for rule in GROUP["rules"]}

Series = dict[str, str]
"""Values every ten seconds, by figure: ``1+2x3`` is 1 3 5 7, ``_`` is a look without an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Figures that raise an alert, and figures that do not."""

    fires: Series
    at: str
    """The time at which it has been raised, and is for as long as the figures go on."""
    silent: tuple[Series, ...]
    labels: dict[str, str]
    """Labels of the alert beside its severity."""
    summary: str = ""
    """Its text, if the rule's depends on the figures."""


def of_age(figure: str, limit: int, at: str = "1m", **labels: str) -> Case:
    """The case of a rule on an age that grows with time, in seconds."""
    name = f"{figure}{{{', '.join(f'{key}={value!r}' for key, value in labels.items())}}}"
    return Case(
        fires={name: f"0+10x{limit // 10} {limit + 1}+10x400"},
        at=at,
        silent=({name: f"0 {limit}x400"}, {name: f"{limit - 1} 0x400"}),
        labels=labels,
    )


def grown(figure: str, before: int, after: int, *, silent: tuple[str, ...]) -> Case:
    """The case of a rule on what is added within minutes."""
    return Case(
        fires={figure: f"{before}x3 {after}x100"},
        at="1m",
        silent=tuple({figure: values} for values in silent),
        labels={},
    )


REJECTED: Final = "firebox_rejections_total"
CASES: Final = {
    "FireboxDown": Case(
        fires={'up{job="firebox"}': "1 1 0x100"},
        at="1m",
        silent=({'up{job="firebox"}': "1 0 0 1x100"}, {'up{job="other"}': "0x100"}),
        labels={"job": "firebox"},
    ),
    "FireboxTickSilent": of_age("firebox_sign_age_seconds", 36, part="tick"),
    "FireboxResultsSilent": of_age("firebox_sign_age_seconds", 36, part="results"),
    "FireboxBackgroundSilent": of_age("firebox_sign_age_seconds", 36, part="background"),
    "FireboxBrokerAway": Case(
        fires={
            'firebox_queue_messages{queue="results"}': "3 _x100",
            'firebox_queue_messages{queue="graded"}': "3x100",
        },
        at="6m",  # five minutes after the last answer it is stale; a look without it is so at once
        silent=({'firebox_queue_messages{queue="results"}': "0x400"},),
        labels={"queue": "results"},
    ),
    "FireboxRecordingLate": Case(
        fires={"firebox_recording_lag_seconds": "0 10 31x100"},
        at="1m",
        silent=({"firebox_recording_lag_seconds": "0 30x100"},),
        labels={},
        summary="Reports wait 31s to be recorded: start another results worker.",
    ),
    "FireboxClockSkew": Case(
        fires={'firebox_clock_skew_seconds{host="lab"}': "0 7x100"},
        at="2m",
        silent=(
            {'firebox_clock_skew_seconds{host="lab"}': "0 5x100"},
            {'firebox_clock_skew_seconds{host="lab"}': "7 7 7 0x100"},
        ),
        labels={"host": "lab"},
        summary="The clock of lab is wrong by 7s.",
    ),
    "FireboxNoGrader": Case(
        fires={
            'firebox_graders{state="ready"}': "2 0x100",
            'firebox_graders{state="silent"}': "2x100",
        },
        at="1m",
        silent=(
            {'firebox_graders{state="ready"}': "2 0 0 1x100"},
            {'firebox_graders{state="ready"}': "1x100", 'firebox_graders{state="unfit"}': "0x100"},
        ),
        labels={"state": "ready"},
    ),
    "FireboxGraderSilent": Case(
        fires={'firebox_grader_silence_seconds{grader="lab"}': "0+10x500"},
        at="1m",
        silent=(
            {'firebox_grader_silence_seconds{grader="lab"}': "5 36x500"},
            {'firebox_grader_silence_seconds{grader="lab"}': "86400+10x500"},
        ),
        labels={"grader": "lab"},
        summary="lab is silent.",
    ),
    "FireboxGraderUnfit": Case(
        fires={'firebox_graders{state="unfit"}': "0 1x100"},
        at="1m",
        silent=(
            {'firebox_graders{state="unfit"}': "0x100", 'firebox_graders{state="silent"}': "3x100"},
        ),
        labels={"state": "unfit"},
    ),
    "FireboxVerdictsSlow": Case(
        fires={'firebox_queue_oldest_seconds{queue="smoke", course="ai"}': "0+10x500"},
        at="2m",
        silent=(
            {'firebox_queue_oldest_seconds{queue="smoke", course="ai"}': "0 60x500"},
            {'firebox_queue_oldest_seconds{queue="graded", course="ai"}': "0+10x300"},
            {'firebox_verdict_seconds{quantile="0.95"}': "120x500"},
            {'firebox_verdict_seconds{quantile="1.0"}': "500x500"},
        ),
        labels={"queue": "smoke", "course": "ai"},
    ),
    "FireboxQueueOld": Case(
        fires={
            'firebox_queue_oldest_seconds{queue="graded", course="ai"}': "3590+10x400",
        },
        at="1m",
        silent=(
            {'firebox_queue_oldest_seconds{queue="graded"}': "3600x400"},
            {'firebox_queue_oldest_seconds{queue="ladder"}': "9000x400"},
        ),
        labels={"queue": "graded", "course": "ai"},
        summary="A batch of ai, graded, has waited for over an hour.",
    ),
    "FireboxEvaluationsFailed": Case(
        fires={'firebox_evaluations{status="failed"}': "0 2x100"},
        at="1m",
        silent=(
            {'firebox_evaluations{status="failed"}': "0x100"},
            {'firebox_evaluations{status="queued"}': "9x100"},
        ),
        labels={"status": "failed"},
        summary="2 evaluations failed by our fault, not the agents'.",
    ),
    "FireboxSystemFaults": grown(
        "firebox_system_faults", 5, 30, silent=("5x3 14x100", "500x3 5x100")
    ),
    "FireboxSecondPlays": grown(
        "firebox_second_plays", 100, 200, silent=("100x3 140x100", "900x3 0x100")
    ),
    "FireboxMessagesRejected": Case(
        fires={REJECTED: "0+50x400", "firebox_rejected_messages": "0 50 100 150 200x400"},
        at="1m",
        silent=(
            {REJECTED: "0x400", "firebox_rejected_messages": "0x400"},
            {REJECTED: "999x400", "firebox_rejected_messages": "199x400"},
            {REJECTED: "999x100 _x50 999x300", "firebox_rejected_messages": "0x400"},
        ),
        labels={},
    ),
}
BUCKET: Final = 'firebox_request_seconds_bucket{view="home", le="%s"}'
COUNT: Final = 'firebox_request_seconds_count{view="home"}'


def slow(quick: int, *, all_of: int) -> Series:
    """Requests of a page every ten seconds, of which so many take less than three seconds."""
    return {
        BUCKET % "3.0": f"0+{quick}x300",
        BUCKET % "10.0": f"0+{all_of}x300",
        BUCKET % "+Inf": f"0+{all_of}x300",
        COUNT: f"0+{all_of}x300",
    }


CASES["FireboxServerErrors"] = Case(
    fires={"firebox_server_errors_total": "0+1x400"},
    at="5m",
    silent=(
        {"firebox_server_errors_total": "0x5 2x400"},
        {"firebox_server_errors_total": "900x20 0x300"},
    ),
    labels={},
)
CASES["FireboxPagesSlow"] = Case(
    fires=slow(8, all_of=10),
    at="10m",
    silent=(
        slow(10, all_of=10),
        {BUCKET % "3.0": "0x300", BUCKET % "+Inf": "0x5 5x300", COUNT: "0x5 5x300"},
    ),
    labels={"view": "home"},
    summary="The page home is slow.",
)
LATER: Final = ("20m",)
"""While its cause goes on, an alert is still raised then, unless it is on what is new."""
NEW: Final = {"FireboxSystemFaults", "FireboxSecondPlays"}


def checked(alert: str, series: Series, expected: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": f"{alert}: {series}",
        "interval": "10s",
        "input_series": [{"series": name, "values": each} for name, each in series.items()],
        "alert_rule_test": [
            {"eval_time": time, "alertname": alert, "exp_alerts": alerts}
            for time, alerts in expected.items()
        ],
    }


def raised(alert: str) -> dict[str, Any]:
    """An alert is raised by its cause, for as long as that lasts."""
    case, rule = CASES[alert], RULES[alert]
    summary = case.summary or rule["annotations"]["summary"]
    labels = rule["labels"] | case.labels
    alerts = [{"exp_labels": labels, "exp_annotations": {"summary": summary}}]
    later = () if alert in NEW else LATER
    return checked(alert, case.fires, {"0s": [], **dict.fromkeys((case.at, *later), alerts)})


def silent(alert: str) -> Iterator[dict[str, Any]]:
    """An alert is not raised by less than its cause, nor by a cause that is over."""
    times = [f"{minutes}m" for minutes in (1, 2, 5, 10, 16, 20)]
    for series in CASES[alert].silent:
        yield checked(alert, series, {time: [] for time in times})
    if alert in NEW:
        yield checked(alert, CASES[alert].fires, {"15m": []})


def test_every_rule_has_a_case() -> None:
    assert CASES.keys() == RULES.keys()


@pytest.mark.slow
def test_alerts_are_raised_by_their_causes_alone(tmp_path: Path) -> None:
    """All in one call of Prometheus' own tool, which names each that is wrong."""
    ended = {REJECTED: "0x3 5x400", "firebox_rejected_messages": "0x3 5x400"}
    tests = [test for alert in CASES for test in (raised(alert), *silent(alert))]
    tests.append(checked("FireboxMessagesRejected", ended, {"10m": []}))
    path = tmp_path / "test.yaml"
    asked = {"rule_files": [str(RULES_FILE)], "evaluation_interval": "10s", "tests": tests}
    path.write_text(yaml.safe_dump(asked))
    command = ["promtool", "test", "rules", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_rejections_are_told_of_before_older_ones_are_lost() -> None:
    assert f"firebox_rejected_messages >= {MAX_ASIDE}" in RULES["FireboxMessagesRejected"]["expr"]


def test_prometheus_finds_no_fault_in_the_rules() -> None:
    command = ["promtool", "check", "rules", str(RULES_FILE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
