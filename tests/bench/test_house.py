"""The benchmark of the house agents: what it plans, and that its figures do not hang on cores."""

from pathlib import Path

import pytest

from grader.core.records import from_json
from grader.house.measured import HouseLadder
from tests.bench import house
from tests.bench.house import Trial, main, measure, play


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
    (rung,) = from_json(file.read_text(), HouseLadder).rungs
    assert (rung.agent, rung.variant, rung.players, rung.games.n) == ("outer", "gcc", 2, 2)


def test_one_agents_figures_are_put_among_those_of_others(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    for names in (["outer", "piers"], ["iggi"], ["piers"]):
        games = "3" if names == ["piers"] else "2"
        main([*names, "--variant", "gcc", "--games", games, "--output", str(file)])
    rungs = from_json(file.read_text(), HouseLadder).rungs
    assert [(rung.agent, rung.games.n) for rung in rungs] == [
        ("outer", 2), ("iggi", 2), ("piers", 3),
    ]  # fmt: skip


def test_figures_of_other_rules_are_not_kept(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    ours = ["--variant", "gcc", "--games", "2", "--output", str(file)]
    main(["outer", *ours])
    file.write_text(file.read_text().replace('"rules_version":1', '"rules_version":0'))
    main(["iggi", *ours])
    assert [rung.agent for rung in from_json(file.read_text(), HouseLadder).rungs] == ["iggi"]


def test_figures_of_other_deals_are_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    with pytest.raises(SystemExit):
        main(["outer", "--games", "2", "--first", "7", "--output", str(file)])
    assert "leave out --first" in capsys.readouterr().err
    assert not file.exists()
