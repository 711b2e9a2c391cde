"""Quotations of foreign text in messages, and actions that cannot be answered with."""

import pytest

from grader.core.games.checks import shown, unanswerable


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (-3, "-3"),
        (10**12 - 1, "999999999999"),
        pytest.param(-(10**5000), "a huge number", id="huge"),
        (1.0, "1.0"),
        (float("nan"), "nan"),
        ("R3", "'R3'"),
        ("it's", '"it\'s"'),
        ("line\nbreak\x1b[2J", r"'line\nbreak\x1b[2J'"),
        ("\ud800", r"'\ud800'"),
        ("a" * 24, "'" + "a" * 24 + "'"),
        ("a" * 25, "'" + "a" * 24 + "'…"),
        ([1] * 1000, "a list"),
        ((), "a list"),
        ({"a": 1}, "an object"),
        (object(), "no JSON value"),
    ],
)
def test_values_are_quoted_shortly_and_without_control_characters(value, words):
    assert shown(value) == words


def test_an_action_that_no_agent_could_answer_with_is_named():
    assert unanswerable({"type": "play", "card": 2**63 - 1}) == ""
    assert "refused" in unanswerable({"type": "refused"})
    assert "its field 'card' is beyond 64 bits" in unanswerable({"type": "play", "card": 2**64})
