"""Lin and Xu's strategies beside the figures of their paper."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.cli import main
from webapp.pages.guide.interfaces import MEASURED

pytestmark = pytest.mark.slow


@pytest.fixture
def out(capsys: pytest.CaptureFixture[str]) -> Any:
    def run(*arguments: object) -> str:
        assert main(["paper", *map(str, arguments)]) == 0
        return capsys.readouterr().out

    return run


def test_the_table_has_the_papers_figures_and_ours(out: Any) -> None:
    text = out("--games", 4, "--trials", 2, "--strategy", "random_legal", "--strategy", "oracle")
    lines = text.splitlines()
    assert lines[0] == "4 players: mean ± standard deviation"
    assert lines[1].split()[:2] == ["strategy", "the"]
    assert "2 trials" in lines[1]
    assert "4 games" in lines[1]
    assert lines[2].split()[:2] == ["random", "6.0"]
    assert lines[3].split()[:2] == ["oracle", "25.0"]
    assert "3 players: mean ± standard deviation" in lines
    assert "oracle, 3 players, 4 games" in lines
    assert "█" in text


def test_figures_come_as_json_too(out: Any) -> None:
    report = json.loads(out("--games", 3, "--trials", 2, "--players", 3, "--json"))
    rows = report["rows"]
    assert (report["variant"], report["n_games"], report["n_trials"]) == ("cs221", 3, 2)
    assert [row["players"] for row in rows] == [3] * 6
    assert {row["games"]["n"] for row in rows} == {3}
    assert {row["trials"]["n"] for row in rows} == {2}
    assert rows[1]["strategy"] == "oracle"
    assert rows[1]["paper"] == 24.7


def test_the_default_deals_are_those_of_the_guides_figures(out: Any) -> None:
    report = json.loads(out("--games", 1, "--trials", 1, "--strategy", "oracle", "--json"))
    assert report["secret"] == json.loads(MEASURED.read_text(encoding="utf-8"))["secret"]


def test_the_same_deals_give_the_same_table(out: Any) -> None:
    command = ("--games", 3, "--trials", 2, "--seed", 5, "--strategy", "state_guess")
    assert out(*command) == out(*command)


def test_more_trials_than_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", "--games", "3", "--trials", "4"]) == 2
    assert "--trials is 4; it must be between 1 and --games, 3" in capsys.readouterr().err


def test_figures_are_kept_in_a_file_that_names_no_day(out: Any, tmp_path: Path) -> None:
    command = ("--games", 2, "--trials", 2, "--strategy", "oracle", "--output")
    out(*command, tmp_path / "first.json")
    out(*command, tmp_path / "second.json")
    text = (tmp_path / "first.json").read_text()
    assert text == (tmp_path / "second.json").read_text()
    assert json.loads(text)["rows"][0]["games"]["n"] == 2


def test_a_file_that_cannot_be_written_is_refused_before_any_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["paper", "--output", str(tmp_path / "nowhere" / "figures.json")]) == 2
    assert "its folder does not exist" in capsys.readouterr().err
