"""``firebox hostile``: what it plays, what it says, how it ends."""

from pathlib import Path

import pytest

from grader.hostile.report import HostileRow, report
from tests.grader.cli.conftest import Firebox

GOOD = HostileRow(
    name="time/sleeps",
    tries="Sleeps.",
    declared="idle",
    verdicts=("idle", "idle"),
    deviations=(),
    seconds=1.2,
)
BAD = HostileRow(
    name="files/reads",
    tries="Reads.",
    declared="contained",
    verdicts=("crash", "contained"),
    deviations=("crash: ESCAPED: \x1b[2J",),
    seconds=0.5,
)


def test_the_table_ends_with_the_number_of_deviations() -> None:
    lines = list(report([GOOD, BAD]))
    assert lines[0].startswith("ok      time/sleeps")
    assert "idle 2/2" in lines[0]
    assert lines[1].startswith("FAILED  files/reads")
    assert lines[2].strip() == "crash: ESCAPED: \\x1b[2J"
    assert lines[-1] == "2 programs, 1 deviation."


@pytest.mark.docker
def test_one_program_is_played_and_holds(firebox: Firebox) -> None:
    run = firebox("hostile", "--only", "protocol/exits_with_three", "--repeats", 1, "--json")
    assert run.status == 0
    (row,) = run.json
    assert (row["name"], row["verdicts"], row["deviations"]) == (
        "protocol/exits_with_three",
        ["crash"],
        [],
    )


@pytest.mark.docker
def test_one_channel_is_measured(firebox: Firebox) -> None:
    run = firebox("hostile", "--channels", "--only", "descriptors", "--json")
    assert run.status == 0
    (leak,) = run.json
    assert (leak["channel"], leak["games"], leak["bits"]) == ("descriptors", 60, 3840)


def test_a_folder_without_programs_is_refused(firebox: Firebox, tmp_path: Path) -> None:
    run = firebox("hostile", tmp_path)
    assert run.status == 2
    assert "holds no hostile agents" in run.err


def test_a_name_that_matches_no_program_is_refused(firebox: Firebox) -> None:
    run = firebox("hostile", "--only", "no such program")
    assert run.status == 2
    assert "--only" in run.err


@pytest.mark.parametrize("arguments", [(), ("--channels",)])
def test_a_wrong_setting_of_cores_is_explained(
    firebox: Firebox, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIREBOX_CORES", "0-5000")
    run = firebox("hostile", *arguments)
    assert run.status == 2
    assert run.err.startswith("firebox: FIREBOX_CORES=0-5000: this host offers")
