"""The table of figures with goals: rounds that fit into the time, figures that a version lacks."""

import io

import pytest
from rich.console import Console

from grader.bench import summary
from grader.bench.figures import GROUPS
from grader.bench.startup import first_turn_seconds
from grader.bench.summary import FIGURES, Summary
from tests.support.slots import own_core


def test_rounds_end_when_there_is_no_time_for_one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    groups: list[str] = []
    monkeypatch.setattr(summary, "_measured", lambda _, group, __: groups.append(group) or {})
    found = summary.measure_rounds(2, 3, 0.0, None, lambda: None)
    assert len(found.ours) == 1
    assert groups == list(GROUPS)


def test_the_rules_are_compiled_in_one_round(monkeypatch: pytest.MonkeyPatch) -> None:
    groups: list[str] = []
    monkeypatch.setattr(summary, "_measured", lambda _, group, __: groups.append(group) or {})
    summary.measure_rounds(2, 3, 60.0, None, lambda: None)
    assert groups.count("rules") == 1
    assert groups.count("start") == 3


def test_a_row_has_medians_goals_and_ratios_of_rounds() -> None:
    found = Summary([{"runner_2": 3.0}, {"runner_2": 2.0}], [{"runner_2": 4.0}] * 2, "v1")
    text = printed(found)
    assert "now / v1" in text
    assert "2.50 (2.00–3.00)" in text
    assert "0.62 (0.50–0.75)" in text


def test_a_figure_that_the_earlier_version_lacks_has_no_ratio() -> None:
    found = Summary([{"first_turn": 0.4, "runner_2": 3.0}], [{"runner_2": 4.0}], "v1")
    row = next(line for line in printed(found).splitlines() if "first turn" in line)
    assert "≤ 0.30, 0.15" in row
    assert row.count("–") == 3


def test_rows_name_every_figure_once() -> None:
    keys = [figure.key for figure in FIGURES]
    assert len(set(keys)) == len(keys)


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
def test_the_time_to_a_first_turn_is_measured() -> None:
    assert 0 < first_turn_seconds(2, own_core()) < 60


def printed(found: Summary) -> str:
    """The table as text."""
    console = Console(file=io.StringIO(), width=170)
    console.print(summary.table(found))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()
