"""The benchmark of the house agents: what it plans, and that its figures do not hang on cores."""

from pathlib import Path

import pytest

from grader.bench import house
from grader.bench.house import Trial, main, measure, play, trials
from grader.core.records import from_json
from grader.house.measured import Ladder


def test_variants_are_played_with_the_numbers_of_players_that_they_know() -> None:
    deals = range(5, 12)
    planned = list(trials(["iggi"], ["standard", "gcc"], [2, 3], deals=deals))
    assert planned == [
        Trial(agent="iggi", variant="standard", players=2, deals=deals),
        Trial(agent="iggi", variant="standard", players=3, deals=deals),
        Trial(agent="iggi", variant="gcc", players=2, deals=deals),
    ]


@pytest.mark.slow
def test_processes_that_share_the_games_find_what_one_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(house, "_CHUNK", 25)
    trial = Trial(agent="random_legal", variant="cs221", players=2, deals=range(60))
    (rung,) = measure([trial], 2)
    scores = play(trial).scores
    assert (rung.games.n, rung.games.total) == (60, sum(scores))
    assert dict(rung.games.histogram)[max(scores)] == scores.count(max(scores))


def test_the_figures_are_kept_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    main(["outer", "--variant", "gcc", "--games", "2", "--output", str(file)])
    (rung,) = from_json(file.read_text(), Ladder).rungs
    assert (rung.agent, rung.variant, rung.players, rung.games.n) == ("outer", "gcc", 2, 2)
