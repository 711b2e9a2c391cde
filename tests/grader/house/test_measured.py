"""The file of what house agents score: complete, true, and nowhere contradicted."""

import re
from importlib import resources
from statistics import fmean

import pytest

from grader import house
from grader.core.deals import REFERENCE_SECRET
from grader.core.games import GAMES
from grader.house.catalogue import AGENTS
from grader.house.measured import Rung, ladder
from tests.bench.house import Trial, play
from tests.support.depth import deeper
from tests.support.every import every

README = resources.files(house.family("hanabi").package) / "README.md"
ROW = re.compile(r"^\| `(\w+)` \| ([\d. |]+) \|$", re.MULTILINE)
SEATS = (2, 3, 4, 5)
DEALS = deeper(12, deep=300)
LEAST = {
    "convention_1": (21.30, 22.46, 21.87, 20.35),
    "convention_2": (22.88, 23.11, 22.25, 20.33),
    "convention": (23.13, 23.30, 22.47, 20.72),
    "recommendation": (0.0, 22.65, 23.56, 23.02),
}
"""What such agents are known to reach, with 2 to 5 players; means of 3000 games, ± 0.06."""


def standard(name: str, players: int) -> Rung:
    (rung,) = [
        each
        for each in ladder("hanabi").of("standard")
        if (each.agent, each.players) == (name, players)
    ]
    return rung


def test_every_agent_is_measured_with_every_number_of_players() -> None:
    for variant, counts in (("standard", SEATS), ("gcc", (2,)), ("uwa", SEATS), ("cs221", SEATS)):
        rungs = [(rung.agent, rung.players) for rung in ladder("hanabi").of(variant)]
        assert rungs == [
            (name, players) for name in house.family("hanabi").names for players in counts
        ]


def test_the_figures_are_of_equally_many_games_by_the_rules_and_deals_of_today() -> None:
    (games,) = {rung.games.n for rung in ladder("hanabi").rungs}
    assert games >= 10_000
    assert f"means of {games:,} games" in README.read_text()
    report = ladder("hanabi")
    assert report.rules_version == GAMES[report.game].rules_version
    assert bytes.fromhex(report.secret) == REFERENCE_SECRET


def test_means_and_shares_follow_from_the_histograms() -> None:
    for rung in ladder("hanabi").rungs:
        games = dict(rung.games.histogram)
        assert sum(games.values()) == rung.games.n
        assert rung.games.mean == sum(score * n for score, n in games.items()) / rung.games.n
        assert (rung.perfect, rung.games.lost) == (games.get(25, 0), games.get(0, 0))
        assert rung.cpu_ms > 0


@pytest.mark.parametrize("name", LEAST)
def test_agents_reach_the_published_means_of_their_kind(name: str) -> None:
    for players, least in zip(SEATS, LEAST[name], strict=True):
        mean = standard(name, players).games.mean
        assert mean is not None
        assert mean > least - 0.06


@every("name", [name for name in house.family("hanabi").names if name != "random_legal"])
def test_agents_among_copies_of_themselves_hardly_ever_strike_out(name: str) -> None:
    for players in SEATS:
        games = standard(name, players).games
        assert games.lost <= games.n / 500


@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("name", house.family("hanabi").names)
@pytest.mark.slow
def test_the_first_deals_played_again_agree_with_the_file(name: str, players: int) -> None:
    games = standard(name, players).games
    again = play(Trial(agent=name, variant="standard", players=players, deals=range(DEALS)))
    assert games.mean is not None
    assert games.sd is not None
    assert abs(fmean(again.scores) - games.mean) <= 4 * games.sd / DEALS**0.5
    assert set(again.scores) <= {score for score, _ in games.histogram}


@every("name", house.family("hanabi").names)
def test_the_catalogue_has_the_means_of_the_file(name: str) -> None:
    assert AGENTS[name].means == {players: standard(name, players).games.mean for players in SEATS}


def test_the_readme_has_the_means_of_the_file() -> None:
    told = {name: row.split(" | ") for name, row in ROW.findall(README.read_text())}
    assert told == {
        name: [f"{standard(name, players).games.mean:.2f}" for players in SEATS]
        for name in house.family("hanabi").names
    }
