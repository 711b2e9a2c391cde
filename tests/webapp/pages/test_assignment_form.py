"""The assignment's form follows the game and the variant, and loses nothing that was typed."""

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from tests.webapp.pages.assignment_form import FORM
from webapp.grading.evaluations.services import request_house
from webapp.teaching.courses.models import Assignment

pytestmark = pytest.mark.django_db

NEW = "/courses/coop/new-assignment/"
EDIT = "/courses/coop/assignments/hanabi/edit/"
HTMX = {"HX-Request": "true"}
HANABI = {**FORM, "variant": "standard", "shown_rules": "hanabi/standard/2"}
HEARTS = {
    **FORM,
    "game": "hearts",
    "variant": "standard",
    "shown_rules": "hearts/standard/4",
    "players": "4",
    "full_mean": "",
    "thresholds": "",
    "n_games": "200",
    "practice_games": "40",
    "smoke_games": "4",
    "opponents": ["hearts/low_card", "hearts/careful", "hearts/guarded"],
    "beaten": "Lola 25: 33\r\nCarla 25: 33\r\nGwen 25: 34",
}


def refresh(client: Client, data: dict[str, Any], address: str = NEW, **changes: Any) -> str:
    """Return the parts that a page with scripts gets once a field is changed."""
    sent = {**data, "refresh": "yes", **changes}
    return text_of(client.post(address, sent, headers=HTMX))


def reload(client: Client, data: dict[str, Any], address: str = NEW, **changes: Any) -> str:
    """Return the page that the button for pages without scripts asks for."""
    return text_of(client.post(address, {**data, "refresh": "yes", **changes}))


def choices(page: str, name: str) -> list[str]:
    """The values that a select offers."""
    found = re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL)
    return re.findall(r'<option value="([^"]*)"', found[0]) if found else []


def selected(page: str, name: str) -> list[str]:
    """The values that a select has chosen."""
    found = re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL)
    return re.findall(r'<option value="([^"]*)" selected', found[0]) if found else []


def typed(page: str, name: str) -> str:
    """The value of an input or a text area."""
    line = re.search(rf'<input [^>]*name="{name}"[^>]*value="([^"]*)"', page)
    found = line or re.search(rf'<textarea name="{name}"[^>]*>\n?(.*?)</textarea>', page, re.DOTALL)
    return unescape(found[1]) if found else ""


def said(page: str, name: str) -> str:
    """The text of an element that has no other elements in it."""
    found = re.search(rf'id="{name}"[^>]*>(.*?)</(?:div|span)>', page, re.DOTALL)
    return re.sub("<[^>]*>", "", unescape(found[1])) if found else ""


# --- What follows -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "variant", "players"),
    [
        ("hanabi", "standard", ["2", "3", "4", "5"]),
        ("hanabi", "gcc", ["2"]),
        ("hearts", "standard", ["2", "3", "4"]),
        ("hearts", "fit2102", ["2", "4"]),
    ],
)
def test_only_the_variants_numbers_of_players_are_offered(
    world: World, game: str, variant: str, players: list[str]
) -> None:
    data = {**HANABI, "game": game, "variant": variant}
    assert choices(reload(signed_in(world.ida), data), "players") == players


def test_players_and_hints_follow_the_variant_and_the_number_of_players(world: World) -> None:
    page = refresh(signed_in(world.ida), HANABI, variant="cs221")
    assert choices(page, "players") == ["2", "3", "4", "5"]
    assert selected(page, "players") == ["3"]
    assert said(page, "id_option_hint_tokens_helptext") == "Stanford CS221 rules: 7"
    assert said(page, "id_option_hand_size_helptext") == "Stanford CS221 rules: 4"
    assert said(page, "id_option_lives_helptext") == "Stanford CS221 rules: none"
    assert said(page, "id_option_five_returns_token_helptext") == "Stanford CS221 rules: no"
    assert "of 3 players, by the standard rules" in said(page, "id_full_mean_helptext")
    page = refresh(signed_in(world.ida), HANABI, players="5")
    assert said(page, "id_option_hand_size_helptext") == "Standard rules: 4"
    assert "of 5 players" in said(page, "id_full_mean_helptext")
    assert choices(page, "players") == []
    page = refresh(signed_in(world.ida), HANABI, variant="gcc")
    assert 'value="hanabi/gcc/2" hx-swap-oob="true"' in " ".join(page.split())
    for name in ("title", "variant", "interfaces", "option_lives", "n_games", "full_mean"):
        assert f'name="{name}"' not in page


