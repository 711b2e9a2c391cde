"""Public links to games: who may make one, what anybody sees by it, and when it stops working."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.test import Client
from django.utils import timezone
from PIL import Image
from pytest_django import Settings

from grader.house.catalogue import title_of
from tests.support import ladder_story
from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.templates import copy_of
from tests.support.tournaments import Story
from tests.support.world import HOSTILE_STDERR, World
from webapp.base.errors import NotAllowed, Refused
from webapp.contests.ladders.models import LadderGame
from webapp.contests.playing.models import HumanGame
from webapp.contests.playing.services import leave, start_game
from webapp.contests.sharing.models import AnyGame, GameLink, column_of, new_token
from webapp.contests.sharing.permissions import may_share
from webapp.contests.sharing.services import MAX_LINKS, make_link
from webapp.contests.tournaments.models import Stage, Tournament, TournamentGame
from webapp.grading.evaluations.models import Evaluation, GameResult
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Membership

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(world: World) -> GameResult:
    """A practice game of Ada's that a fault ended."""
    submission = worlds.submit_and_practise(world, world.ada, faults=(1,), prints=(1,))
    return submission.evaluations.get(kind="practice").results.get(index=1)


def share_page(game: AnyGame) -> str:
    return f"/share/{column_of(game)}/{game.pk}/"


def link_of(game: AnyGame, owner: User, *, shows_names: bool = False) -> str:
    link = make_link(game=game, by=owner, shows_names=shows_names)
    return f"/shared/{link.token}/"


def opened(address: str) -> str:
    response = Client().get(address)
    assert response.status_code == 200, address
    return text_of(response)


def test_a_link_is_made_once_it_was_asked_for_and_opens_for_anybody_at_its_turn(
    world: World, game: GameResult
) -> None:
    ada = signed_in(world.ada)
    own_page = text_of(ada.get(f"/evaluations/{game.evaluation.uuid}/games/1/"))
    assert f'data-share="{share_page(game)}"' in own_page
    question = text_of(ada.get(f"{share_page(game)}?turn=2"))
    assert "Anybody with the link can watch the whole game" in question
    assert not GameLink.objects.exists()

    ada.post(f"{share_page(game)}?turn=2", {})
    made = text_of(ada.get(f"{share_page(game)}?turn=2"))
    link = GameLink.objects.get()
    address = f"/shared/{link.token}/?turn=2"
    assert address in made
    page = opened(address)
    assert '<span class="turn-name">Turn 2</span>' in page
    assert "Agent A" in page
    assert str(link.token) in text_of(ada.get("/accounts/profile/"))

    assert signed_in(world.ben).post(f"/share/{link.pk}/take-back/").status_code == 404
    ada.post(f"/share/{link.pk}/take-back/")
    closed = Client().get(address)
    assert closed.status_code == 410
    assert "has taken it back" in text_of(closed)


def test_a_page_tells_nothing_that_others_may_not_know_and_has_a_preview(
    world: World, game: GameResult
) -> None:
    team = worlds.team_of(world, world.ada)
    said = link_of(game, world.ada)
    for address in (said, f"{said}embed/"):
        page = opened(address)
        for secret in (team.name, world.ada.display_name, "KeyError", HOSTILE_STDERR[:20]):
            assert secret not in page, secret
    response = Client().get(said)
    assert response["X-Robots-Tag"] == "noindex, nofollow"
    GameLink.objects.update(shows_names=True)
    assert team.name in opened(said)
    address = link_of(game, world.ada)
    page = opened(f"{address}?turn=2")
    assert '<meta property="og:title" content="A game of Hanabi">' in page
    (source,) = re.findall(r'property="og:image" content="([^"]+)"', page)
    assert source.endswith(f"{address}picture.png?turn=2")
    response = Client().get(f"{address}picture.png?turn=2")
    assert response["Content-Type"] == "image/png"
    picture = Image.open(BytesIO(response.content))
    assert picture.size == (1200, 630)
    assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 20  # cards, not one surface


@pytest.mark.slow
def test_only_those_may_share_who_see_a_game_that_is_no_secret(
    world: World, game: GameResult
) -> None:
    graded = worlds.grade(world, world.ada).results.get(index=0)
    table = start_game(assignment=world.assignment, by=world.ada, seat=0, agents=["house:piers"])
    assert not may_share(world.ada, table)  # its cards are hidden from Ada herself
    leave(game=table, by=world.ada)
    table.refresh_from_db()
    assert may_share(world.ada, table)
    assert not may_share(world.ida, table)
    sees = [may_share(who, game) for who in (world.ada, world.ben, world.ida)]
    assert sees == [True, False, True]
    assert not may_share(world.ida, graded)  # staff see it, but its deals are secret
    Assignment.objects.update(secret_revealed_at=timezone.now())
    graded = GameResult.objects.get(pk=graded.pk)
    assert may_share(world.ada, graded)
    with pytest.raises(NotAllowed):
        make_link(game=graded, by=world.ben, shows_names=False)


