"""Suites that are not run again: what a stamp depends on, and who leaves one."""

import json
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest

from tests.support import green
from tests.support.every import every
from tests.support.kept_builds import ROOT

CHANGES = (
    "sandbox/seccomp.py",
    "sandbox/clock.py",
    "sandbox/inside/supervisor.py",
    "sandbox/images/java/boot/Boot.java",
    "sandbox/images/python/image.toml",
    "sandbox/images/steps.sh",
    "grader/core/games/hanabi/rules.py",
    "grader/core/deals.py",
    "grader/play/games.py",
    "grader/uploads/zip_reader.py",
    "grader/interfaces/uwa_java/hanabAI/State.java",
    "grader/interfaces/gcc_cpp/gcc_cpp/adapter.cpp",
    "grader/interfaces/python/firebox/adapter.py",
    "grader/house/catalogue.py",
    "grader/worker/requests.py",
    "grader/viewer/text.js",
    "tests/hostile/time/busy_loop.py",
    "tests/bench/synthetic.py",
    "tests/support/slots.py",
    "tests/conftest.py",
    "requirements.lock",
    "deploy/dev/setup.sh",
)
"""Files of all kinds; a change in any of them must have the suites run."""
FILES = dict.fromkeys((*CHANGES, "webapp/pages/views.py", "CHANGELOG.md"), b"as it was\n")


@every("changed", CHANGES)
def test_a_change_of_what_suites_depend_on_is_another_digest(changed: str) -> None:
    assert green.digest_of({**FILES, changed: b"broken\n"}) != green.digest_of(FILES)
    without = {name: content for name, content in FILES.items() if name != changed}
    assert green.digest_of(without) != green.digest_of(FILES)


def test_a_change_of_the_site_alone_is_the_same_digest() -> None:
    assert green.digest_of({**FILES, "webapp/pages/views.py": b""}) == green.digest_of(FILES)


def test_tests_that_reach_the_site_are_in_no_suite() -> None:
    modules = {
        path.relative_to(ROOT).as_posix() for name in green.SUITES for path in green.members(name)
    }
    assert "tests/hostile/test_hostile.py" in modules
    assert "tests/grader/viewer/test_page.py" not in modules
    assert all("webapp" not in (ROOT / module).read_text() for module in modules)


@every("line", ["from tests.support import once, world", "    import tests.support.world"])
def test_the_site_is_reached_by_any_kind_of_import(line: str) -> None:
    with NamedTemporaryFile("w", suffix=".py") as module:
        print(line, file=module, flush=True)
        assert green._reaches_site(Path(module.name))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of the tests, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(green, "_files", lambda: dict(FILES))
    green.plan(tmp_path, tmp_path / "green")
    assert (tmp_path / "green").read_text() == ""
    return tmp_path


def test_suites_without_a_failure_are_left_out_until_something_changes(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (run / "red").write_text("tests/hostile/test_hostile.py\ntests/webapp/test_demo.py\n")
    green.stamp(run, run / "red")
    green.plan(run, run / "green")
    left_out = (run / "green").read_text().splitlines()
    assert {Path(name).relative_to(ROOT).parts[1] for name in left_out} == {
        "sandbox", "channels", "grader", "bench",
    }  # fmt: skip
    assert "sandbox: green for " in capsys.readouterr().out
    monkeypatch.setattr(green, "_files", lambda: {**FILES, "sandbox/clock.py": b"broken\n"})
    green.plan(run, run / "green")
    assert (run / "green").read_text() == ""


def test_code_that_changes_while_its_tests_run_gets_no_stamp(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(green, "_files", lambda: {**FILES, "grader/core/deals.py": b"new\n"})
    green.stamp(run, run / "red")
    assert not list(green.stamps().glob("*"))


def test_a_stamp_that_cannot_be_read_is_none(run: Path) -> None:
    green.stamps().mkdir(parents=True)
    (green.stamps() / "grader.json").write_text(json.dumps([1]))
    (green.stamps() / "hostile.json").write_text("{")
    green.plan(run, run / "green")
    assert (run / "green").read_text() == ""