def test_interfaces_say_what_they_need_that_the_rules_do_not_give(world: World) -> None:
    client = signed_in(world.ida)
    page = text_of(client.get(NEW))
    assert said(page, "id_needs_python") == said(page, "id_needs_ensta-python") == ""
    assert said(page, "id_needs_uwa-java") == "needs Western Australia rules"
    page = refresh(client, HANABI, variant="uwa", players="3")
    assert said(page, "id_needs_uwa-java") == ""
    assert said(page, "id_needs_gcc-cpp") == "needs Grove City rules and 2 players"
    page = refresh(client, HANABI, variant="uwa", option_hint_tokens="5")
    assert said(page, "id_needs_uwa-java") == "needs Western Australia rules unchanged"
    assert "usual with Python, module hanabi" in said(
        refresh(client, HANABI, variant="ensta"), "id_mode_helptext"
    )
    assert "can play all seats in one process" in said(
        refresh(client, HANABI, variant="cs221"), "id_mode_helptext"
    )


def test_another_game_brings_its_fields_and_defaults(world: World) -> None:
    page = refresh(signed_in(world.ida), HANABI, game="hearts")
    assert 'id="by-game"' in page
    assert 'name="title"' not in page
    assert selected(page, "variant") == ["standard"]
    assert selected(page, "players") == ["4"]
    assert typed(page, "n_games") == "200"
    assert typed(page, "beaten").splitlines()[-1] == "Gwen 25: 34"
    assert said(page, "id_game_helptext") == "Hearts is played against others."
    assert "hyphens: hearts-1." in said(page, "id_slug_helptext")


def test_points_for_opponents_follow_the_players_until_they_are_edited(world: World) -> None:
    client = signed_in(world.ida)
    page = refresh(client, HEARTS, players="2")
    assert typed(page, "beaten").splitlines()[-1] == "Gwen 50: 34"
    assert said(page, "id_n_games_helptext") == "Against each opponent, in full rounds of 2 games."
    assert 'name="beaten"' not in refresh(client, HEARTS, players="2", beaten="hearts/careful 9: 9")


# --- What stays -------------------------------------------------------------------------------


def test_input_stays_without_scripts_too(world: World) -> None:
    changes = {"title": "Mine & yours", "due_at": "not yet", "n_games": "77", "memory_mib": "many"}
    page = reload(signed_in(world.ida), HANABI, game="hearts", **changes)
    assert {name: typed(page, name) for name in changes} == changes
    assert typed(page, "practice_games") == "40"
    assert "Not saved." not in page
    assert 'class="errorlist"' not in page


def test_a_number_of_players_stays_where_the_variant_allows_it(world: World) -> None:
    client = signed_in(world.ida)
    assert selected(refresh(client, HANABI, variant="uwa", players="4"), "players") == ["4"]
    assert selected(refresh(client, HANABI, variant="gcc", players="4"), "players") == ["2"]
    hearts = refresh(client, HEARTS, variant="fit2102", players="3")
    assert selected(hearts, "players") == ["2"]


def test_the_way_to_another_game_and_back_loses_nothing(world: World) -> None:
    client = signed_in(world.ida)
    before = {**HANABI, "mode": "seat", "option_lives": "2", "audited_games": "3"}
    page = reload(client, before, game="hearts")
    kept = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    kept.pop("csrfmiddlewaretoken")
    assert kept == {"mode": "seat", "option_lives": "2"}
    assert typed(page, "audited_games") == "3"
    page = reload(client, {**HEARTS, **kept, "audited_games": "3"}, game="hanabi")
    assert selected(page, "mode") == ["seat"]
    assert typed(page, "option_lives") == "2"
    assert typed(page, "audited_games") == "3"
    assert typed(page, "full_mean") == "15"


def test_asking_for_other_rules_saves_nothing(world: World) -> None:
    client = signed_in(world.ida)
    for address, changes in ((NEW, {"game": "hearts"}), (EDIT, {"variant": "gcc"})):
        before = list(Assignment.objects.values())
        with CaptureQueriesContext(connection) as queries:
            refresh(client, HANABI, address, **changes)
            reload(client, HANABI, address, **changes)
        assert {query["sql"].split()[0] for query in queries} == {"SELECT"}
        assert list(Assignment.objects.values()) == before


