"""The bench of the rules alone: every engine plays the same kind of games."""

from io import StringIO

import pytest
from rich.console import Console

from grader.bench import rules
from grader.bench.rules import Engine, RandomGames

FASTER = RandomGames(games=10, actions=100, seconds=1.0)
SLOWER = RandomGames(games=10, actions=200, seconds=4.0)


@pytest.mark.slow
def test_every_engine_plays_in_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "GAMES", {"hanabi": ("hanabi(players=2)", 5)})
    monkeypatch.setattr(rules, "_compiled", lambda _: [])  # tests/grader/test_compiled.py compiles
    figures = rules.play_rounds("hanabi", rounds=2)
    assert list(figures) == [Engine.PYTHON, Engine.OPENSPIEL]
    assert [len(runs) for runs in figures.values()] == [2, 2]
    assert all(run.games == 5 and run.actions >= 15 for runs in figures.values() for run in runs)


def test_ratios_are_to_openspiels_games_of_the_same_round() -> None:
    figures = {"hanabi": {Engine.PYTHON: [SLOWER, FASTER], Engine.OPENSPIEL: [FASTER, FASTER]}}
    text = _printed(figures)
    assert "0.62 (0.25–1.00)" in text  # games
    assert "0.75 (0.50–1.00)" in text  # actions


def test_without_openspiel_there_are_no_ratios() -> None:
    (row,) = [
        line
        for line in _printed({"hanabi": {Engine.PYTHON: [FASTER]}}).splitlines()
        if "hanabi" in line
    ]
    assert [cell.strip() for cell in row.split("│")][-3:-1] == ["–", "–"]


def _printed(figures: dict[str, dict[Engine, list[RandomGames]]]) -> str:
    console = Console(file=StringIO(), width=160)
    console.print(rules.table(figures))
    output = console.file
    assert isinstance(output, StringIO)
    return output.getvalue()
