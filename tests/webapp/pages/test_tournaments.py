"""Pages about tournaments: who sees what of them, and when."""

import html
import re
from dataclasses import replace

import pytest
from django.db.models import Sum
from django.template.loader import render_to_string
from pytest_django import DjangoAssertNumQueries

from grader.core.games import game_from_options
from grader.core.records import to_json
from tests.support import tables, tournaments
from tests.support import world as worlds
from tests.support.graders import GRADER_KEY, a_report
from tests.support.pages import ranks_in, signed_in, text_of
from tests.support.tournaments import ASSIGNMENT, Story
from tests.support.world import World
from tests.webapp.pages.tournament_pages import address_of, read, status
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.contests.tournaments.services import cancel, release
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.operations.services import record_grader
from webapp.pages.tournaments import screen_views
from webapp.people.accounts.identities import confirm_address
from webapp.teaching.courses.models import Assignment, Course, LeaderboardVisibility

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FILES = ("export/", "standings.csv", "games.csv", "matrix.csv", "faults.csv")


def pages_with_results(tournament: Tournament) -> list[str]:
    game = tournament.games.first()
    assert game is not None
    places = ["participants/0/", "games/", f"games/{game.pk}/", f"games/{game.pk}/record/", *FILES]
    return [address_of(tournament, place) for place in places]


def test_pages_open_for_their_readers_released_results_to_the_course_hidden_ones_to_staff(
    story: Story,
) -> None:
    for name, user, address in story.pages():
        assert status(signed_in(user), address) == 200, name
    stranger = worlds.person("Dora Stranger")
    for address in [address_of(story.over), *pages_with_results(story.over)]:
        assert status(signed_in(story.world.ben), address) == 200, address
        assert status(signed_in(stranger), address) == 404, address
        assert status(signed_in(None), address) == 302, address
    for user, code in ((story.world.ada, 404), (story.world.cleo, 200), (None, 302)):
        for rest in ("", "live/"):
            assert status(signed_in(user), address_of(story.hidden, rest)) == code
    listed = read(signed_in(story.world.ada), ASSIGNMENT + "tournaments/")
    assert "Trial" not in listed
    assert "Second cup" in listed


def test_a_page_has_standings_pairs_and_plan_and_participants_before_the_results(
    story: Story,
) -> None:
    page = read(signed_in(story.world.ada), address_of(story.over))
    assert page.count('<tr role="row" class="own">') == 1
    own = page.partition('<tr role="row" class="own">')[2].partition("</tr>")[0]
    assert own.count(">you<") == 1
    assert "submitted another team’s agent" in page
    assert "removed after " in page
    assert '<td class="heat-0">' in page
    assert '<td class="heat-4">' in page
    assert page.count('<td class="itself">') == story.over.participants.count()
    assert "each agent plays equally often in every seat" in page
    assert "differ by at most 0" not in page
    words = " ".join(page.split())
    assert "Agents whose intervals overlap may share a rank." in words
    assert "share a rank if" not in words
    page = read(signed_in(story.world.ada), address_of(story.running))
    assert "Results are not released yet" in page
    assert story.running.commitment in page
    assert "Standings" not in page
    for address in pages_with_results(story.running):
        assert status(signed_in(story.world.ada), address) == 403, address
        assert status(signed_in(story.world.cleo), address) == 200, address
    for rest in ("", "participants/1/", "standings.csv"):
        assert "Ben Okri" not in read(signed_in(story.world.ada), address_of(story.over, rest))
        assert "Ben Okri" in read(signed_in(story.world.ida), address_of(story.over, rest))
    secret = bytes(story.over.secret).hex()
    assert secret in read(signed_in(story.world.ada), address_of(story.over))
    hidden = bytes(story.running.secret).hex()
    assert hidden not in read(signed_in(story.world.ida), address_of(story.running))
    Tournament.objects.filter(pk=story.running.pk).update(stage=Stage.RESULTS)
    for rest in ("", "export/"):
        assert hidden not in read(signed_in(story.world.ada), address_of(story.running, rest))


