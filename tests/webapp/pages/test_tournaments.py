"""Pages about tournaments: who sees what of them, and what can be done there."""

import csv
import html
import io
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db.models import Sum
from django.template.loader import render_to_string
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from grader.core.games import game_from_options
from grader.core.records import from_json
from grader.tournament import TournamentExport, verify_tournament
from tests.support import tables, tournaments
from tests.support import world as worlds
from tests.support.graders import GRADER_KEY, a_report
from tests.support.pages import text_of
from tests.support.templates import copy_of
from tests.support.tournaments import ASSIGNMENT, CHEATS, CRASHES, Story
from tests.support.world import World
from webapp.accounts.models import User
from webapp.courses.models import Assignment, Course, LeaderboardVisibility
from webapp.evaluations.models import Status, columns_of
from webapp.jobs.models import Job, JobStatus
from webapp.operations.services import record_grader
from webapp.tournaments import selectors
from webapp.tournaments.models import Stage, Tournament, TournamentGame
from webapp.tournaments.services import exclude

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

As = Callable[[User | None], Client]
FILES = ("export/", "standings.csv", "games.csv", "matrix.csv", "faults.csv")


@pytest.fixture
def story(db: None) -> Story:
    """Three tournaments in different stages."""
    return copy_of(tournaments.tell)


