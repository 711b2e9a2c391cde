"""Playing on from a turn of a game that is over: who may, from what, and what comes of it."""

import re
from io import BytesIO

import pytest
from django.utils import timezone

from grader.core.live import SeatFault, SeatReport, SeatRequest
from grader.core.records import FaultKind, Record, from_json
from grader.results.replay import replay
from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.contests.playing.services import leave
from webapp.contests.playing.services.answers import record_answer
from webapp.flow.lifecycle.exporting import write_course
from webapp.flow.lifecycle.services.archiving import archive_course, unarchive_course
from webapp.flow.lifecycle.services.importing import import_course
from webapp.grading.evaluations.models import Evaluation, GameResult
from webapp.grading.jobs.models import Job
from webapp.grading.jobs.owners import owner_of
from webapp.people.accounts.identities import confirm_address
from webapp.teaching.courses.models import PlayWith

pytestmark = pytest.mark.django_db

HOUSE = {"seat0": "house:piers", "seat1": "house:piers"}


@pytest.fixture
def practice(world: World) -> Evaluation:
    """Ada's, of which the second game ended with a fault."""
    submission = worlds.submit_and_practise(world, world.ada, faults={1})
    return submission.evaluations.get(kind="practice")


def address(evaluation: Evaluation, index: int = 0, rest: str = "on/") -> str:
    return f"/evaluations/{evaluation.uuid}/games/{index}/{rest}"


def record(evaluation: Evaluation, index: int = 0) -> Record:
    found = evaluation.results.get(index=index).record
    assert found is not None
    return found


def test_agents_play_on_from_the_turn_that_the_address_names(
    world: World, practice: Evaluation
) -> None:
    client = signed_in(world.ada)
    before = (GameResult.objects.count(), Evaluation.objects.count(), Job.objects.count())
    assert f'href="{address(practice)}?turn=9"' in text_of(
        client.get(address(practice, rest="?turn=9"))
    )
    page = text_of(client.get(address(practice) + "?turn=9"))
    assert "Play on after turn 9" in page
    answer = client.post(address(practice) + "?turn=9", HOUSE)
    game, began = HumanGame.objects.get(), record(practice).actions.split()[:10]
    assert answer["Location"] == f"/play/{game.uuid}/?turn=10"
    assert (game.seat, game.status, game.deal_seed) == (
        None,
        GameStatus.FINISHED,
        record(practice).deal_seed,
    )
    assert list(game.notations[:10]) == began
    assert before == (GameResult.objects.count(), Evaluation.objects.count(), Job.objects.count())
    page = text_of(client.get(answer["Location"]))
    assert f'<a href="{address(practice, rest="?turn=9")}">game 0 of Ada Lovelace #1</a>' in page
    assert "Piers at turn 10:" in page
    again = client.get(f"/play/{game.uuid}/record/").content
    played = from_json(again, Record)
    assert replay(played).scores() == played.scores
    assert played.actions == game.actions
    client.post(f"/play/{game.uuid}/again/", {"deal": "same"})
    assert HumanGame.objects.latest("pk").actions == game.actions


def test_a_game_that_a_fault_ended_goes_on_from_its_last_turn_and_no_other_from_its_end(
    world: World, practice: Evaluation
) -> None:
    last = f"?turn={len(record(practice).charged_us)}"
    page = text_of(signed_in(world.ada).get(address(practice) + last))
    assert "The game is over here." in page
    signed_in(world.ada).post(address(practice) + last, HOUSE)
    assert not HumanGame.objects.exists()
    client, crashed = signed_in(world.ada), record(practice, 1)
    page = text_of(client.get(address(practice, 1)))
    assert "is to act" in page
    client.post(address(practice, 1), HOUSE)
    game = HumanGame.objects.get()
    assert game.status == GameStatus.FINISHED
    assert game.actions.startswith(crashed.actions + " ")
    page = text_of(client.get(f"/play/{game.uuid}/"))
    assert "A fault ended game 1 of Ada Lovelace #1 there." in page


