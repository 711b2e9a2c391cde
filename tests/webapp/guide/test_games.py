"""The pages on rules, and on agents in Python: options, types and examples."""

import typing
from dataclasses import fields

import pytest

from firebox import Context, hanabi, hearts
from grader.core.deals import REFERENCE_SECRET, deal_seed
from grader.core.games import GAMES, game_from_options
from grader.house.catalogue import fitting
from grader.play.players import LocalPlayer, play_game
from tests.suite.test_language import ROOT
from tests.webapp.guide.reading import plain, text_of
from webapp.pages.guide import tables
from webapp.pages.guide.api import api_tables
from webapp.pages.guide.examples.cautious import Cautious
from webapp.pages.guide.pages import PAGES, rules_page

pytestmark = pytest.mark.django_db
HANABI = game_from_options("hanabi", {"variant": "standard", "players": 2})
HEARTS = game_from_options("hearts", {"hands": 1})
SEED = deal_seed(REFERENCE_SECRET, 0)
HANABI_TYPES = [Context, hanabi.Observation, hanabi.Hand, hanabi.Knowledge, hanabi.Card,
                *hanabi.ACTION_TYPES, *typing.get_args(hanabi.Event)]  # fmt: skip
HEARTS_TYPES = [hearts.Observation, hearts.Card, *hearts.ACTION_TYPES,
                *typing.get_args(hearts.Event)]  # fmt: skip
AGENT_SIDE = [
    *(("hanabi", "python", cls) for cls in HANABI_TYPES),
    *(("hearts", "hearts-agents", cls) for cls in HEARTS_TYPES),
]


@pytest.mark.parametrize(("game", "slug", "cls"), AGENT_SIDE)
def test_every_field_of_what_an_agent_is_given_and_returns_has_a_sentence(
    game: str, slug: str, cls: type
) -> None:
    (table,) = [each for each in api_tables(game) if each.name.partition("(")[0] == cls.__name__]
    meanings = {row.signature.partition("(")[0]: row.meaning for row in table.rows}
    public = {name for name in (*cls.__annotations__, *vars(cls)) if not name.startswith("_")}
    assert public - {"from_wire"} <= meanings.keys()
    assert all(meaning.endswith(".") for meaning in meanings.values())
    text = text_of(slug)
    assert all(plain(meaning) in text for meaning in meanings.values())


def test_every_option_and_variant_of_the_rules_is_there() -> None:
    text = text_of("rules")
    for name in (*HANABI.options, *GAMES["hanabi"].variants()):
        assert name in text


def test_the_first_page_names_every_game(monkeypatch: pytest.MonkeyPatch) -> None:
    three = [GAMES["hearts"], GAMES["hanabi"], GAMES["hearts"]]
    monkeypatch.setattr(tables, "GAMES", dict(enumerate(three)))
    assert "plays a card game: Hearts, Hanabi or Hearts, as" in text_of("start")


def test_the_readme_names_every_game() -> None:
    readme = " ".join((ROOT / "README.md").read_text().split())
    titles = [game.title for game in GAMES.values()]
    assert f"The games are {', '.join(titles[:-1])} and {titles[-1]}," in readme


def test_the_pages_on_rules_are_one_for_each_game() -> None:
    assert {entry.rules_of for entry in PAGES} - {""} == set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_a_page_on_rules_has_every_option_variant_ending_and_house_agent(game: str) -> None:
    page, rules = text_of(rules_page(game)), GAMES[game]
    for name in fields(rules.options_type):
        assert name.name in page, name.name
    for variant in rules.variants():
        assert variant in page
    opponents = fitting(rules.from_options({})) if rules.competitive else ()
    for name in (*opponents, *(map(str, rules.endings) if rules.competitive else ())):
        assert name in page, name


def test_the_page_on_agents_for_hearts_has_every_event_action_and_field() -> None:
    page = text_of("hearts-agents")
    state = HEARTS.deal(SEED)
    assert all(field in page for field in state.observe(0))
    while state.seat_to_act is not None:
        state.apply(state.legal_actions()[0])
    for event in state.events(0):
        assert event["type"] in page
        assert all(field in page for field in event), event


@pytest.mark.slow
def test_the_example_agent_plays_well_enough_to_be_an_example() -> None:
    scores = [
        play_game(
            HANABI, deal_seed(REFERENCE_SECRET, index), [LocalPlayer(Cautious) for _ in range(2)]
        ).scores[0]
        for index in range(20)
    ]
    assert sum(scores) / len(scores) > 10
