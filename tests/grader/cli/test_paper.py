"""Lin and Xu's strategies beside the figures of their paper."""

import json
from typing import Any

import pytest

from grader.cli.paper import main


@pytest.fixture
def out(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs the report with these arguments; what it prints."""

    def run(*arguments: object) -> str:
        assert main([str(argument) for argument in arguments]) == 0
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
    rows = json.loads(out("--games", 3, "--trials", 2, "--players", 3, "--json"))
    assert [row["players"] for row in rows] == [3] * 6
    assert {row["games"]["n"] for row in rows} == {3}
    assert {row["trials"]["n"] for row in rows} == {2}
    assert rows[1]["strategy"] == "oracle"
    assert rows[1]["paper"] == 24.7


def test_the_same_deals_give_the_same_table(out: Any) -> None:
    command = ("--games", 3, "--trials", 2, "--seed", 5, "--strategy", "state_guess")
    assert out(*command) == out(*command)


def test_more_trials_than_games_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "3", "--trials", "4"]) == 2
    assert "--trials is 4; it must be between 1 and --games, 3" in capsys.readouterr().err
