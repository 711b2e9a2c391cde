"""The page of a ladder: who sees what of it, and what can be decided there."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from grader.core.games import GAMES
from tests.support import ladder_story, tournaments
from tests.support.ladder_story import CRASHES, LADDER, Story
from tests.support.pages import ASSIGNMENT, ranks_in, signed_in, text_of
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.contests.ladders import selectors
from webapp.contests.ladders.models import Departure, Ladder
from webapp.contests.ladders.services import pause_ladder, play_all
from webapp.contests.ladders.services.entering import leave
from webapp.people.accounts.identities import confirm_address
from webapp.teaching.courses.models import Assignment, Course

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

OPENED = {"half_width": "0.4", "max_games": "500", "versions": "3", "house_agents": ["iggi"]}


@pytest.fixture
def story(db: None) -> Story:
    """A ladder on which games were played."""
    return copy_of(ladder_story.tell)


def page_for(client: Client) -> str:
    return text_of(client.get(LADDER))


def test_a_student_sees_ratings_with_their_intervals_and_finds_them(story: Story) -> None:
    response = signed_in(story.world.ada).get(LADDER)
    page = text_of(response)
    assert sum(drawn.row.mine for drawn in response.context["drawn"]) == 2
    assert "version 2" in page
    assert "house agent" in page
    assert "games so far" in page
    rows = response.context["drawn"]
    rated = [drawn for drawn in rows if drawn.row.figure is not None]
    values = [drawn.row.figure.value for drawn in rated]
    assert values == sorted(values, reverse=True)
    assert all("mean-line" in drawn.bar for drawn in rated)
    assert not any(drawn.row.names for drawn in rows)
    assert "Doe" not in page
    ranks = [rank for rank in ranks_in(page) if rank != "–"]
    assert any(rank.endswith("shared=") for rank in ranks)
    assert all(rank.endswith("shared=") == (ranks.count(rank) > 1) for rank in ranks)
    ada = signed_in(story.world.ada)
    for address in (ASSIGNMENT, ASSIGNMENT + "leaderboard/"):
        assert LADDER in text_of(ada.get(address))
    confirm_address(story.world.ada)
    data = ada.get("/accounts/profile/download/").json()
    assert [row["version"] for row in data["ladders"]] == [1, 2]


def test_games_of_rounds_that_are_over_can_be_opened_by_the_course(story: Story) -> None:
    ladder, ada = story.ladder, signed_in(story.world.ada)
    newest = ladder.tables.latest("number").round
    open_tables = set(ladder.tables.filter(round=newest).values_list("number", flat=True))
    listed = ada.get(LADDER + "games/").context["page"].paginator.object_list
    assert {game.table for game in listed}.isdisjoint(open_tables)
    assert listed.count() == ladder.games.exclude(table__in=open_tables).count() > 0
    page = text_of(ada.get(f"{LADDER}games/{story.game}/"))
    assert "data-viewer-game" in page
    assert "Doe" not in page
    assert ada.get(f"{LADDER}games/{story.game}/record/").json()["game"] == "hanabi"
    now = ladder.games.filter(table__in=open_tables).first()
    if now is not None:
        assert ada.get(f"{LADDER}games/{now.index}/").status_code == 404
    assert signed_in(None).get(f"{LADDER}games/").status_code == 302


def test_a_game_of_other_rules_can_be_kept(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES["hanabi"], "rules_version", 2)
    ada, game = signed_in(story.world.ada), f"{LADDER}games/{story.game}/"
    assert "This game cannot be shown: played by version 1" in text_of(ada.get(game))
    assert ada.get(game + "record/").json()["rules_version"] == 1
    assert ada.get(game + "elsewhere/").status_code == 404


def test_a_team_is_told_why_a_game_was_spoiled_and_its_agent_left(story: Story) -> None:
    game = story.ladder.games.exclude(fault_kind="").earliest("index")
    address = f"{LADDER}games/{game.index}/"
    assert game.culprit == CRASHES
    assert "Only its team and staff see why" in text_of(signed_in(story.world.ada).get(address))
    assert "Only its team and staff" not in text_of(signed_in(story.faulty).get(address))
    assert story.ladder.entries.get(number=CRASHES).departure == "faulty"
    assert "has left the ladder" in page_for(signed_in(story.faulty))
    assert "Your version" not in page_for(signed_in(story.world.ada))
    assert "its faults ended too many games" in page_for(signed_in(story.world.ada))


def test_staff_see_names_submissions_and_why_it_is_paused(story: Story) -> None:
    cleo, ada = signed_in(story.world.cleo), signed_in(story.world.ada)
    rows = cleo.get(LADDER).context["drawn"]
    assert all(
        drawn.row.names and drawn.row.submission for drawn in rows if drawn.row.entry.submission
    )
    Ladder.objects.update(paused_at=story.ladder.opened_at, paused_because="disk <b>full</b>")
    assert "disk" not in page_for(ada)
    assert "disk &lt;b&gt;full" in text_of(cleo.get(LADDER))
    Course.objects.update(show_names=True)
    assert "Finn Doe" in page_for(ada)


def test_of_many_agents_that_have_left_the_latest_and_ones_own_are_listed(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selectors, "MAX_LEFT", 2)
    entries = list(story.ladder.entries.order_by("number"))
    for days, entry in enumerate(entries):
        leave(entry, Departure.WITHDRAWN, at=story.ladder.opened_at + timedelta(days=days))
    own = story.ladder.entries.filter(submission__team__users=story.world.ada)
    page = signed_in(story.world.ada).get(LADDER)
    listed = [row.entry for row in page.context["board"].left]
    assert set(listed) == {*entries[-2:], *own}
    assert listed[:2] == entries[:-3:-1]
    assert f"{len(entries) - len(listed)} more have left" in text_of(page)


def test_everybody_who_sees_the_leaderboard_sees_the_ladder(story: Story) -> None:
    for visibility, allowed in (
        ("public", [200, 200, 200]),
        ("course", [404, 200, 200]),
        ("hidden", [404, 404, 200]),
    ):
        Assignment.objects.update(leaderboard=visibility)
        for place in (LADDER, LADDER + "live/"):
            people = (None, story.world.ada, story.world.cleo)
            assert [signed_in(user).get(place).status_code for user in people] == allowed


def test_without_a_ladder_only_instructors_find_the_page(world: World) -> None:
    people = (None, world.ada, world.cleo, world.ida)
    assert [signed_in(user).get(LADDER).status_code for user in people] == [404, 404, 404, 200]
    assert signed_in(world.ida).get(LADDER + "live/").status_code == 404
    assert "Ladder" not in text_of(signed_in(world.ada).get(ASSIGNMENT))
    assert "Ladder" in text_of(signed_in(world.ida).get(ASSIGNMENT))


def test_an_instructor_opens_changes_pauses_and_closes_it(world: World) -> None:
    ida = signed_in(world.ida)
    wrong = ida.post(LADDER + "open/", {**OPENED, "half_width": "0"})
    assert wrong.status_code == 422
    assert not Ladder.objects.exists()
    assert "is open" in text_of(ida.post(LADDER + "open/", OPENED, follow=True))
    ladder = Ladder.objects.get()
    assert (ladder.half_width, ladder.max_games, ladder.versions) == (0.4, 500, 3)
    assert [entry.name for entry in ladder.entries.all()] == ["iggi"]
    assert "too few agents" in page_for(ida)
    ida.post(LADDER + "settings/", {**OPENED, "house_agents": ["iggi", "piers"]})
    assert "playing" in page_for(ida)
    assert "is paused" in text_of(ida.post(LADDER + "pause/", follow=True))
    assert "already" in text_of(ida.post(LADDER + "pause/", follow=True))
    assert "is resumed" in text_of(ida.post(LADDER + "resume/", follow=True))
    closed = text_of(ida.post(LADDER + "close/", follow=True))
    assert "Its standings stay" in closed
    assert "Open a ladder" in closed


def test_a_team_withdraws_its_own_version_and_no_other(story: Story) -> None:
    own = story.ladder.entries.get(version=2)
    other = story.ladder.entries.get(submission__team__users=story.world.ben)
    ada = signed_in(story.world.ada)
    assert ada.post(LADDER + "withdraw/", {"entry": other.number}).status_code == 403
    asked = ada.get(LADDER + "withdraw/", {"entry": own.number})
    assert f'name="entry" value="{own.number}"' in asked.content.decode()
    done = ada.post(LADDER + "withdraw/", {"entry": own.number}, follow=True)
    assert "has left the ladder" in text_of(done)
    own.refresh_from_db()
    assert own.departure == "withdrawn"
    assert ada.post(LADDER + "withdraw/", {"entry": "999"}).status_code == 404


def test_the_page_is_told_that_nothing_has_changed_and_then_what_has(story: Story) -> None:
    ada = signed_in(story.world.ada)
    tag = ada.get(LADDER).context["watch"].tag
    assert ada.get(LADDER + "live/", headers={"If-None-Match": tag}).status_code == 304
    pause_ladder(ladder=story.ladder, by=story.world.ida)
    news = ada.get(LADDER + "live/", headers={"If-None-Match": tag})
    assert (news.status_code, news["HX-Retarget"]) == (200, "#live")
    assert "paused" in text_of(news)


def test_the_page_takes_as_many_queries_for_many_agents_as_for_few(story: Story) -> None:
    ada = signed_in(story.world.ada)
    few = queries_of(lambda: ada.get(LADDER))
    for name in ("Kim", "Lea", "Max", "Nia"):
        tournaments.enter(story.world, tournaments.student(story.world.course, f"{name} Doe"))
    play_all()
    assert queries_of(lambda: ada.get(LADDER)) == few <= 26
    poll = {"If-None-Match": ada.get(LADDER).context["watch"].tag}
    assert queries_of(lambda: ada.get(LADDER + "live/", headers=poll)) <= 9


def queries_of(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as queries:
        act()
    return len(queries)