def test_shared_ranks_are_marked(story: Story) -> None:
    page = text_of(signed_in(story.world.ada).get(f"/tournaments/{story.over.uuid}/"))
    shown = [rank for rank in ranks_in(page) if rank != "–"]
    assert shown
    for rank in shown:
        assert rank.endswith("shared=") == (shown.count(rank) > 1)
    assert re.search(r'\d<span class="sr-only"> shared</span>', page), "no space before the sign"
    page = read(signed_in(story.world.ada), address_of(story.over, "participants/0/"))
    assert "<dt>rank, shared</dt>" in page


def test_the_standings_are_in_the_order_of_their_ranks(story: Story) -> None:
    standings = story.over.standings
    assert standings is not None
    ranked = [row for row in standings.rows if row.adjusted_rank is not None]
    ranks = {row.participant: number for number, row in enumerate(reversed(ranked), 1)}
    rows = [replace(row, adjusted_rank=ranks.get(row.participant)) for row in standings.rows]
    Tournament.objects.filter(pk=story.over.pk).update(
        standings_json=to_json(replace(standings, rows=tuple(rows)))
    )
    page = read(signed_in(story.world.ada), address_of(story.over))
    shown = [int(rank) for rank in ranks_in(page) if rank != "–"]
    assert shown == list(range(1, len(ranks) + 1))


def test_the_screen_has_the_standings_without_real_names(
    story: Story, monkeypatch: pytest.MonkeyPatch
) -> None:
    ida, address = signed_in(story.world.ida), address_of(story.over, "screen/")
    whole = read(ida, address)
    assert 'class="on-screen"' in whole
    assert "Final standings" in whole
    assert whole.count('<tr role="row"') == 1 + story.over.participants.count()
    assert "Doe" not in whole
    ranks = ranks_in(whole)
    assert any(rank.endswith("shared=") for rank in ranks)
    monkeypatch.setattr(screen_views, "ROWS", 1)
    pages = [read(ida, f"{address}?page={number + 1}") for number in range(len(ranks))]
    assert [rank for page in pages for rank in ranks_in(page)] == ranks, "also across pages"
    assert status(signed_in(story.world.ada), address_of(story.hidden, "screen/")) == 404
    led = signed_in(story.world.ada).get(address_of(story.running, "screen/"))
    assert led["Location"] == address_of(story.running)


def test_a_page_is_live_only_while_games_are_played(story: Story) -> None:
    client = signed_in(story.world.ida)
    over, running, hidden = (
        read(client, address_of(each, "live/"))
        for each in (story.over, story.running, story.hidden)
    )
    assert 'hx-trigger="every' in running
    assert 'hx-trigger="every' not in over
    assert "</span>Live</span>" in running
    assert "</span>Live</span>" not in hidden
    assert "no game that counts yet." in running
    assert "no game that counts." in over


