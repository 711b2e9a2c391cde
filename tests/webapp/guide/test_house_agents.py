"""The pages on house agents: their figures are those that were measured."""

import json
import re
from pathlib import Path

import pytest
from django.test import Client

from grader import house
from grader.cli.paper import measure
from grader.core.games import GAMES, game_from_options
from grader.core.records import to_json
from grader.house import cs221
from grader.house.catalogue import fitting, title_of
from grader.house.measured import ladder
from grader.results.statistics import summarise
from tests.bench.practice import BOUND, PLAYERS, SIZES
from tests.support import pages
from tests.webapp.guide.reading import text_of
from webapp.pages.guide.interfaces import MEASURED
from webapp.pages.guide.pages import house_agents_address
from webapp.pages.guide.tables import strength

pytestmark = pytest.mark.django_db


def test_the_papers_figures_are_beside_ours() -> None:
    text = text_of("cs221-python")
    for row in json.loads(MEASURED.read_text())["rows"]:
        of_paper = f"{row['paper']:g}"
        assert f"{row['strategy']}{of_paper}{spread(row['trials'])}{spread(row['games'])}" in text


def test_the_page_on_grades_says_how_near_the_first_practice_deals_are() -> None:
    text = " ".join(text_of("grades").split())
    assert (PLAYERS, BOUND) == ((2, 3, 4, 5), 0.5)
    assert "with two to five players, the means of our house agents on the first" in text
    assert "{}, {} and {} are all within half a standard error".format(*SIZES) in text


def spread(summary: dict[str, float]) -> str:
    return f"{summary['mean']:.2f} ± {summary['sd']:.2f}"


def test_the_strategies_own_readme_has_the_same_figures() -> None:
    readme = Path("grader/house/cs221/README.md").read_text()
    for row in json.loads(MEASURED.read_text())["rows"]:
        begin = f"| {row['strategy']} | {row['players']} | {row['paper']:g} |"
        more = row["games"]["mean"] - row["paper"]
        signed = f"{'+' if more >= 0 else '−'}{abs(more):.2f}"
        (line,) = [line for line in readme.splitlines() if line.startswith(begin)]
        assert f" {spread(row['trials'])} | {spread(row['games'])} |" in line
        assert line.endswith(f"| {signed} |")


def test_every_strategy_is_there_with_either_number_of_players() -> None:
    report = json.loads(MEASURED.read_text())
    titles = [strategy.title for strategy in cs221.NAMES.values()]
    for players in (4, 3):
        rows = [row["strategy"] for row in report["rows"] if row["players"] == players]
        assert rows == titles
    assert (report["n_trials"], report["n_games"]) == (100, 1000)


def test_charts_of_the_paper_are_readable_without_seeing_them() -> None:
    page = pages.text_of(Client().get("/guide/cs221-python/"))
    assert page.count("Scores of 1,000 games: from ") == 2 * 12


@pytest.mark.slow
@pytest.mark.parametrize("name", ["random_legal", "internal_state"])
def test_the_same_deals_give_the_figures_of_the_page_again(name: str) -> None:
    report = json.loads(MEASURED.read_text())
    secret = bytes.fromhex(report["secret"])
    scores = list(measure(name, 4, secret, range(report["n_trials"])))
    row = next(row for row in report["rows"] if row["strategy"] == cs221.NAMES[name].title)
    assert to_json(summarise(scores)) == json.dumps(row["trials"], separators=(",", ":"))


def test_the_guide_has_the_measured_scores_of_house_agents() -> None:
    text = text_of("house-agents", between_tags=" ")
    for name, description in house.family("hanabi").names.items():
        assert f"house:{name}" in text
        assert description.lower() in text.lower()
    for rung in ladder("hanabi").rungs:
        figure = rf"{rung.games.mean:.2f} +± {rung.games.half_width:.2f}"
        assert re.search(rf"{title_of(rung.agent)} .*{figure}", text), rung


def test_every_variant_that_was_measured_has_a_table_of_its_own() -> None:
    page = pages.text_of(Client().get("/guide/house-agents/"))
    variants = dict.fromkeys(rung.variant for rung in ladder("hanabi").rungs)
    for variant in variants:
        assert f'id="{variant}-caption"' in page
    assert {*variants, "ensta"} == set(GAMES["hanabi"].variants())


def test_the_variant_that_was_not_measured_differs_by_the_order_of_colours_alone() -> None:
    ours, theirs = (
        dict(game_from_options("hanabi", {"variant": name}).options)
        for name in ("standard", "ensta")
    )
    differs = {name for name in ours if ours[name] != theirs[name]}
    assert differs == {"variant", "colors"}


@pytest.mark.parametrize("slug", ["rules", "instructors", "tournaments"])
def test_pages_that_speak_of_house_agents_lead_to_them(slug: str) -> None:
    assert 'href="/guide/house-agents/' in pages.text_of(Client().get(f"/guide/{slug}/"))


@pytest.mark.parametrize("game", GAMES)
def test_a_games_pages_lead_to_the_text_on_its_house_agents(game: str) -> None:
    address = house_agents_address(game)
    page, part = pages.text_of(Client().get(address)), address.partition("#")[2]
    assert not part or f'id="{part}"' in page
    assert all(f"house:{name}" in page for name in fitting(game_from_options(game, {})))


def test_the_page_on_hearts_shows_how_strong_our_agents_are() -> None:
    page, text = pages.text_of(Client().get("/guide/hearts/")), text_of("hearts")
    for players, even in ((2, "13 is even"), (4, "6.5 is even")):
        assert f'id="points-{players}-caption"' in page
        assert f'id="won-{players}-caption"' in page
        assert even in text
    grids = strength("hearts")["grids"]
    cells = [cell for grid in grids for _, row in grid["rows"] for cell in row if cell]
    n_agents = len(house.family("hearts").names)
    assert len(cells) == 2 * n_agents * (n_agents - 1)
    assert all(f"{cell['points']:.1f} ± {cell['points_half_width']:.1f}" in text for cell in cells)
