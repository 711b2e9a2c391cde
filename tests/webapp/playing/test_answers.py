"""Submissions in people's games: a grader is asked, its answer recorded once."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from grader.core.errors import RecordError
from grader.core.live import SeatFault, SeatReport, SeatRequest
from grader.core.records import Evidence, FaultKind
from tests.webapp.playing.conftest import Start, play_first
from webapp.base.errors import Refused
from webapp.contests.playing.models import GameStatus, HumanGame
from webapp.contests.playing.selectors import agents_for
from webapp.contests.playing.services import act, end_idle_games, leave, play_again, start_game
from webapp.contests.playing.services.answers import record_answer
from webapp.contests.playing.services.ending import IDLE_AFTER, UNANSWERED_AFTER
from webapp.flow.metrics import exposition
from webapp.grading.jobs.leases import expire_leases
from webapp.grading.jobs.models import Job, JobStatus
from webapp.grading.jobs.owners import owner_of
from webapp.grading.jobs.queues import Queue
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, PlayWith, Team
from webapp.teaching.courses.services import rename_team

pytestmark = pytest.mark.django_db

PLAYS = {"type": "play", "card": 0}


@pytest.fixture
def own(team: Team, ready: Callable[..., Submission]) -> Submission:
    return ready(team)


@pytest.fixture
def game(start: Start, own: Submission) -> HumanGame:
    game = start(agents=(f"submission:{own.pk}",))
    play_first(game)
    return game


def asked(game: HumanGame) -> tuple[Job, SeatRequest]:
    job = game.jobs.open().get()
    request = owner_of(job).request_of(job)
    assert isinstance(request, SeatRequest)
    return job, request


def answer(game: HumanGame, **fields: object) -> SeatReport:
    _, request = asked(game)
    report = SeatReport(ask=request.ask, request=request.digest())
    return replace(report, **fields)  # type: ignore[arg-type]  # fields of the report


def test_a_grader_is_asked_for_the_turn(game: HumanGame, own: Submission) -> None:
    job, request = asked(game)
    assert (job.queue, job.payload) == (Queue.LIVE, {"turn": 1, "seat": 1})
    assert (request.seat, request.actions, request.agent.sha256) == (1, "p0", own.sha256)
    assert (request.table, request.deal_seed) == (str(game.uuid), game.deal_seed)


def test_a_person_does_not_move_for_the_agent(game: HumanGame) -> None:
    with pytest.raises(Refused, match="not your turn"):
        act(game=game, by=game.person, turn=1, move="p0")
    game.refresh_from_db()
    assert game.turns == 1


def test_an_answer_is_played_once(game: HumanGame) -> None:
    report = answer(game, action=PLAYS, charged_us=1500)
    record_answer(report, key="a" * 64)
    record_answer(report, key="a" * 64)
    game.refresh_from_db()
    assert (game.actions, game.charged_us) == ("p0 p0", [None, 1500])
    assert Job.objects.get(human_game=game).status == JobStatus.FINISHED


def test_a_fault_ends_the_game_with_what_was_printed(game: HumanGame) -> None:
    evidence = Evidence(sent="", received="", stderr="hm\x00", exit="exit status 1")
    fault = SeatFault(kind=FaultKind.CRASH, detail="ended during the game")
    record_answer(answer(game, fault=fault, evidence=evidence))
    game.refresh_from_db()
    assert (game.status, game.printed[:2]) == (GameStatus.FAULTED, "hm")
    assert game.ending_fault is not None
    assert (game.ending_fault.seat, game.ending_fault.turn) == (1, 1)


def test_an_agent_that_is_told_of_a_game_played_on_has_time_for_its_turns(game: HumanGame) -> None:
    job, _ = asked(game)
    slack = owner_of(job).slack_seconds(job)
    game.origin = {"address": "", "title": "a game", "turns": 30, "move": ""}
    job, _ = asked(game)
    assert owner_of(job).slack_seconds(job) == slack + 15 * game.agent_limits.turn_seconds


@pytest.mark.parametrize(
    "action", [{"type": "play", "card": True}, {"type": "refused", "why": "null"}, {}]
)
def test_an_illegal_answer_is_a_fault(game: HumanGame, action: dict[str, object]) -> None:
    record_answer(answer(game, action=action))
    game.refresh_from_db()
    assert game.ending_fault is not None
    assert game.ending_fault.kind is FaultKind.ILLEGAL


def test_an_agent_that_answers_otherwise_when_begun_again_is_told_of(game: HumanGame) -> None:
    record_answer(answer(game, action=PLAYS, differs_at=1))
    game.refresh_from_db()
    assert game.differs_at == 1
    assert game.turns == 2


def test_an_answer_to_another_request_is_refused(game: HumanGame) -> None:
    with pytest.raises(RecordError, match="another request"):
        record_answer(answer(game, action=PLAYS, request="0" * 64), key="a" * 64)
    with pytest.raises(RecordError, match="malformed"):
        record_answer(replace(answer(game, action=PLAYS), ask="x"))
    game.refresh_from_db()
    assert game.turns == 1


def test_a_lost_question_is_asked_again(game: HumanGame) -> None:
    job, request = asked(game)
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(sent_at=now, lease_until=now)
    assert expire_leases(at=now + timedelta(seconds=1)) == 1
    again, repeated = asked(game)
    assert again.pk != job.pk
    assert replace(repeated, ask=request.ask) == request
    record_answer(SeatReport(ask=request.ask, request=request.digest(), action=PLAYS))
    game.refresh_from_db()
    assert game.turns == 1, "the job that was lost is closed"
    record_answer(answer(game, action=PLAYS))
    game.refresh_from_db()
    assert game.turns == 2


def test_failures_of_ours_are_repeated_and_then_end_the_game(game: HumanGame) -> None:
    for _ in range(3):
        record_answer(answer(game, system_fault="the disk is full"))
    game.refresh_from_db()
    assert (game.status, game.system_fault) == (GameStatus.FAILED, "the disk is full")
    assert not game.jobs.open().exists()


def test_an_answer_to_a_game_that_was_left_changes_nothing(game: HumanGame) -> None:
    report = answer(game, action=PLAYS)
    leave(game=game, by=game.person)
    record_answer(report)
    game.refresh_from_db()
    assert (game.status, game.turns) == (GameStatus.LEFT, 1)


def test_nobody_is_asked_for_a_turn_of_a_game_that_was_left(game: HumanGame) -> None:
    game.jobs.update(sent_at=timezone.now(), lease_until=timezone.now() - timedelta(seconds=1))
    leave(game=game, by=game.person)
    assert end_idle_games() == 0
    assert expire_leases(at=timezone.now()) == 0
    assert game.jobs.get().status == JobStatus.CANCELLED


def test_a_game_that_waits_for_a_grader_is_not_idle(game: HumanGame) -> None:
    late = game.acted_at + 3 * IDLE_AFTER
    assert end_idle_games(at=late) == 0
    record_answer(answer(game, action=PLAYS), at=late)
    game.refresh_from_db()
    assert (game.is_open, game.turns) == (True, 2)
    assert end_idle_games(at=late + IDLE_AFTER + timedelta(seconds=1)) == 1


def test_games_that_wait_for_a_grader_do_not_fill_the_site(
    game: HumanGame, start: Start, ida: User, settings: Settings
) -> None:
    settings.MAX_HUMAN_GAMES = 1  # type: ignore[attr-defined]  # the fixture of Django's settings
    HumanGame.objects.update(acted_at=game.acted_at - 2 * IDLE_AFTER)
    assert start(by=ida).is_open


def test_a_game_that_no_grader_goes_on_with_ends_by_our_fault(game: HumanGame) -> None:
    assert end_idle_games(at=game.acted_at + UNANSWERED_AFTER) == 0
    assert end_idle_games(at=game.acted_at + UNANSWERED_AFTER + timedelta(seconds=1)) == 1
    game.refresh_from_db()
    assert game.status == GameStatus.FAILED
    assert game.system_fault == "No grader was available for a day."


def test_students_play_with_their_own_and_staff_with_all(
    assignment: Assignment, own: Submission, ada: User, ben: User, ida: User
) -> None:
    key = f"submission:{own.pk}"
    assert key in agents_for(ada, assignment)
    assert key in agents_for(ida, assignment)
    assert key not in agents_for(ben, assignment)
    with pytest.raises(Refused):
        start_game(assignment=assignment, by=ben, seat=0, agents=[key])
    assignment.play_with = PlayWith.HOUSE
    assignment.save()
    assert key not in agents_for(ada, assignment)


def test_a_game_is_played_again_after_its_team_was_renamed(
    game: HumanGame, own: Submission
) -> None:
    leave(game=game, by=game.person)
    rename_team(team=own.team, by=game.person, name="The Fireworkers")
    again = play_again(game=game, by=game.person, same_deal=True)
    assert again.occupants[1].name == "The Fireworkers, submission 1"


def test_a_turn_that_waits_for_a_grader_is_among_the_sites_figures(game: HumanGame) -> None:
    assert game.jobs.open().exists()
    course = game.assignment.course.slug
    labels = f'{{course="{course}",kind="human_game",queue="live"}}'
    assert f"firebox_queue_oldest_seconds{labels}" in exposition().decode()
