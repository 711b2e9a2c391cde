"""The harness of the benchmarks: what it prints and keeps, and benchmarks that run for real."""

import json
import sys
from pathlib import Path

import pytest

from tests.bench import clock, queue, rules
from tests.bench.__main__ import BENCHMARKS, main
from tests.bench.harness import FOLDER, Measurement, draw, measure
from tests.bench.loads import LOADS
from tests.bench.queue import CORES


def test_medians_goals_and_ratios_of_rounds_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    figures = iter([{"a": 3.0}, {"a": 2.0}])
    kept = measure([Measurement("start", lambda: next(figures), 2, {"a": "≤ 4"})])
    assert "start a 2.50 (2–3) ≤ 4" in " ".join(capsys.readouterr().out.split())
    assert kept["figures"] == {"start": {"a": [3.0, 2.0]}}


def test_the_page_of_results_is_drawn_from_what_was_kept() -> None:
    assert (FOLDER / "RESULTS.md").read_text(encoding="utf-8") == draw()


def test_an_unknown_benchmark_is_answered_with_the_known_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "speed"])
    with pytest.raises(SystemExit, match=r"where NAME is one of:\n  games"):
        main()


def test_every_benchmark_is_a_module() -> None:
    missing = [name for name in BENCHMARKS if not (FOLDER / f"{name}.py").is_file()]
    assert missing == []


@pytest.mark.slow
def test_every_engine_plays_random_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "GAMES", {"hanabi": ("hanabi(players=2)", 5)})
    figures = rules._figures("hanabi", {"Python": "", "OpenSpiel": None})
    assert len(figures) == 4
    assert min(figures.values()) > 0


def test_the_fair_queue_answers_sooner_before_a_deadline() -> None:
    before, fair = (queue._uploading(CORES[1], fair=fair, count=300) for fair in (False, True))
    assert fair["verdict p95, s"] <= before["verdict p95, s"]


@pytest.mark.docker
@pytest.mark.slow
def test_this_version_and_another_play_by_turns(
    docker_engine: object,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    file = tmp_path / "figures.json"
    options = ["--against", "HEAD", "--games", "2", "--rounds", "1", "--output", str(file)]
    monkeypatch.setattr(sys, "argv", ["bench", "games", *options])
    main()
    assert "/ HEAD" in capsys.readouterr().out
    figures = json.loads(file.read_text())["figures"]
    assert len(figures) == 6
    seats = figures["2 seats"]
    assert seats["games/s"][0] > 0
    assert seats["games/s, HEAD"][0] > 0
    monkeypatch.setattr(sys, "argv", ["bench", "games", "--against", "no-such-revision"])
    with pytest.raises(SystemExit, match="git cannot check no-such-revision out"):
        main()


@pytest.mark.docker
@pytest.mark.alone
def test_turns_are_measured_and_judged_in_a_real_sandbox(docker_engine: object) -> None:
    trials = clock.run([LOADS[0]], 1, [0])
    assert [one.need for one in trials] == list(clock.NEEDS)
    clear = [one for one in trials if one.need.seconds != 1.05]
    assert {one.need.too_slow for one in clear} == {True, False}
    assert [one.timed_out for one in clear] == [one.need.too_slow for one in clear]
