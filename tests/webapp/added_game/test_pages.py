"""A site with a game from an installed package that brings rules alone: every page, every role."""

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone

from grader.core.games import GAMES, game_from_options, presented
from grader.core.games.versions import version_of
from grader.interfaces import INTERFACES
from tests.support import every_address
from tests.support import world as worlds
from tests.support.every_address import routes
from tests.support.html_forms import form_with
from tests.support.pages import signed_in
from webapp.base.errors import Refused
from webapp.contests.playing import visitors
from webapp.contests.tournaments.models import Tournament
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.pages.guide import pages
from webapp.pages.sharing.preview import preview
from webapp.pages.turn_pictures import turn_picture
from webapp.people.accounts.tokens import create_token
from webapp.runtime.checks import games_in_use_are_installed
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.services import update_assignment
from webapp.teaching.courses.validation import deal_count_errors

pytestmark = [pytest.mark.django_db]

GAME = "connect_four"


@pytest.mark.parametrize(
    ("game", "state"),
    [
        (GAME, "installed"),
        (GAME, "missing"),
        ("goofspiel", "installed"),
        ("patience:guessing_12", "installed"),
    ],
)
def test_every_page_opens(
    game: str, state: str, believed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    thing = every_address.make(game, f"{game}/random_legal")
    if state == "missing":
        monkeypatch.delitem(GAMES, game)
        monkeypatch.setattr(pages, "PAGES", [page for page in pages.PAGES if page.rules_of != game])
    visitors.offered_games.cache_clear()
    opened = 0
    for role in ("visitor", "owner", "instructor", "operator"):
        client = signed_in(thing.people[role])
        for name, route in routes():
            address = thing.address(name, route)
            status = client.get(address).status_code
            assert status < 500, (name, address)
            opened += status == 200
    assert opened > 200
    if state == "missing":
        address = f"/courses/{thing.world.course.slug}/assignments/{thing.world.assignment.slug}/"
        page = signed_in(thing.world.ada).get(address).content.decode()
        assert "Connect Four is not installed on this site any more. Results are kept." in page
        with pytest.raises(Refused, match="Connect Four is not installed"):
            worlds.upload(thing.world, thing.world.ada)


def test_an_instructor_creates_an_assignment_with_the_values_that_the_form_shows() -> None:
    world = worlds.make()
    client = signed_in(world.ida)
    address = f"/courses/{world.course.slug}/new-assignment/"
    assert 'value="lines-cpp"' not in client.get(address, {"game": "hanabi"}).content.decode()
    page = client.get(address, {"game": GAME}).content.decode()
    assert 'value="lines-cpp"' in page
    fields = form_with(page, "title") | {"title": ["Four in a row"], "slug": ["four"]}
    fields["due_at"] = ["2099-01-01T12:00"]
    assert fields["game"] == [GAME]
    refused = client.post(address, fields | {"n_games": ["4000"]})
    assert "4000 games: Connect Four has 1120 different deals" in refused.content.decode()
    made = client.post(address, fields)
    assert made.status_code == 302, made.context["form"].errors
    assignment = Assignment.objects.get(slug="four")
    assert assignment.opponents == [f"{GAME}/random_legal", f"{GAME}/four_ahead"]
    for name, interface in INTERFACES.items():
        if not interface.rules.game:
            kit = client.get(
                f"/courses/{world.course.slug}/assignments/four/starter-kit/", {"interface": name}
            )
            assert kit.status_code == 200, name
    for kind in GAMES.values():
        if kind.__module__.startswith("firebox_games."):
            # Openings suffice; cards and dice come again with their odds.
            both, game = ["random", "better"], kind.from_options({})
            assert deal_count_errors({"n_games": 500}, both, game) == {}, kind.name


def test_an_assignment_keeps_the_version_of_its_game_once_it_is_graded() -> None:
    world = worlds.make(game=GAME, options={"players": 2})
    assignment, installed = world.assignment, version_of(GAMES[GAME])
    assert assignment.game_version == installed
    Assignment.objects.update(game_version="1-0123456789abcdef")
    assignment.refresh_from_db()
    with pytest.raises(Refused, match=f"is for Connect Four 1-0123.*now has {installed}"):
        worlds.upload(world, world.ada)
    edit = f"/courses/{world.course.slug}/assignments/{assignment.slug}/edit/"
    assert signed_in(world.ida).get(edit).status_code == 200
    update_assignment(assignment=assignment, by=world.ida)
    assert assignment.game_version == installed
    world.assignment.refresh_from_db()
    worlds.upload(world, world.ada)
    Evaluation.objects.update(kind=Kind.GRADED)
    Assignment.objects.update(game_version="1-0123456789abcdef")
    assert signed_in(world.ida).get(edit).status_code == 302
    assignment.refresh_from_db()
    update_assignment(assignment=assignment, by=world.ida)
    assert assignment.game_version != installed
    (error,) = games_in_use_are_installed(databases=["default"])
    assert error.msg == (
        f"The assignment {assignment} of {world.course} needs {GAME} 1-0123456789abcdef."
    )


def test_another_version_is_taken_in_one_act_that_grades_all_again() -> None:
    world = worlds.make(game=GAME, options={"players": 2}, games=4, practice_games=4)
    submission = worlds.submit_and_practise(world, world.ada)
    graded = worlds.grade(world, world.ada)
    client = signed_in(world.ida)
    address = f"/courses/{world.course.slug}/assignments/{world.assignment.slug}/"
    assert client.get(f"{address}grade/again/").status_code == 404
    Assignment.objects.update(game_version="1-0123456789abcdef")
    assert "There is another version of the game" in client.get(f"{address}teams/").content.decode()
    assert f'value="{GAME}"' in client.get(f"{address}grade/again/").content.decode()
    form = {"version": GAME}
    assert signed_in(world.cleo).post(f"{address}grade/again/", form).status_code == 403
    assert client.post(f"{address}grade/again/", form).status_code == 302
    world.assignment.refresh_from_db()
    assert world.assignment.game_version == version_of(GAMES[GAME])
    assert not Evaluation.objects.current().exists(), "the board would mix two versions"
    again = submission.evaluations.get(kind=Kind.GRADED, status="queued")
    grade = submission.team.grades.get(is_current=True)
    assert grade.evaluation == graded, "nobody loses a point before"
    worlds.play(again)
    assert submission.team.grades.get(is_current=True).evaluation == again
    assert [run.pk for run in Evaluation.objects.current()] == [again.pk]


def test_a_visitor_reads_its_page_and_plays_it() -> None:
    visitors.offered_games.cache_clear()
    client = signed_in(None)
    page = client.get("/guide/connect-four/").content.decode()
    assert "discs fall into seven columns" in page
    assert GAMES[GAME].endings["line"] in page
    assert "--against house:connect_four/random_legal --games 100" in page
    lines = client.get("/guide/lines/").content.decode()
    assert "Connect Four: numbers, as on contest sites" in lines
    assert "&gt; X\n&gt; ......." in lines
    table = form_with(client.get("/play/").content.decode(), "game", GAME)
    seats = {"seat": "0", "agent1": f"house:{GAME}/random_legal"}
    begun = client.post("/play/", table | seats, follow=True)
    text = begun.content.decode()
    assert "Connect Four" in text
    assert "Drop into column 7" in text
    assert ". . . . . . ." in text
    assert "&quot;columns&quot;" not in text


def test_its_table_is_a_grid_without_scripts_and_in_previews() -> None:
    game = game_from_options(GAME, {})
    scenes = list(presented(game).scenes(bytes(32), [game.parse("d3")]))
    shown = turn_picture(game, scenes, ["Ada", "Ben"], {"turn": "0"})
    page = render_to_string("replays/_still.html", {"still": shown})
    assert page.count('role="row"') == 6
    assert page.count(" disc") == page.count("a red disc") + page.count("a yellow disc") + 5
    assert page.count('class="grid-cell new"') == 1
    assert preview("Connect Four", shown).startswith(b"\x89PNG")


def test_a_visitor_plays_a_game_of_joint_moves_to_its_end() -> None:
    visitors.offered_games.cache_clear()
    client = signed_in(None)
    table = form_with(client.get("/play/?game=goofspiel").content.decode(), "game", "goofspiel")
    seats = {"seat": "1", "agent0": "house:goofspiel/random_legal"}
    page = client.post("/play/", table | seats, follow=True)
    address = page.redirect_chain[-1][0]
    for bid in range(13, 0, -1):
        text = page.content.decode()
        assert f"Bid {bid}" in text
        assert "Seat 1 acts" in text
        form = form_with(text, "turn") | {"move": f"b{bid}"}
        page = client.post(f"{address}move/", form, follow=True)
    assert "ending: bids" in page.content.decode()


def test_a_visitor_plays_a_game_for_one_alone() -> None:
    visitors.offered_games.cache_clear()
    client = signed_in(None)
    game = "patience:guessing_8"
    assert (
        "Guess whether the next card" in client.get("/guide/patience-guessing-8/").content.decode()
    )
    table = form_with(client.get("/play/", {"game": game}).content.decode(), "game", game)
    page = client.post("/play/", table | {"seat": "0"}, follow=True)
    address = page.redirect_chain[-1][0]
    for _ in range(7):
        form = form_with(page.content.decode(), "turn") | {"move": "higher"}
        page = client.post(f"{address}move/", form, follow=True)
    assert "ending: deck" in page.content.decode()


def test_games_that_are_won_drawn_or_lost_are_counted_so_on_every_page() -> None:
    thing = every_address.make(GAME, f"{GAME}/random_legal")
    world, words = thing.world, thing.words
    client, evaluation = (
        signed_in(world.ida),
        Evaluation.objects.get(uuid=words["evaluations.uuid"]),
    )
    wins, draws, losses = (dict(evaluation.histogram).get(score, 0) for score in (1, 0, -1))
    assert wins + draws + losses == evaluation.n_games
    told = f"{wins} won, {draws} drawn, {losses} lost"
    course = f"/courses/{world.course.slug}/assignments/{world.assignment.slug}"
    for address in (f"/evaluations/{evaluation.uuid}/", f"{course}/leaderboard/"):
        assert told in client.get(address).content.decode(), address
    games = client.get(f"/evaluations/{evaluation.uuid}/games/").content.decode()
    assert games.count('<td class="n">lost</td>') == losses
    board = client.get(f"{course}/leaderboard.csv").content.decode()
    assert "Wins,Draws,Losses,Faults" in board
    assert evaluation.submission
    token = create_token(user=world.ada, name="laptop", at=timezone.now(), scope="read")
    asked = Client(headers={"authorization": f"Bearer {token}"})
    found = asked.get(f"/api/v1/submissions/{evaluation.submission.pk}").json()["evaluations"]
    (shown,) = [each for each in found if each["id"] == str(evaluation.uuid)]
    assert (shown["wins"], shown["draws"], shown["losses"]) == (wins, draws, losses)
    tournament = Tournament.objects.get(uuid=words["tournaments.uuid"])
    assert tournament.standings is not None
    assert tournament.cross_play is not None
    row = next(row for row in tournament.standings.rows if row.games)
    page = client.get(f"/tournaments/{tournament.uuid}/").content.decode()
    assert row.tally
    assert row.tally.words in page
    assert "Games that the row’s agent won, drew and lost" in page
    for name in ("standings", "matrix"):
        file = client.get(f"/tournaments/{tournament.uuid}/{name}.csv").content.decode()
        assert file.splitlines()[0].endswith(",wins,draws,losses")
