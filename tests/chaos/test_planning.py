"""The chaos suite's own parts, without anything that dies."""

import re
from pathlib import Path

import yaml

from tests.chaos.faults import FAULTS
from tests.chaos.planning import (
    ALERTS,
    NO_ALERT,
    PHASES,
    is_firing,
)

RULES = Path(__file__).parents[2] / "deploy" / "monitoring" / "alerts.yaml"


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