def test_a_page_with_current_standings_gets_the_progress_only(
    story: Story, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = signed_in(story.world.ida)
    found = re.search(r'hx-get="([^"]+)"', read(client, address_of(story.running)))
    assert found is not None
    address = html.unescape(found[1])
    with django_assert_max_num_queries(6):  # the reader's role is asked once
        response = client.get(address)
    assert response["HX-Reswap"] == "none"
    assert 'hx-swap-oob="true"' in text_of(response)
    assert "standings" not in text_of(response)
    tables.play(story.running)
    later = client.get(address)
    assert "HX-Reswap" not in later
    assert "Final standings" in text_of(later)


def test_a_waiting_tournament_says_how_many_games_are_ahead(story: Story) -> None:
    before = Job.objects.filter(tournament=story.running, status=JobStatus.QUEUED)
    ahead = before.aggregate(games=Sum("n_games"))["games"]
    client = signed_in(story.world.ida)
    page = read(client, address_of(story.hidden))
    assert f"Waiting for a grader: {ahead} games of this course are ahead" in page
    assert "No grader is ready" in page
    record_grader(a_report(queues=("graded",)), key=GRADER_KEY)
    assert "No grader is ready" not in read(client, address_of(story.hidden, "live/"))
    assert "Waiting" not in read(client, address_of(story.running))


def test_a_stopped_tournament_has_no_final_standings_and_not_all_its_games(story: Story) -> None:
    cancel(tournament=story.running, by=story.world.ida)
    release(tournament=story.running, by=story.world.ida, stage=Stage.RESULTS)
    client = signed_in(story.world.ada)
    for rest in ("", "screen/"):
        page = read(client, address_of(story.running, rest))
        assert "Standings so far" in page
        assert "Final standings" not in page
    story.running.refresh_from_db()
    front = read(client, "/")
    assert f"{story.running.games_done} of {story.running.n_games} games played" in front
    assert f"All {story.running.n_games} games played" not in front


def test_an_agents_page_and_the_download_have_all_that_the_reader_may_see(story: Story) -> None:
    confirm_address(story.world.ada)
    text = read(signed_in(story.world.ada), "/accounts/profile/download/")
    assert "Second cup" in text
    assert "Trial" not in text
    agents = f"{ASSIGNMENT}tournaments/agents/"
    address = f"{agents}{story.over.participants.get(number=0).name}/"
    student, staff = (read(signed_in(user), address) for user in (story.world.ben, story.world.ida))
    assert "Spring cup" in student
    assert "Second cup" in student
    assert "Trial" not in student
    assert "Trial" in staff
    for name in ("Nobody", "a%00b"):
        assert status(signed_in(story.world.ben), f"{agents}{name}/") == 404


@pytest.mark.parametrize("teams", [2, 5])
def test_a_tournaments_page_takes_the_same_queries_for_any_number_of_teams(
    teams: int, world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    names = ["Eva Doe", "Finn Doe", "Gus Doe"]
    people = [world.ada, world.ben, *(tournaments.student(world.course, each) for each in names)]
    for user in people[:teams]:
        tournaments.enter(world, user)
    found = tables.play(tournaments.start(world), tables.always(0))
    tournaments.audit(found, world.ida)
    client = signed_in(world.ida)
    client.get(address_of(found))  # the plan's balance is computed once
    with django_assert_num_queries(19):
        client.get(address_of(found))


def test_visitors_see_the_standings_of_a_public_board_by_aliases_and_nothing_else(
    story: Story,
) -> None:
    Assignment.objects.update(leaderboard=LeaderboardVisibility.PUBLIC)
    Course.objects.update(show_names=True)
    stranger = worlds.person("Stella Strange")
    for user in (None, stranger):
        for rest in ("", "live/", "screen/"):
            page = read(signed_in(user), address_of(story.over, rest))
            assert "Final standings" in page
            assert "Doe" not in page
            assert "Lovelace" not in page
            assert "submitted another" not in page
            links = set(re.findall(rf'href="/tournaments/{story.over.uuid}/([^"]*)"', page))
            assert links <= {"", "screen/"}
    for rest in ("participants/0/", "games/", "export/", "standings.csv"):
        assert status(signed_in(None), address_of(story.over, rest)) == 302
        assert status(signed_in(stranger), address_of(story.over, rest)) == 404
    assert "Spring cup" in read(signed_in(None), "/boards/")


def test_unreleased_and_non_public_tournaments_are_closed_to_visitors(story: Story) -> None:
    for found in (story.over, story.running, story.hidden):
        for rest in ("", "live/"):
            assert status(signed_in(None), address_of(found, rest)) == 302
    Assignment.objects.update(leaderboard=LeaderboardVisibility.PUBLIC)
    for found in (story.running, story.hidden):
        assert status(signed_in(None), address_of(found)) == 302
        assert status(signed_in(worlds.person(f"S{found.pk} S")), address_of(found)) == 404


@pytest.mark.parametrize("name", ["hanabi", "hearts"])
def test_the_table_of_pairs_says_whether_faint_is_better(name: str) -> None:
    rules = game_from_options(name, {})
    text = render_to_string("tournaments/_matrix.html", {"game": rules, "people": [], "matrix": []})
    assert ("faint is better" in text) == rules.lower_is_better
