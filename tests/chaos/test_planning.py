"""The chaos suite's own parts, without anything that dies."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from tests.chaos.faults import FAULTS
from tests.chaos.planning import (
    ALERTS,
    NO_ALERT,
    PHASES,
    Outcome,
    Run,
    is_firing,
    plan,
    table,
)
from tests.support.stepped_clock import SteppedClock

RULES = Path(__file__).parents[2] / "deploy" / "monitoring" / "alerts.yaml"


def test_a_clock_steps_for_programs_that_begin_with_it(tmp_path: Path) -> None:
    clock = SteppedClock(tmp_path)
    clock.step(600)
    command = [sys.executable, "-c", "import time; time.sleep(0.001); print(time.time())"]
    told = subprocess.check_output(command, env={**os.environ, **clock.settings}, text=True)
    assert 500 < float(told) - time.time() < 601


def test_the_same_seed_gives_the_same_plan_and_another_seed_another() -> None:
    assert plan(100, 1) == plan(100, 1) != plan(100, 2)


def test_every_fault_comes_in_every_phase_before_any_comes_twice() -> None:
    pairs = {(fault, phase) for fault, phases in PHASES.items() for phase in phases}
    assert {(run.fault, run.phase) for run in plan(len(pairs), 1)} == pairs


def test_every_fault_comes_once_before_any_comes_twice() -> None:
    assert {run.fault for run in plan(len(PHASES), 1)} == PHASES.keys()


def test_runs_are_counted_among_those_that_are_wanted() -> None:
    runs = plan(7, 1, "stop web")
    assert len(runs) == 7
    assert {run.fault for run in runs} == {"stop web"}
    assert {run.phase for run in runs[:5]} == set(PHASES["stop web"]), "each phase before any twice"
    assert [run.phase for run in plan(3, 1, "^lie, queued$")] == ["queued"] * 3
    with pytest.raises(ValueError, match="no fault and phase match 'stop wed'"):
        plan(1, 1, "stop wed")


def test_every_alert_is_raised_within_a_minute_of_its_cause() -> None:
    """After the figure's silence and the rule's delay, Prometheus reads figures, then rules."""
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    look = int(group["interval"].removesuffix("s"))
    rules = {rule["alert"]: rule for rule in group["rules"]}
    for alert in ALERTS.values():
        silence = re.match(r"\S+_seconds\S* > (\d+)", rules[alert]["expr"])
        delay = int(rules[alert].get("for", "0s").removesuffix("s"))
        assert (int(silence[1]) if silence else 0) + delay + 2 * look <= 60, alert


def test_every_fault_has_an_alert_or_a_reason_why_it_has_none() -> None:
    assert FAULTS.keys() == PHASES.keys()
    assert ALERTS.keys() | NO_ALERT.keys() == PHASES.keys()
    assert not ALERTS.keys() & NO_ALERT.keys()


def test_the_first_run_with_a_fault_can_wait_for_its_alert() -> None:
    for seed in range(9):
        assert all(run.phase != "recording" for run in plan(len(PHASES), seed))


def test_every_alert_is_a_rule_that_can_be_read() -> None:
    rules = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
    expressions = {rule["alert"]: rule["expr"] for rule in rules}
    for alert in ALERTS.values():
        figures = {re.search(r"firebox_\w+|up", expressions[alert])[0] + " games@x": 0.0}  # type: ignore[index]
        assert is_firing(expressions[alert], {}, figures) is (alert == "FireboxBrokerAway")


def test_an_alert_fires_by_the_condition_of_its_rule() -> None:
    silent = 'firebox_sign_age_seconds{part="results"} > 45'
    assert is_firing(silent, {}, {"firebox_sign_age_seconds results": 46})
    assert not is_firing(silent, {}, {"firebox_sign_age_seconds tick": 46})
    late = "firebox_age > 36 and firebox_age < 90"
    for age, holds in ((36, False), (37, True), (90, False)):
        assert is_firing(late, {}, {"firebox_age games@x": age}) is holds
    assert not is_firing(late, {}, {"firebox_age games@x": 30, "firebox_age live@x": 95})
    assert not is_firing(late, {}, {"firebox_age games@x": 37}, "live")
    either = 'firebox_age{queue=~"a|b"} > 5 or firebox_time{quantile="0.95"} > 7'
    assert is_firing(either, {}, {"firebox_age course b": 6, "firebox_time 0.5": 9})
    assert is_firing(either, {}, {"firebox_age course c": 6, "firebox_time 0.95": 9})
    assert not is_firing(either, {}, {"firebox_age course c": 6, "firebox_time 0.5": 9})
    away = 'absent(firebox_queue_messages{queue="results"})'
    assert is_firing(away, {}, {"firebox_queue_messages graded": 1})
    assert not is_firing(away, {}, {"firebox_queue_messages results": 0})
    more = "increase(firebox_rejections_total[5m]) > 0 or firebox_rejected_messages >= 200"
    two = {"firebox_rejections_total": 2}
    assert is_firing(more, {"firebox_rejections_total": 1}, two)
    assert not is_firing(more, two, two)
    assert is_firing(more, two, two | {"firebox_rejected_messages": 200})


def test_the_table_names_what_did_not_recover() -> None:
    run = Run("kill games", "playing", 2.0, 0.1)
    lines = table([Outcome(run, "", 2.0), Outcome(run, "", 4.0), Outcome(run, "lost", 0)]).split(
        "\n"
    )
    assert lines[1].split() == ["kill", "games", "playing", "3", "2", "3.0", "4.0", "–"]
    assert lines[2].endswith(": lost")