def test_an_assignments_own_form_follows_its_variant(world: World) -> None:
    client = signed_in(world.ida)
    page = refresh(client, HANABI, EDIT, variant="gcc", title="Renamed")
    assert choices(page, "players") == ["2"]
    assert said(page, "id_option_colors_helptext") == "Grove City rules: RBGYW"
    back = refresh(client, HANABI, EDIT, variant="standard", shown_rules="hanabi/gcc/2")
    assert choices(back, "players") == ["2", "3", "4", "5"]
    whole = reload(client, HANABI, EDIT, variant="gcc", title="Renamed")
    assert typed(whole, "title") == "Renamed"
    assert 'name="game"' not in whole


def test_means_on_an_assignments_own_deals_are_shown_for_its_own_rules_only(world: World) -> None:
    (run,) = request_house(assignment=world.assignment, by=world.ida, names=["iggi"])
    worlds.play(run)
    client = signed_in(world.ida)
    same, other = (refresh(client, HANABI, EDIT, players=count) for count in ("2", "3"))
    assert "on these graded deals" in said(same, "id_full_mean_helptext")
    assert "of 3 players, by the standard rules" in said(other, "id_full_mean_helptext")


# --- What cannot be ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"variant": "gcc", "players": "4"},
            "Grove City rules are for 2 players. Choose 2 players, or another variant.",
        ),
        (
            {"game": "hearts", "variant": "fit2102", "players": "3"},
            "Monash FIT2102 rules are for 2 or 4 players. Choose 2 or 4 players, or another",
        ),
        (
            {"game": "hearts", "players": "5"},
            "Standard rules are for 2, 3 or 4 players.",
        ),
        (
            {"game": "hearts", "variant": "gcc"},
            "This game has no such variant. Choose one of the list.",
        ),
    ],
)
def test_an_impossible_choice_is_refused_with_what_to_do_and_nothing_is_lost(
    world: World, changes: dict[str, str], words: str
) -> None:
    data = {**HANABI, **changes, "title": "Mine", "n_games": "77"}
    page = text_of(signed_in(world.ida).post(NEW, data))
    assert words in page
    assert "Not saved." in page
    assert (typed(page, "title"), typed(page, "n_games")) == ("Mine", "77")
    assert not Assignment.objects.filter(slug="second").exists()


def test_a_refused_number_of_players_stays_selected(world: World) -> None:
    data = {**HANABI, "variant": "gcc", "players": "4"}
    page = text_of(signed_in(world.ida).post(NEW, data))
    assert choices(page, "players") == ["2", "4"]
    assert selected(page, "players") == ["4"]


@pytest.mark.parametrize(
    "changes",
    [
        {"shown_rules": ""},
        {"shown_rules": "chess/standard/2"},
        {"shown_rules": "hanabi/gcc/9"},
        {"shown_rules": "hanabi/gcc/" + "9" * 5000},
        {"players": "9" * 5000},
        {"players": "-1"},
        {"players": ""},
        {"variant": "nonsense"},
        {"game": "chess"},
        {"option_hand_size": "much"},
        {"option_hand_size": "99", "option_lives": "-1"},
        {"interfaces": ["nonsense"]},
    ],
)
def test_nonsense_is_shown_again_without_complaint(world: World, changes: dict[str, Any]) -> None:
    page = reload(signed_in(world.ida), HANABI, **changes)
    assert 'id="by-game"' in page
    assert selected(page, "players") == ["2"]


def test_a_change_that_was_saved_meanwhile_is_not_overwritten_unseen(world: World) -> None:
    client = signed_in(world.ida)
    seen = seen_in(text_of(client.get(EDIT)))
    mine = {**HANABI, "slug": "hanabi", "title": "Mine", "seen": seen}
    Assignment.objects.update(description="Of a colleague")
    page = text_of(client.post(EDIT, {**mine, "variant": "nonsense"}))
    assert "have been saved elsewhere since you opened this page" in page
    assert "Description" in page.partition("These fields differ: ")[2].partition(".")[0]
    assert 'value="Mine"' in page
    assert not Assignment.objects.filter(title="Mine").exists()
    told = seen_in(page)
    assert told != seen
    assert seen_in(reload(client, mine, EDIT)) == seen  # nothing was said yet: it is later
    client.post(EDIT, {**mine, "seen": told})
    assert Assignment.objects.get().title == "Mine"


def seen_in(page: str) -> str:
    found = re.search(r'name="seen" value="(\w+)"', page)
    assert found is not None
    return found[1]
