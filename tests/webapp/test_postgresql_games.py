"""Games on a real PostgreSQL: acts of people and reports of graders that come at one moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.db import transaction
from django.utils import timezone

from tests.support import ladders, tables, tournaments
from tests.support import world as worlds
from tests.support.postgres_server import PostgresServer
from tests.support.processes import wait_until
from tests.support.races import SECONDS, outcome, wait_behind, waiting
from tests.webapp import fakes
from tests.webapp.ladders import conftest as stages
from webapp.base.errors import Refused
from webapp.contests.ladders.models import Ladder
from webapp.contests.ladders.services import (
    LadderSetting,
    admit,
    close_ladder,
    open_ladder,
    play_all,
)
from webapp.contests.tournaments.models import Stage
from webapp.contests.tournaments.services import exclude, give_place_points, release
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.services import grade_team, request_practice
from webapp.grading.evaluations.services.batches import add_batches
from webapp.grading.jobs.leases import notice_taken
from webapp.grading.jobs.models import Job, Sending
from webapp.grading.jobs.owners import locked
from webapp.grading.jobs.queues import Queue
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.deadlines import DeadlineRule
from webapp.teaching.courses.locks import lock
from webapp.teaching.courses.models import Assignment, Team

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module", autouse=True)
def server(site_on_postgres: PostgresServer) -> PostgresServer:
    return site_on_postgres


def test_practice_that_ends_while_another_is_asked_for_after_the_due_date_is_the_last(
    server: PostgresServer,
    assignment: Assignment,
    team: Team,
    ada: User,
    ready: Callable[..., Submission],
) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(counts=DeadlineRule.BEST, practice_per_day=3)
    submission = Submission.objects.get(pk=ready(team).pk)
    refused = wait_behind(
        server,
        lambda: lock(assignment),  # as an upload does
        lambda: request_practice(submission=submission, by=ada),
        then=lambda: fakes.play(submission.evaluations.get(kind=Kind.PRACTICE)),
    )
    assert isinstance(refused, Refused)
    assert "the best practice before it counts" in str(refused)


def test_graded_games_have_the_options_that_an_assignment_gets_at_that_moment(
    server: PostgresServer,
    assignment: Assignment,
    team: Team,
    ida: User,
    ready: Callable[..., Submission],
) -> None:
    Submission.objects.filter(pk=ready(team).pk).update(interface="uwa-java")
    wait_behind(
        server,
        lambda: lock(assignment),
        lambda: grade_team(team=team, by=ida),
        then=lambda: Assignment.objects.update(interface_options=["legacy_first_state"]),
    )
    assert Evaluation.objects.get(kind=Kind.GRADED).interface_options == ["legacy_first_state"]


@pytest.fixture
def stage() -> stages.Stage:
    return stages.make_stage()


@pytest.fixture
def ladder(stage: stages.Stage) -> Ladder:
    """A ladder of theirs, of which one table has been played."""
    setting = LadderSetting(house_agents=("iggi",))
    ladder = open_ladder(assignment=stage.assignment, by=stage.ida, setting=setting)
    return ladders.play(ladder, tables=1)


def test_standings_that_were_begun_before_a_ladder_was_closed_do_not_replace_the_last(
    server: PostgresServer, stage: stages.Stage, ladder: Ladder
) -> None:
    later = timezone.now() + timedelta(minutes=1)
    ladders.play(ladder, tables=1)

    def play_and_close() -> None:
        ladders.play(ladder, tables=1)
        close_ladder(ladder=ladder, by=stage.ida, at=later)

    wait_behind(server, lambda: locked(ladder), lambda: play_all(at=later), then=play_and_close)
    ladder.refresh_from_db()
    assert ladder.n_games == ladder.games.count()


def test_an_agent_that_is_accepted_while_its_ladder_closes_does_not_enter_it(
    server: PostgresServer, stage: stages.Stage, ladder: Ladder
) -> None:
    submission = stages.uploaded(stage.assignment, stage.users[0], "again")
    before = list(ladder.entries.values())
    wait_behind(
        server,
        lambda: locked(ladder),
        lambda: admit(submission, at=timezone.now()),
        then=lambda: close_ladder(ladder=ladder, by=stage.ida),
    )
    assert list(ladder.entries.values()) == before


def test_no_points_for_places_while_a_participant_is_disqualified(server: PostgresServer) -> None:
    world = worlds.make()
    for user in (world.ada, world.ben, *(tournaments.student(world.course, n) for n in "EF")):
        tournaments.enter(world, user)
    started = tournaments.start(world, rounds=1, fillers=(), references=())
    played = tables.play(started)
    release(tournament=played, by=world.ida, stage=Stage.RESULTS)
    gives = partial(give_place_points, tournament=played, by=world.ida, points=[Decimal(10)])
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            exclude(
                participant=played.participants.get(number=0),
                by=world.ida,
                reason="submitted another team’s agent",
                from_beginning=True,
            )
            given = pool.submit(outcome, gives)
            wait_until(
                lambda: given.done() or waiting(server) == 1, seconds=SECONDS, why="no points"
            )
        assert isinstance(given.result(timeout=SECONDS), Refused)


def test_noticing_which_jobs_left_their_queue_waits_for_nobody_in_a_circle(
    server: PostgresServer, graded: Evaluation
) -> None:
    now = timezone.now()
    (later,) = graded.jobs.all()
    graded.jobs.update(sent_at=now)
    other = graded.submission.evaluations.get(kind=Kind.PRACTICE)
    other.jobs.update(queue=Queue.GRADED, sent_at=now - timedelta(seconds=1))
    (gate,) = other.jobs.all()
    add_batches(graded, range(10), Sending(at=now))
    graded.jobs.exclude(pk=later.pk).update(sent_at=now - timedelta(seconds=2))
    Job.objects.update(sent_to=Queue.GRADED)
    with ThreadPoolExecutor(2) as pool:
        with transaction.atomic():
            Job.objects.select_for_update().get(pk=gate.pk)
            notices = pool.submit(outcome, lambda: notice_taken(Queue.GRADED, waiting=0, at=now))
            wait_until(lambda: waiting(server) == 1, seconds=SECONDS, why="it does not wait")
            cancels = pool.submit(outcome, lambda: graded.jobs.all().cancel())
            wait_until(
                lambda: cancels.done() or waiting(server) == 2, seconds=SECONDS, why="no cancel"
            )
        assert (notices.result(timeout=SECONDS), cancels.result(timeout=SECONDS)) == ([], 2)
