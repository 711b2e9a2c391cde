"""Leaderboard and gradebook pages."""

import html
import re

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from tests.support import boards
from tests.support import world as worlds
from tests.support.pages import read, signed_in, text_of
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.flow.pipeline import answer_regrade
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.services import request_house
from webapp.grading.gradebook.services import ask_regrade
from webapp.teaching.courses.models import Assignment, Enrolment, LeaderboardVisibility
from webapp.teaching.courses.services import set_leaderboard

pytestmark = pytest.mark.django_db

BOARD = "/courses/coop/assignments/hanabi/leaderboard"
GRADES = "/courses/coop/assignments/hanabi/grades"


@pytest.fixture
def graded(db: None) -> World:
    """Ada and Ben with the same agent, so the same mean; a house agent beside them."""
    return copy_of(make_graded)


def make_graded() -> World:
    world = worlds.make()
    for user in (world.ada, world.ben):
        worlds.submit_and_practise(world, user)
        worlds.grade(world, user)
    for run in request_house(assignment=world.assignment, by=world.ida, names=["outer"]):
        worlds.play(run, agent="outer")
    return world


def test_an_empty_board_says_what_to_wait_for(world: World) -> None:
    assert "started by the instructor" in read(signed_in(world.ada), BOARD + "/")


def test_a_board_marks_shared_ranks_my_row_house_agents_and_histories(graded: World) -> None:
    page = read(signed_in(graded.ada), BOARD + "/")
    assert page.count('1<span class="sr-only"> shared</span>') == 2
    assert page.count('<span class="you">you</span>') == 1
    assert page.count('id="your-row"') == 1
    assert "You are 1st of 2" in page
    assert page.count('class="scale-line"') == 1
    assert "agents/outer/" in page
    assert read(signed_in(graded.ada), BOARD + "/").count('aria-label="Practice means: ') == 2


@pytest.mark.slow
def test_the_key_explains_only_what_is_drawn_and_the_rows_around_me_are_no_page(db: None) -> None:
    story = copy_of(boards.tell, teams=45)
    client = signed_in(story.world.ida)
    keys = "The leader’s interval", "House agent, for comparison", "Still playing, so not final"
    first, second = (read(client, f"{BOARD}/?page={number}") for number in (1, 2))
    assert all(key in first for key in keys)
    assert not any(key in second for key in keys)
    assert 'class="scale-band"' not in second
    client = signed_in(story.world.ada)
    page = " ".join(read(client, BOARD + "/?around=1").split())
    assert "Around you: 40 of 45 teams." in page
    assert "Page 1 of 2" not in page
    assert "Page 1 of 2, 45 teams." in " ".join(read(client, BOARD + "/").split())


def test_an_agent_has_a_page_and_a_stranger_none(graded: World) -> None:
    alias = worlds.team_of(graded, graded.ben).alias
    for name, title in ((alias, alias), ("outer", "Otto")):
        page = read(signed_in(graded.ada), f"{BOARD}/agents/{name}/")
        assert f"<h1>{title}</h1>" in page
        assert "Okri" not in page
    assert signed_in(graded.ada).get(f"{BOARD}/agents/Nobody Here/").status_code == 404
    page = read(signed_in(graded.ada), f"{BOARD}/agents/outer/")
    assert "Its graded games open when the deals are revealed." in page
    assert "open to people of this course" not in page
    alias = worlds.team_of(graded, graded.ada).alias
    page = read(signed_in(graded.ada), f"{BOARD}/agents/{alias}/")
    practice = Evaluation.objects.get(
        submission__team=worlds.team_of(graded, graded.ada), kind="practice"
    )
    assert page.count(f"/evaluations/{practice.uuid}/games/") == 5


def test_the_screen_has_the_board_and_no_page_around_it(graded: World) -> None:
    page = read(signed_in(graded.ada), BOARD + "/screen/")
    assert 'class="on-screen"' in page
    assert page.count("<tr ") == 3
    assert "masthead" not in page


def test_a_poll_brings_nothing_until_something_changes(graded: World) -> None:
    client = signed_in(graded.ada)
    found = re.search(r'hx-get="([^"]+)"', read(client, BOARD + "/"))
    assert found is not None
    address = html.unescape(found[1])
    tag = client.get(BOARD + "/").context["watch"].tag
    poll = {"If-None-Match": tag}
    assert client.get(address, headers=poll).status_code == 304
    Evaluation.objects.filter(kind="graded").update(finished_at=timezone.now())
    answer = client.get(address, headers=poll)
    assert answer.status_code == 200
    assert 'id="board"' in text_of(answer)


def test_instructors_choose_the_house_agents_that_are_lines(graded: World) -> None:
    for name in ("outer", "piers"):
        (run,) = request_house(assignment=graded.assignment, by=graded.ida, names=[name])
        worlds.play(run, agent=name)
    ida, lines = signed_in(graded.ida), BOARD + "/lines/"
    before = ida.get(BOARD + "/").context["watch"].tag
    ida.post(lines, {"line": ["piers", "unheard-of"]})
    assert Assignment.objects.get(pk=graded.assignment.pk).board_lines == ["piers"]
    response = ida.get(BOARD + "/")
    assert response.context["watch"].tag != before
    assert 'value="piers" checked' in " ".join(text_of(response).split())
    assert "Draw lines" not in read(signed_in(graded.ada), BOARD + "/")
    many = ["outer", "piers", "iggi", "information", "convention"]
    assert "Choose at most 4" in text_of(ida.post(lines, {"line": many}, follow=True))