def read(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.getvalue().decode()


def status(client: Client, address: str) -> int:
    return client.get(address).status_code


def address_of(tournament: Tournament, rest: str = "") -> str:
    return f"/tournaments/{tournament.uuid}/{rest}"


def pages_with_results(tournament: Tournament) -> list[str]:
    game = tournament.games.first()
    assert game is not None
    places = ["participants/0/", "games/", f"games/{game.pk}/", f"games/{game.pk}/record/", *FILES]
    return [address_of(tournament, place) for place in places]


def test_every_page_opens_for_its_reader(story: Story, as_user: As) -> None:
    for name, user, address in story.pages():
        assert status(as_user(user), address) == 200, name


def test_a_hidden_tournament_does_not_exist_for_students(story: Story, as_user: As) -> None:
    for user, code in ((story.world.ada, 404), (story.world.cleo, 200), (None, 302)):
        for rest in ("", "live/"):
            assert status(as_user(user), address_of(story.hidden, rest)) == code
    listed = read(as_user(story.world.ada), ASSIGNMENT + "tournaments/")
    assert "Trial" not in listed
    assert "Second cup" in listed


def test_participants_come_without_any_result(story: Story, as_user: As) -> None:
    page = read(as_user(story.world.ada), address_of(story.running))
    assert "Results are not released yet" in page
    assert story.running.commitment in page
    assert "Standings" not in page
    for address in pages_with_results(story.running):
        assert status(as_user(story.world.ada), address) == 403, address
        assert status(as_user(story.world.cleo), address) == 200, address


def test_released_results_are_open_to_the_course_and_to_nobody_else(
    story: Story, as_user: As
) -> None:
    stranger = worlds.person("Dora Stranger")
    for address in [address_of(story.over), *pages_with_results(story.over)]:
        assert status(as_user(story.world.ben), address) == 200, address
        assert status(as_user(stranger), address) == 404, address
        assert status(as_user(None), address) == 302, address


def test_students_see_aliases_and_staff_names(story: Story, as_user: As) -> None:
    for rest in ("", "participants/1/", "standings.csv"):
        assert "Ben Okri" not in read(as_user(story.world.ada), address_of(story.over, rest))
        assert "Ben Okri" in read(as_user(story.world.ida), address_of(story.over, rest))


def test_my_row_is_marked_in_words(story: Story, as_user: As) -> None:
    page = read(as_user(story.world.ada), address_of(story.over))
    assert page.count('<tr role="row" class="own">') == 1
    assert (
        page.partition('<tr role="row" class="own">')[2].partition("</tr>")[0].count(">you<") == 1
    )


def test_whoever_is_out_is_shown_with_the_reason(story: Story, as_user: As) -> None:
    page = read(as_user(story.world.ada), address_of(story.over))
    assert "submitted another team’s agent" in page
    assert "removed after " in page


def test_the_secret_is_told_with_the_results_of_what_is_over(story: Story, as_user: As) -> None:
    secret = bytes(story.over.secret).hex()
    assert secret in read(as_user(story.world.ada), address_of(story.over))
    hidden = bytes(story.running.secret).hex()
    assert hidden not in read(as_user(story.world.ida), address_of(story.running))
    Tournament.objects.filter(pk=story.running.pk).update(stage=Stage.RESULTS)
    for rest in ("", "export/"):
        assert hidden not in read(as_user(story.world.ada), address_of(story.running, rest))


def test_the_file_of_a_tournament_proves_it_and_holds_nobodys_output(
    story: Story, as_user: As
) -> None:
    text = read(as_user(story.world.ada), address_of(story.over, "export/"))
    verified = verify_tournament(from_json(text, TournamentExport))
    assert verified.ok
    assert verified.plan_derived
    assert verified.counted == story.over.n_games - len(void(story.over))
    assert "KeyError" not in text
    staff = read(as_user(story.world.ida), address_of(story.over, "export/"))
    assert "thinking about turn" in staff
    assert "thinking about turn" not in text


def void(tournament: Tournament) -> tuple[int, ...]:
    from webapp.tournaments.services.scheduling import ledger_of

    return ledger_of(tournament).void


def test_what_an_agent_printed_is_for_its_team_and_staff(story: Story, as_user: As) -> None:
    spoiled = story.over.games.exclude(fault_kind="")[0]
    address = address_of(story.over, f"games/{spoiled.pk}/")
    assert "thinking about turn" in read(as_user(story.world.ben), address)  # number CRASHES
    assert "thinking about turn" in read(as_user(story.world.ida), address)
    assert "thinking about turn" not in read(as_user(story.world.ada), address)
    assert "<script>alert" not in read(as_user(story.world.ida), address)


def test_the_last_line_that_it_printed_is_no_exception(story: Story, as_user: As) -> None:
    """The sentence about a fault quotes it."""
    spoiled = story.over.games.exclude(fault_kind="")[0]
    game = f"games/{spoiled.pk}/"
    for rest in (game, game + "record/", f"participants/{CRASHES}/"):
        address = address_of(story.over, rest)
        assert "KeyError" in read(as_user(story.world.ben), address), rest  # number CRASHES
        assert "KeyError" in read(as_user(story.world.cleo), address), rest
        assert "KeyError" not in read(as_user(story.world.ada), address), rest


def test_nor_is_a_play_that_does_not_count(story: Story, as_user: As) -> None:
    spoiled = story.over.games.exclude(fault_kind="")[0].played
    clean = story.over.games.filter(fault_kind="")[0]
    assert spoiled is not None
    assert clean.played is not None
    twice = replace(clean.played, other_attempt=spoiled.record)
    TournamentGame.objects.filter(pk=clean.pk).update(packed=columns_of(twice)["packed"])
    address = address_of(story.over, "export/")
    assert "KeyError" in read(as_user(story.world.ida), address)
    assert "KeyError" not in read(as_user(story.world.ada), address)


def test_tables_agree_with_the_page(story: Story, as_user: As) -> None:
    client = as_user(story.world.ada)
    standings = rows(read(client, address_of(story.over, "standings.csv")))
    assert len(standings) == 8
    assert standings[0]["rank"] == "1"
    games = rows(read(client, address_of(story.over, "games.csv")))
    assert len(games) == 2 * story.over.games.count()
    faults = rows(read(client, address_of(story.over, "faults.csv")))
    assert {row["number"] for row in faults} == {str(CRASHES)}
    pairs = rows(read(client, address_of(story.over, "matrix.csv")))
    assert {row["number"] for row in pairs}.isdisjoint({str(CHEATS)})
    assert status(client, address_of(story.over, "other.csv")) == 404


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_games_can_be_narrowed_to_one_agent(story: Story, as_user: As) -> None:
    client = as_user(story.world.ada)
    page = read(client, address_of(story.over, f"games/?of={CRASHES}&show=faults"))
    assert "Spoiled games of" in page
    assert status(client, address_of(story.over, "games/?of=99")) == 404


def test_a_game_leads_to_its_neighbours_and_to_its_deal_at_other_tables(
    story: Story, as_user: As
) -> None:
    over, ada = story.over, as_user(story.world.ada)
    games = list(over.games.order_by("index", "pk"))
    context = ada.get(address_of(over, f"games/{games[1].pk}/")).context
    assert context["neighbours"] == (games[0].pk, games[2].pk)
    game = games[0]
    others = [
        other for other, _ in ada.get(address_of(over, f"games/{game.pk}/")).context["others"]
    ]
    record = game.record
    assert others
    assert record is not None
    for other in others:
        played = over.games.get(pk=other.pk).record
        assert played is not None
        assert played.deal_seed == record.deal_seed
    page = read(ada, address_of(over, f"games/{game.pk}/beside/{others[0].pk}/"))
    assert page.count("data-viewer-game") == 2
    different = over.games.exclude(pk__in=[game.pk, *(other.pk for other in others)])[0]
    assert status(ada, address_of(over, f"games/{game.pk}/beside/{different.pk}/")) == 404
    assert status(as_user(None), address_of(over, f"games/{game.pk}/beside/{others[0].pk}/")) == 302


def test_the_screen_has_the_standings_without_real_names(story: Story, as_user: As) -> None:
    page = read(as_user(story.world.ida), address_of(story.over, "screen/"))
    assert 'class="on-screen"' in page
    assert "Final standings" in page
    assert page.count('<tr role="row"') == 1 + story.over.participants.count()
    assert "Doe" not in page
    assert status(as_user(story.world.ada), address_of(story.hidden, "screen/")) == 404
    led = as_user(story.world.ada).get(address_of(story.running, "screen/"))
    assert led["Location"] == address_of(story.running)


def test_games_that_count_for_nobody_any_more_say_so(story: Story, as_user: As) -> None:
    client = as_user(story.world.ida)
    address = address_of(story.over, "games/")
    assert "passed over</span>" not in read(client, address)
    first = story.over.games.filter(fault_kind="").order_by("index")[0]
    exclude(
        participant=story.over.participants.get(number=first.numbers[0]),
        by=story.world.ida,
        reason="submitted another team’s agent",
        from_beginning=True,
    )
    assert "passed over</span>" not in read(client, address), "not while it is played again"
    tables.play(story.over)
    assert "passed over</span>" in read(client, address)
    assert "Passed over" in read(client, f"{address}{first.pk}/")
    lines = rows(read(client, address_of(story.over, "games.csv")))
    of_first = [line for line in lines if line["game"] == str(first.index)]
    assert {line["counts"] for line in of_first} <= {"0", "1"}
    assert of_first[0]["counts"] == "0"
    assert "disqualified, all its games are void" in read(client, address_of(story.over))


def test_a_name_that_no_database_takes_is_not_found(story: Story, as_user: As) -> None:
    address = f"{ASSIGNMENT}tournaments/agents/a%00b/"
    assert status(as_user(story.world.ada), address) == 404


def test_pairs_are_shaded_by_their_means(story: Story, as_user: As) -> None:
    page = read(as_user(story.world.ada), address_of(story.over))
    assert '<td class="heat-0">' in page
    assert '<td class="heat-4">' in page
    assert page.count('<td class="itself">') == story.over.participants.count()


def test_an_agents_page_has_all_that_its_reader_may_see(story: Story, as_user: As) -> None:
    name = story.over.participants.get(number=0).name
    address = f"{ASSIGNMENT}tournaments/agents/{name}/"
    student, staff = (read(as_user(user), address) for user in (story.world.ben, story.world.ida))
    assert "Spring cup" in student
    assert "Second cup" in student
    assert "Trial" not in student
    assert "Trial" in staff
    assert status(as_user(story.world.ben), f"{ASSIGNMENT}tournaments/agents/Nobody/") == 404


def test_a_page_asks_for_news_only_while_games_are_played(story: Story, as_user: As) -> None:
    client = as_user(story.world.ida)
    assert 'hx-trigger="every' in read(client, address_of(story.running, "live/"))
    assert 'hx-trigger="every' not in read(client, address_of(story.over, "live/"))


def test_whoever_has_the_present_standings_is_told_the_progress_alone(
    story: Story, as_user: As, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = as_user(story.world.ida)
    found = re.search(r'hx-get="([^"]+)"', read(client, address_of(story.running)))
    assert found is not None
    address = html.unescape(found[1])
    with django_assert_max_num_queries(6):
        response = client.get(address)
    assert response["HX-Reswap"] == "none"
    assert 'hx-swap-oob="true"' in text_of(response)
    assert "standings" not in text_of(response)
    tables.play(story.running)
    later = client.get(address)
    assert "HX-Reswap" not in later
    assert "Final standings" in text_of(later)


def test_what_waits_says_for_how_many_games(story: Story, as_user: As) -> None:
    before = Job.objects.filter(tournament=story.running, status=JobStatus.QUEUED)
    ahead = before.aggregate(games=Sum("n_games"))["games"]
    client = as_user(story.world.ida)
    page = read(client, address_of(story.hidden))
    assert f"Waiting for a grader: {ahead} games of this course are ahead" in page
    assert "No grader is ready" in page
    record_grader(a_report(queues=("graded",)), key=GRADER_KEY)
    assert "No grader is ready" not in read(client, address_of(story.hidden, "live/"))
    assert "Waiting" not in read(client, address_of(story.running))


def test_staff_see_who_sat_at_spoiled_games(story: Story, as_user: As) -> None:
    spoiled = list(story.over.games.exclude(fault_kind=""))
    beside = Counter(number for game in spoiled for number in set(game.numbers) - {CRASHES})
    games = max(beside.values())
    assert {game.culprit for game in spoiled} == {CRASHES}
    found = selectors.faults(story.over)[0].beside[0]
    assert found[1] == games == beside[found[0].number]
    shown = f"{found[0].name} {games}"
    assert shown in read(as_user(story.world.ida), address_of(story.over))
    assert "Most often at the same table" not in read(
        as_user(story.world.ada), address_of(story.over)
    )


def test_the_download_of_ones_data_names_tournaments_that_are_released(
    story: Story, as_user: As
) -> None:
    text = read(as_user(story.world.ada), "/accounts/profile/download/")
    assert "Second cup" in text
    assert "Trial" not in text


@pytest.mark.parametrize("rest", ["cancel/", "resume/", "release/", "participants/0/exclude/"])
def test_only_instructors_decide(rest: str, story: Story, as_user: As) -> None:
    address = address_of(story.running, rest)
    data = {"stage": "results", "reason": "copied", "how": "disqualify"}
    for user in (story.world.ada, story.world.cleo):
        assert as_user(user).post(address, data).status_code == 403
    assert as_user(None).post(address, data).status_code == 302
    assert as_user(story.world.ida).get(address).status_code in (200, 302)
    story.running.refresh_from_db()
    assert (story.running.status, story.running.stage) == (Status.PLAYING, Stage.PARTICIPANTS)


def test_it_can_be_stopped_and_go_on(story: Story, as_user: As) -> None:
    client = as_user(story.world.ida)
    client.post(address_of(story.running, "cancel/"))
    assert "Resume tournament" in read(client, address_of(story.running))
    client.post(address_of(story.running, "resume/"))
    played = tables.play(story.running)
    assert (played.status, played.games_done) == (Status.FINISHED, played.n_games)


def test_taking_somebody_out_needs_a_reason(story: Story, as_user: As) -> None:
    client, address = as_user(story.world.ida), address_of(story.over, "participants/4/exclude/")
    page = client.post(address, {"reason": " ", "how": "disqualify"}, follow=True)
    assert "Give a reason" in text_of(page)
    client.post(address, {"reason": "copied", "how": "disqualify"})
    assert story.over.participants.get(number=4).excluded_from_round == 0


FORM = {
    "title": "Autumn cup", "sizes": ["2"], "length": "3", "length_of": "rounds",
    "games_per_table": "2", "self_play_games": "0", "fillers": ["iggi"],
    "faults_to_removal": "3", "overtime": "counted", "forbidden": "removed",
}  # fmt: skip


@pytest.fixture
def entered(world: World) -> World:
    """Two teams with a submission."""
    for user in (world.ada, world.ben):
        tournaments.enter(world, user)
    return world


def test_an_instructor_starts_one_from_the_form(entered: World, as_user: As) -> None:
    client = as_user(entered.ida)
    address = ASSIGNMENT + "tournaments/new/"
    assert "2 teams would take part" in read(client, address)
    response = client.post(address, FORM)
    found = Tournament.objects.get()
    assert response["Location"] == address_of(found)
    assert (found.title, found.n_games, found.stage) == ("Autumn cup", 6, Stage.HIDDEN)
    assert found.parsed_spec.policy.forbidden == "removed"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"length_of": "half_width"}, "not known yet"),
        ({"sizes": ["5"], "fillers": []}, "do not fill a table of 5"),
        ({"references": ["iggi"]}, "cannot do both"),
        ({"sizes": ["6"]}, "Select a valid choice"),
        ({"rotated": "on", "games_per_table": "3"}, "must be a multiple"),
    ],
)
def test_a_form_that_makes_no_tournament_says_why(
    changes: dict[str, object], words: str, entered: World, as_user: As
) -> None:
    page = as_user(entered.ida).post(ASSIGNMENT + "tournaments/new/", {**FORM, **changes})
    assert words in text_of(page)
    assert not Tournament.objects.exists()


