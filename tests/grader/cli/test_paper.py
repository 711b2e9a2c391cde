"""``firebox paper``: the strategies beside the figures of their paper."""

from tests.grader.cli.conftest import Firebox


def test_the_table_has_the_papers_figures_and_ours(firebox: Firebox) -> None:
    run = firebox(
        "paper", "--games", 4, "--trials", 2, "--strategy", "random_legal", "--strategy", "oracle"
    )
    assert run.status == 0
    lines = run.out.splitlines()
    assert lines[0] == "4 players: mean ± standard deviation"
    assert lines[1].split()[:2] == ["strategy", "the"]
    assert "2 trials" in lines[1]
    assert "4 games" in lines[1]
    assert lines[2].split()[:2] == ["random", "6.0"]
    assert lines[3].split()[:2] == ["oracle", "25.0"]
    assert "3 players: mean ± standard deviation" in lines
    assert "oracle, 3 players, 4 games" in lines
    assert "█" in run.out


def test_figures_come_as_json_too(firebox: Firebox) -> None:
    run = firebox("paper", "--games", 3, "--trials", 2, "--players", 3, "--json")
    rows = run.json
    assert [row["players"] for row in rows] == [3] * 6
    assert {row["games"]["n"] for row in rows} == {3}
    assert {row["trials"]["n"] for row in rows} == {2}
    assert rows[1]["strategy"] == "oracle"
    assert rows[1]["paper"] == 24.7


def test_the_same_deals_give_the_same_table(firebox: Firebox) -> None:
    command = ("paper", "--games", 3, "--trials", 2, "--seed", 5, "--strategy", "state_guess")
    assert firebox(*command).out == firebox(*command).out


def test_more_trials_than_games_are_refused(firebox: Firebox) -> None:
    run = firebox("paper", "--games", 3, "--trials", 4)
    assert run.status == 2
    assert "--trials is 4; it must be between 1 and --games, 3" in run.err
