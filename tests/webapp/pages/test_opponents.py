"""Pages about a game that is played against others, as their readers see them."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.support import opponents
from tests.support.opponents import ASSIGNMENT, OPPONENTS, Table
from tests.support.pages import read, signed_in, text_of
from tests.support.templates import copy_of
from tests.webapp.pages.assignment_form import FORM
from webapp.teaching.courses.models import Assignment

pytestmark = pytest.mark.slow

NEW = "/courses/coop/new-assignment/"


@pytest.fixture
def table(db: None) -> Table:
    """Ada and Ben are graded against three house agents."""
    return copy_of(opponents.tell, games=4)


# The form


def form(**changes: Any) -> dict[str, Any]:
    """An instructor's form for Hearts."""
    fields = {
        **FORM,
        "game": "hearts",
        "variant": "standard",
        "players": "4",
        "opponents": OPPONENTS,
        "beaten": "hearts/low_card 25: 40\nhearts/careful 30 %: 60",
        "full_mean": "",
        "thresholds": "",
        "n_games": "100",
        "option_hands": "3",
        "option_queen_breaks": "no",
    }
    return {**fields, **changes}


def send(client: Client, **changes: Any) -> str:
    return text_of(client.post(NEW, form(**changes), follow=True))


def test_the_game_is_chosen_before_the_form_is_filled(table: Table) -> None:
    client = signed_in(table.world.ida)
    usual, hearts = read(client, NEW), read(client, NEW + "?game=hearts")
    assert '<option value="hearts">Hearts</option>' in usual
    assert 'name="opponents"' not in usual
    assert "Hanabi is played together." in usual
    assert hearts.count('name="opponents"') == 4
    assert "Hearts is played against others." in hearts
    assert 'name="option_queen_breaks"' in hearts
    assert 'name="option_lives"' not in hearts
    assert 'value="uwa-java"' not in hearts
    assert "Gwen 25: 34" in hearts
    assert "(slow: about 5 s a game)" in hearts
    assert (
        hearts.count("checked", hearts.index('name="opponents"'), hearts.index("id_n_games")) == 3
    )
    page = read(signed_in(table.world.ida), ASSIGNMENT + "edit/")
    assert "Lola 25: 30" in page
    shown = re.findall(r'name="opponents" value="([^"]+)"[^>]* checked', page)
    assert shown == table.world.assignment.opponents
    assert len(shown) == 3
    assert 'name="game"' not in page


def test_an_assignment_against_opponents_is_made(table: Table) -> None:
    send(signed_in(table.world.ida))
    made = Assignment.objects.get(slug="second")
    assert (made.game, made.opponents) == ("hearts", OPPONENTS)
    assert made.options == {
        "variant": "standard", "players": 4, "hands": 3, "queen_breaks": False
    }  # fmt: skip
    assert made.scheme.fewest_wins
    assert made.scheme.describe() == (
        "40 points for winning at least 25% of the games against hearts/low_card."
        " 60 points for winning at least 30% of the games against hearts/careful."
    )


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("opponents", [], "Choose at least one."),
        ("beaten", "hearts/low_card often: 3", "does not have the form Lola 50: 20"),
        ("beaten", "hearts/sampling 25: 3", "is not one of the opponents"),
        ("beaten", "hearts/low_card 125: 3", "is not a share"),
        ("beaten", "", "nothing is worth any points"),
        ("full_mean", "-1", "greater than or equal to 0"),
        ("players", "5", "players"),
        ("option_hands", "99", "hands"),
        ("n_games", "40000", "against each of 3"),
    ],
)
def test_impossible_settings_are_refused_with_the_reason(
    table: Table, field: str, value: Any, said: str
) -> None:
    page = send(signed_in(table.world.ida), **{field: value})
    assert "Not saved." in page
    assert said in page
    assert not Assignment.objects.filter(slug="second").exists()


def test_thresholds_go_down_where_fewest_win(table: Table) -> None:
    send(signed_in(table.world.ida), full_mean="12", thresholds="20: 50\n30: 10")
    steps = Assignment.objects.get(slug="second").scheme.thresholds
    assert [int(step.mean) for step in steps] == [30, 20]


# An assignment, and what came of it


def test_the_assignment_says_whom_agents_play(table: Table) -> None:
    page = read(signed_in(table.world.ada), ASSIGNMENT)
    assert "your agent, and copies of one opponent" in page
    assert "4 against each" in page
    assert "Lola, Carla, Gwen" in page
    response = signed_in(table.world.ada).get(ASSIGNMENT + "starter-kit/")
    assert response.status_code == 200
    assert b"firebox/hearts/" in response.content
    assert '"/guide/hearts/#opponents">What the agents do' in read(
        signed_in(table.world.ada), ASSIGNMENT + "play/"
    )


def test_an_evaluation_and_the_board_have_shares_and_points_for_each_opponent(table: Table) -> None:
    page = read(signed_in(table.world.ada), f"/evaluations/{table.grade.uuid}/")
    assert "games won, 95% interval" in page
    assert "points a game, fewest win" in page
    assert "lost (score" not in page
    assert "Most points" in page
    assert all(f'<th scope="row">{title}</th>' in page for title in ("Lola", "Carla", "Gwen"))
    assert "An agent that wins as often as they do wins 25% of the games." in page
    page = read(signed_in(table.world.ada), ASSIGNMENT + "leaderboard/")
    assert ">Won</th>" in page
    assert ">Lost</th>" not in page
    assert page.index("Gwen</a>") < page.index("Lola</a>")
    assert "Fewest points win." in page
    assert '"/guide/hearts/#opponents">What they do' in page


def test_a_game_is_told_trick_by_trick_as_far_as_it_went(table: Table) -> None:
    page = read(signed_in(table.world.ada), f"/evaluations/{table.grade.uuid}/games/5/")
    assert "Hand 1" in page
    assert "Hand 2" in page
    assert "Cards dealt, and passed left" in page
    assert page.count('aria-label="queen of spades"') >= 4  # dealt and played, in each hand
    assert "<dt>Seat 2</dt><dd><strong>Ada" in page
    assert "<dt>Seat 1</dt><dd>Carla</dd>" in page
    assert "As text, turn by turn" in page
    page = read(signed_in(table.world.ada), f"/evaluations/{table.practice.uuid}/games/1/")
    assert "not played to its end" in page
    assert "KeyError" in page
    assert "firebox play agent.py --with house:hearts/low_card --seat 2 --index 0" in page


def test_a_game_played_together_is_told_as_text(db: None) -> None:
    from tests.support import world as worlds

    world = worlds.make(games=4)
    submission = worlds.submit_and_practise(world, world.ada)
    practice = submission.evaluations.get(kind="practice")
    page = read(signed_in(world.ada), f"/evaluations/{practice.uuid}/games/0/")
    assert 'aria-label="Replay"' in page


def test_figures_against_opponents_take_as_many_queries_as_others(
    table: Table, django_assert_max_num_queries: Any
) -> None:
    client = signed_in(table.world.ada)
    with django_assert_max_num_queries(30):
        read(client, ASSIGNMENT + "leaderboard/")
