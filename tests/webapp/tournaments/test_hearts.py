"""Tournaments where everybody has points of their own, and with tables of several sizes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli import main
from grader.core.records import to_json
from tests.support import opponents, tables, tournaments
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.contests.tournaments.models import Tournament
from webapp.contests.tournaments.selectors import entries
from webapp.grading.evaluations.models import Status
from webapp.pages.standings import drawn
from webapp.pages.tournaments.forms import sizes_of
from webapp.teaching.courses.models import Role

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def hearts(db: None) -> World:
    world = opponents.make()
    for user in (world.ada, world.ben):
        tournaments.enter(world, user)
    return world


@pytest.fixture
def played(hearts: World) -> Tournament:
    """Both, and three house agents, at one table of four in each round."""
    house = {"references": ("hearts/careful",), "fillers": ("hearts/low_card", "hearts/guarded")}
    return tables.play(tournaments.start(hearts, sizes=(4,), rounds=2, **house))


def test_rules_say_which_tables_there_are(hearts: World) -> None:
    assert 4 in sizes_of(hearts.assignment)
    assert 1 not in sizes_of(hearts.assignment)


def test_own_points_are_ranked_with_elo_beside_them(played: Tournament, hearts: World) -> None:
    assert played.status == Status.FINISHED
    found = played.standings
    assert found is not None
    rows = [row for row in found.rows if row.games]
    assert rows
    assert all(row.elo is not None for row in rows)
    client = signed_in(hearts.ida)
    page = text_of(client.get(f"/tournaments/{played.uuid}/"))
    assert "The fewest points are best." in page
    assert "Elo" in page
    game = played.games.first()
    assert game is not None
    replay = text_of(client.get(f"/tournaments/{played.uuid}/games/{game.pk}/"))
    assert "Hand 1" in replay
    assert f"/games/{game.pk}/record/" in replay


def test_the_command_verifies_its_file(
    played: Tournament, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "tournament.json"
    file.write_text(to_json(tournaments.exported(played)))
    assert main(["verify", str(file)]) == 0
    assert "4" in capsys.readouterr().out


def test_rounds_take_turns_with_several_sizes(start: Callable[..., Tournament]) -> None:
    found = tables.play(start(sizes=(2, 3), rounds=4, fillers=("iggi", "outer")))
    assert found.status == Status.FINISHED
    assert {len(game.numbers) for game in found.games.all()} == {2, 3}


def test_every_mean_is_drawn_as_played_and_adjusted(played: Tournament, hearts: World) -> None:
    people = entries(played, hearts.ida, Role.INSTRUCTOR, with_results=True)
    bars = "".join(
        each.bar for each in drawn(people, shared=(), lower_is_better=True, address=str)["drawn"]
    )
    known = [each for each in people if each.standing and each.standing.mean]
    assert bars.count("mean-line") + bars.count("beyond") == len(known)
    assert "style=" not in bars


def test_without_games_there_are_rows_without_bars(hearts: World) -> None:
    house = {"references": (), "fillers": ("hearts/low_card",)}
    started = tournaments.start(hearts, sizes=(4,), duplicates=True, **house)
    people = entries(started, hearts.ida, Role.INSTRUCTOR, with_results=True)
    rows = drawn(people, shared=(), lower_is_better=True, address=str)["drawn"]
    assert len(rows) == len(people)
    assert not any("mean-line" in each.bar for each in rows)