def test_practice_has_a_board_of_its_own_whose_points_are_called_a_forecast(graded: World) -> None:
    client, unit = signed_in(graded.ada), '<span class="unit">forecast:</span>'
    assert unit in read(client, BOARD + "/?kind=practice")
    assert unit not in read(client, BOARD + "/?kind=graded")
    assert "practice games" in read(signed_in(graded.ada), BOARD + "/?kind=practice")


def test_a_mean_without_an_interval_stands_alone(graded: World) -> None:
    """One deal has no interval, however many games were played on it."""
    Evaluation.objects.filter(kind="graded").update(low=None, high=None)
    alias = worlds.team_of(graded, graded.ada).alias
    for address in (BOARD + "/", f"{BOARD}/agents/{alias}/"):
        page = read(signed_in(graded.ada), address)
        assert alias in page
        assert "± –" not in page


def test_a_search_without_a_match_says_so(graded: World) -> None:
    page = read(signed_in(graded.ada), BOARD + "/?find=wren+<z>")
    assert "No team is called “wren &lt;z&gt;”" in page


def test_students_see_aliases_and_staff_names(graded: World) -> None:
    student, staff = (read(signed_in(user), BOARD + "/") for user in (graded.ada, graded.ida))
    assert worlds.team_of(graded, graded.ben).alias in student
    assert "Ben Okri" not in student
    assert "Ben Okri" in staff
    response = signed_in(graded.ada).get(BOARD + ".csv")
    assert "Ben Okri" not in text_of(response)
    assert response["Content-Type"].startswith("text/csv")


def test_a_visitor_of_a_public_board_sees_no_names_and_no_links(graded: World) -> None:
    set_leaderboard(
        assignment=graded.assignment, by=graded.ida, visibility=LeaderboardVisibility.PUBLIC
    )
    alias = worlds.team_of(graded, graded.ada).alias
    places = ("/", ".csv", "/live/", "/screen/", f"/agents/{alias}/", "/agents/outer/")
    for address in (*(BOARD + place for place in places), BOARD + "/?kind=practice"):
        page = read(signed_in(None), address)
        assert "Okri" not in page
        assert "Lovelace" not in page
        assert "/evaluations/" not in page


@pytest.mark.slow
def test_grades_come_with_their_evidence_and_the_submission_they_are_of(graded: World) -> None:
    page = read(signed_in(graded.ida), GRADES + "/")
    grade = worlds.team_of(graded, graded.ada).grades.get()
    assert "2 of 2 graded" in page
    assert f"/evaluations/{grade.evaluation.uuid}/export/" in page
    page = read(signed_in(graded.ada), "/courses/coop/assignments/hanabi/")
    assert "Your grade" in page
    assert "Okri" not in page
    worlds.submit_and_practise(graded, graded.ada)
    row = (
        read(signed_in(graded.ida), GRADES + "/").partition("Ada Lovelace")[2].partition("</tr>")[0]
    )
    assert "submission 1" in row
    assert "submission 2" not in row
    assert "outdated" in row


def test_an_open_regrade_request_says_itself_what_happens_to_it(graded: World) -> None:
    assignment, ada, ida = graded.assignment, graded.ada, graded.ida
    first = ask_regrade(assignment=assignment, user=ada, text="Why so few?")
    answer_regrade(request=first, by=ida, outcome="kept", answer="By the scheme.")
    second = ask_regrade(assignment=assignment, user=ada, text="And game 4?")
    enrolment = Enrolment.objects.get(course=graded.course, user=ada)
    staff_page = reverse("gradebook:student", args=["coop", "hanabi", enrolment.pk])
    own_page = reverse("gradebook:own", args=["coop", "hanabi"])
    for reader, address, words in (
        (ida, staff_page, "Answer this request"),
        (ada, own_page, "Staff answer this one first."),
    ):
        page = read(signed_in(reader), address)
        own_box, other_box = (
            page.partition(f'id="request-{request.pk}"')[2].partition("</article>")[0]
            for request in (second, first)
        )
        assert words in own_box
        assert words not in other_box
        assert page.count(words) == 1


def test_names_that_look_like_formulas_are_harmless_in_csv(db: None) -> None:
    world = worlds.make(names=("=cmd|calc", "Ben Okri", "Cleo Vance"))
    text = text_of(signed_in(world.ida).get(GRADES + ".csv"))
    assert ",=cmd" not in text
    assert "\n=cmd" not in text


@pytest.mark.slow
def test_hostile_names_are_escaped_everywhere(db: None) -> None:
    world = worlds.make(names=("<script>alert(1)</script>", "Ben Okri", "Cleo Vance"))
    worlds.submit_and_practise(world, world.ada)
    worlds.grade(world, world.ada)
    for address in (GRADES + "/", BOARD + "/", "/courses/coop/people/",
                    "/courses/coop/assignments/hanabi/teams/"):  # fmt: skip
        page = read(signed_in(world.ida), address)
        assert "<script>alert" not in page, address
        assert "&lt;script&gt;alert" in page, address


@pytest.mark.slow
@pytest.mark.parametrize("teams", [1, 3])
@pytest.mark.parametrize(("address", "queries"), [(BOARD + "/", 22), (GRADES + "/", 18)])
def test_boards_take_no_more_queries_for_more_teams(
    teams: int,
    address: str,
    queries: int,
    world: World,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for user in (world.ada, world.ben, world.cleo)[:teams]:
        worlds.submit_and_practise(world, user)
        worlds.grade(world, user)
    client = signed_in(world.ida)
    with django_assert_max_num_queries(queries):
        client.get(address)