def test_a_student_seats_nobody_elses_agents(world: World, practice: Evaluation) -> None:
    theirs = worlds.submit_and_practise(world, world.ben)
    for sent in (
        {**HOUSE, "seat0": f"submission:{theirs.pk}"},
        {**HOUSE, "ask": f"submission:{theirs.pk}"},
        {"seat0": "you", "seat1": "you"},
    ):
        answer = signed_in(world.ada).post(address(practice), sent)
        assert 'role="alert"' in text_of(answer) or "Select a valid choice" in text_of(answer)
    assert not HumanGame.objects.exists()
    secret = worlds.grade(world, world.ada)
    assert signed_in(world.ada).post(address(secret), HOUSE).status_code == 403
    assert signed_in(world.ben).post(address(practice), HOUSE).status_code == 404
    assert signed_in(None).post(address(practice), HOUSE).status_code == 302
    assert not HumanGame.objects.exists()


def test_the_limits_of_games_with_agents_hold(world: World, practice: Evaluation) -> None:
    client = signed_in(world.ada)
    for _ in range(4):
        page = text_of(client.post(address(practice), {**HOUSE, "seat0": "you"}, follow=True))
    assert "Leave one of them first." in page
    HumanGame.objects.open().update(status=GameStatus.LEFT, ended_at=timezone.now())
    archive_course(course=world.course, by=world.ida)
    assert "Play on from here" not in text_of(client.get(address(practice, rest="")))
    assert "archived" in text_of(client.post(address(practice), HOUSE))
    unarchive_course(course=world.course, by=world.ida)
    world.assignment.play_with = PlayWith.NOBODY
    world.assignment.save()
    assert "Play on from here" not in text_of(client.get(address(practice, rest="")))
    assert "has no games with agents" in text_of(client.post(address(practice), HOUSE))
    assert HumanGame.objects.count() == 3


def test_a_person_plays_on_and_sees_their_own_seat_alone(
    world: World, practice: Evaluation
) -> None:
    client = signed_in(world.ada)
    client.post(address(practice) + "?turn=9", {**HOUSE, "seat0": "you"})
    game = HumanGame.objects.get()
    page = text_of(client.get(f"/play/{game.uuid}/"))
    assert "seat 1     ??           ??" in page
    assert game.deal_seed not in page
    assert client.get(f"/play/{game.uuid}/on/")["Location"] == f"/play/{game.uuid}/"
    leave(game=game, by=world.ada)
    assert "Play on from here" in text_of(client.get(f"/play/{game.uuid}/"))
    client.post(f"/play/{game.uuid}/on/?turn=deal", HOUSE)
    assert HumanGame.objects.latest("pk").origin["turns"] == 0
    assert client.get(f"/play/{game.uuid}/record/")["Location"] == f"/play/{game.uuid}/"


def test_a_submission_is_told_what_was_played_and_what_it_would_have_done_is_shown(
    world: World, practice: Evaluation
) -> None:
    client, key = signed_in(world.ada), f"submission:{practice.submission_id}"
    client.post(address(practice) + "?turn=9", {**HOUSE, "ask": key})
    game = HumanGame.objects.get()
    job = game.jobs.open().get()
    request = owner_of(job).request_of(job)
    assert isinstance(request, SeatRequest)
    assert request.actions.split() == record(practice).actions.split()[:10]
    report = SeatReport(
        ask=request.ask,
        request=request.digest(),
        fault=SeatFault(kind=FaultKind.CRASH, detail="ended during the game"),
        differs_at=2,
    )
    record_answer(report)
    page = text_of(client.get(f"/play/{game.uuid}/"))
    assert re.search(r"it answered\s+turn\s+2\s+otherwise", page)
    played = from_json(client.get(f"/play/{game.uuid}/record/").content, Record)
    assert played.fault is not None
    assert replay(played).turn == 10


def test_an_imported_game_does_not_link_to_where_its_origin_was(
    world: World, practice: Evaluation
) -> None:
    client = signed_in(world.ada)
    client.post(address(practice) + "?turn=9", HOUSE)
    confirm_address(world.ada)  # of others, the imported course waits to be told who they are
    archive_course(course=world.course, by=world.ida)
    file = BytesIO()
    world.course.refresh_from_db()
    write_course(world.course, file, at=timezone.now())
    import_course(file=file, by=world.ida, slug="again")
    for game, links in zip(HumanGame.objects.order_by("pk"), (1, 0), strict=True):
        page = text_of(client.get(f"/play/{game.uuid}/"))
        assert page.count(f'href="{address(practice, rest="")}?turn=9"') == links
        assert re.search(r"Played on after 10 turns of\s+(<[^>]+>)?game 0 of", page)