def test_a_link_stops_when_its_game_is_secret_its_owner_has_left_or_staff_say_so(
    world: World, game: GameResult
) -> None:
    address = link_of(game, world.ada)
    opened(address)

    def why() -> str:
        response = Client().get(address)
        assert response.status_code == 410
        assert Client().get(f"{address}picture.png").status_code == 410
        return text_of(response)

    Assignment.objects.update(public_links=False)
    assert "switched off public links" in why()
    Assignment.objects.update(public_links=True)
    run = Evaluation.objects.filter(pk=game.evaluation_id)
    run.update(kind="graded")
    assert "no longer open" in why()
    run.update(kind="practice")
    Membership.objects.filter(user=world.ada).delete()
    assert "no longer open" in why()
    game.delete()
    assert Client().get(address).status_code == 404


def test_games_of_contests_and_people_are_shared_without_other_teams_names(story: Story) -> None:
    world, cup = story.world, story.over
    game = cup.games.filter(fault_kind="").first()
    assert game is not None
    names = [one.name for one in cup.participants.filter(number__in=game.numbers) if one.submission]
    teams = [one.submission.team.name for one in cup.participants.all() if one.submission]
    page = opened(link_of(game, world.ida, shows_names=True))
    assert not [name for name in (*names, *teams) if name in page]
    Tournament.objects.filter(pk=cup.pk).update(stage=Stage.PARTICIPANTS)
    assert not may_share(world.ida, TournamentGame.objects.get(pk=game.pk))

    table = start_game(assignment=world.assignment, by=world.ada, seat=1, agents=["house:piers"])
    leave(game=table, by=world.ada)
    page = opened(link_of(HumanGame.objects.get(), world.ada))
    assert f"{title_of('piers')}, A person" in page
    own = text_of(signed_in(world.ada).get(f"/play/{table.uuid}/"))
    assert f'data-share="{share_page(table)}"' in own


def test_a_frame_opens_only_in_the_sites_that_the_settings_name_and_needs_no_cookie(
    world: World, game: GameResult, settings: Settings
) -> None:
    address = f"{link_of(game, world.ada)}embed/"
    response = Client().get(address)
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]
    assert response["X-Frame-Options"] == "DENY"
    settings.FRAME_ANCESTORS = ["https://blog.example.edu"]
    response = Client().get(address)
    assert "frame-ancestors https://blog.example.edu" in response["Content-Security-Policy"]
    assert "X-Frame-Options" not in response
    assert not response.cookies
    assert "Cookie" not in response.get("Vary", "")


def test_a_person_makes_a_limited_number_of_links_an_hour(world: World, game: GameResult) -> None:
    link = make_link(game=game, by=world.ada, shows_names=False)
    for _ in range(MAX_LINKS - 1):
        link.pk, link.token, link.taken_back_at = None, new_token(), link.created_at
        link.save(force_insert=True)
    other = game.evaluation.results.get(index=0)
    with pytest.raises(Refused, match="within an hour"):
        make_link(game=other, by=world.ada, shows_names=False)
    assert make_link(game=game, by=world.ada, shows_names=False)  # has one already
    later = timezone.now() + timedelta(hours=2)
    make_link(game=other, by=world.ada, shows_names=False, at=later)


def test_a_stored_game_that_cannot_be_read_says_so(story: Story) -> None:
    game = story.over.games.first()
    assert game is not None
    TournamentGame.objects.filter(pk=game.pk).update(packed=b"broken")
    address = f"/tournaments/{story.over.uuid}/games/{game.pk}/"
    page = text_of(signed_in(story.world.ada).get(address))
    assert "This game cannot be shown" in page
    assert f"{address}record/" not in page


@pytest.mark.slow
def test_a_ladders_game_is_shared_once_its_round_is_over(db: None) -> None:
    story = copy_of(ladder_story.tell)
    ladder, ada = story.ladder, story.world.ada
    game = ladder.games.get(index=story.game)
    address = link_of(game, ada)
    opened(address)
    newest = ladder.tables.latest("number").round
    ladder.tables.filter(number=game.table).update(round=newest)
    assert not may_share(ada, LadderGame.objects.get(pk=game.pk))
    assert Client().get(address).status_code == 410
