"""The chaos suite's own parts, without anything that dies."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import yaml

from tests.chaos.faults import FAULTS
from tests.chaos.planning import (
    ALERTS,
    NO_ALERT,
    PHASES,
    is_firing,
    plan,
)
from tests.support.stepped_clock import SteppedClock

RULES = Path(__file__).parents[2] / "deploy" / "monitoring" / "alerts.yaml"


def test_a_clock_steps_for_programs_that_begin_with_it(tmp_path: Path) -> None:
    clock = SteppedClock(tmp_path)
    clock.step(600)
    command = [sys.executable, "-c", "import time; time.sleep(0.001); print(time.time())"]
    told = subprocess.check_output(command, env={**os.environ, **clock.settings}, text=True)
    assert 500 < float(told) - time.time() < 601


def test_every_fault_comes_in_every_phase_before_any_comes_twice() -> None:
    pairs = {(fault, phase) for fault, phases in PHASES.items() for phase in phases}
    assert {(run.fault, run.phase) for run in plan(len(pairs), 1)} == pairs


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


def test_every_alert_is_a_rule_that_can_be_read() -> None:
    rules = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
    expressions = {rule["alert"]: rule["expr"] for rule in rules}
    for alert in ALERTS.values():
        figures = {re.search(r"firebox_\w+|up", expressions[alert])[0] + " games@x": 0.0}  # type: ignore[index]
        assert is_firing(expressions[alert], {}, figures) is (alert == "FireboxBrokerAway")
