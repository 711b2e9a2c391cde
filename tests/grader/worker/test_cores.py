"""The setting for the processors that play games."""

import os

import pytest

from grader.worker.cores import cores_from_environment

USABLE = sorted(os.sched_getaffinity(0))


@pytest.mark.parametrize("text", ["{}", " {} ", "{0}-{0}", " {0} - {0} ", "{0},{0}"])
def test_a_list_of_cores_and_ranges_names_cores(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIREBOX_CORES", text.format(USABLE[0]))
    assert cores_from_environment() == (USABLE[0],)


@pytest.mark.parametrize("text", ["0-", "-0", "0--0", "0-0-", "0,", "\N{SUPERSCRIPT TWO}", "1 2"])
def test_a_part_that_is_no_number_and_no_range_is_refused_by_name(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIREBOX_CORES", text)
    with pytest.raises(ValueError, match=r"FIREBOX_CORES: .* is neither a number nor a range"):
        cores_from_environment()


def test_a_core_that_the_host_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIREBOX_CORES", "0-5000")
    with pytest.raises(ValueError, match="this host offers"):
        cores_from_environment()