def test_the_form_is_the_instructors(entered: World, as_user: As) -> None:
    for user, code in ((entered.ada, 403), (entered.cleo, 403), (None, 302)):
        assert as_user(user).post(ASSIGNMENT + "tournaments/new/", FORM).status_code == code
    assert not Tournament.objects.exists()


def test_students_find_tournaments_once_there_is_one(entered: World, as_user: As) -> None:
    assert "/tournaments/" not in read(as_user(entered.ada), ASSIGNMENT)
    started = tournaments.start(entered)
    assert "/tournaments/" not in read(as_user(entered.ada), ASSIGNMENT)
    Tournament.objects.filter(pk=started.pk).update(stage=Stage.PARTICIPANTS)
    assert "/tournaments/" in read(as_user(entered.ada), ASSIGNMENT)


@pytest.mark.parametrize("teams", [2, 5])
def test_a_tournaments_page_takes_the_same_queries_for_any_number_of_teams(
    teams: int,
    world: World,
    as_user: As,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    names = ["Eva Doe", "Finn Doe", "Gus Doe"]
    people = [world.ada, world.ben, *(tournaments.student(world.course, each) for each in names)]
    for user in people[:teams]:
        tournaments.enter(world, user)
    found = tables.play(tournaments.start(world), tables.always(0))
    client = as_user(world.ida)
    client.get(address_of(found))  # the plan's balance is computed once
    with django_assert_num_queries(18):
        client.get(address_of(found))


def test_a_released_tournament_of_a_public_board_is_open_to_visitors_by_aliases(
    story: Story, as_user: As
) -> None:
    Assignment.objects.update(leaderboard=LeaderboardVisibility.PUBLIC)
    Course.objects.update(show_names=True)
    stranger = worlds.person("Stella Strange")
    for user in (None, stranger):
        for rest in ("", "live/", "screen/"):
            page = read(as_user(user), address_of(story.over, rest))
            assert "Final standings" in page
            assert "Doe" not in page
            assert "Lovelace" not in page
            assert "submitted another" not in page
            links = set(re.findall(rf'href="/tournaments/{story.over.uuid}/([^"]*)"', page))
            assert links <= {"", "screen/"}
    assert "Spring cup" in read(as_user(None), "/boards/")


@pytest.mark.parametrize("rest", ["participants/0/", "games/", "export/", "standings.csv"])
def test_visitors_see_standings_and_nothing_else(story: Story, as_user: As, rest: str) -> None:
    Assignment.objects.update(leaderboard=LeaderboardVisibility.PUBLIC)
    assert status(as_user(None), address_of(story.over, rest)) == 302
    assert status(as_user(worlds.person("Stella Strange")), address_of(story.over, rest)) == 404


def test_what_is_not_released_or_not_public_is_closed_to_visitors(
    story: Story, as_user: As
) -> None:
    for found in (story.over, story.running, story.hidden):
        for rest in ("", "live/"):
            assert status(as_user(None), address_of(found, rest)) == 302
    Assignment.objects.update(leaderboard=LeaderboardVisibility.PUBLIC)
    for found in (story.running, story.hidden):
        assert status(as_user(None), address_of(found)) == 302
        assert status(as_user(worlds.person(f"S{found.pk} S")), address_of(found)) == 404


@pytest.mark.parametrize("name", ["hanabi", "hearts"])
def test_the_table_of_pairs_says_whether_faint_is_better(name: str) -> None:
    rules = game_from_options(name, {})
    text = render_to_string("tournaments/_matrix.html", {"game": rules, "people": [], "matrix": []})
    assert ("faint is better" in text) == rules.lower_is_better
