"""The experiment on the turn clock: what its table and its plot say, and some turns for real."""

from xml.etree import ElementTree as ET

import pytest
from rich.console import Console
from rich.table import Table

from grader.bench.clock import report
from grader.bench.clock.experiment import NEEDS, Need, Trial, run
from grader.bench.clock.loads import LOADS


def trial(need: Need, *, wall: float, ran: float, timed_out: bool) -> Trial:
    return Trial(
        load="8 × oversubscribed",
        need=need,
        wall=wall,
        charged=ran,
        ran=ran,
        timed_out=timed_out,
        tries=1,
    )


QUICK, SLEEPY = NEEDS[0], NEEDS[-1]
TRIALS = (
    trial(QUICK, wall=4.0, ran=0.5, timed_out=False),
    trial(SLEEPY, wall=1.5, ran=0.0, timed_out=True),
)


def cells(table: Table) -> list[list[str]]:
    return [list(column.cells) for column in table.columns]  # type: ignore[arg-type]


def test_a_rule_that_errs_is_counted_on_the_right_side() -> None:
    rules, false, missed = cells(report.errors(TRIALS))
    assert rules == ["Firebox", "wall time", "processor time"]
    assert false == ["0 of 1", "1 of 1", "0 of 1"]
    assert missed == ["0 of 1", "0 of 1", "1 of 1"]


def test_the_table_has_a_row_for_each_need_that_was_tried() -> None:
    console = Console(width=200, record=True)
    console.print(report.table(TRIALS))
    text = console.export_text()
    assert "4.00 (4.00–4.00)" in text
    assert "2 s asleep" in text
    assert "0.95 s" not in text


def test_the_plot_is_well_formed_and_says_the_errors_in_words() -> None:
    picture = ET.fromstring(report.plot(TRIALS))  # noqa: S314 - our own
    title = picture.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text is not None
    assert "Firebox 0, wall time 1, processor time 1" in title.text
    marks = [part for part in picture.iter() if part.tag.endswith(("circle", "rect"))]
    assert len(marks) == 2 * len(TRIALS) + 2  # and two in the legend


@pytest.mark.docker
@pytest.mark.alone
def test_turns_are_measured_and_judged_in_a_real_sandbox(docker_engine: object) -> None:
    idle = LOADS[0]
    trials = run([idle], 1, [0], lambda: None)
    assert [one.need for one in trials] == list(NEEDS)
    clear = [one for one in trials if one.need.seconds != 1.05]
    assert {one.need.too_slow for one in clear} == {True, False}
    assert [one.timed_out for one in clear] == [one.need.too_slow for one in clear]
