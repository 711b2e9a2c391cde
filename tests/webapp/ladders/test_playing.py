"""A ladder as the site runs it: a few tables at a time, until ratings are known."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from pytest_django import DjangoAssertNumQueries

from grader.core.records import BatchPhase
from tests.support.graders import GRADER_KEY, a_report
from tests.support.jobs import make_unreadable
from tests.support.ladders import answer, answers, jobs, play, rows
from tests.support.tables import report
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW, another
from tests.webapp.ladders.conftest import Stage, uploaded
from webapp.base.errors import NotAllowed, Refused
from webapp.contests.ladders.models import Departure, Ladder, LadderGame
from webapp.contests.ladders.services import (
    LadderSetting,
    change_ladder,
    close_ladder,
    open_ladder,
    pause_ladder,
    play_all,
    resume_ladder,
    scheduling,
    withdraw,
)
from webapp.contests.ladders.services.entering import leave
from webapp.contests.tables.jobs import table_of
from webapp.grading.evaluations.models import Kind
from webapp.grading.jobs.leases import expire_leases
from webapp.grading.jobs.models import Job
from webapp.grading.jobs.queues import Queue
from webapp.grading.operations.services import record_grader
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.people.notifications.models import Notification, Topic

pytestmark = pytest.mark.slow

Start = Callable[..., Ladder]
Clock = Callable[[], datetime]
HOUSE = 0
"""The number of the house agent: it enters first."""


def departures(ladder: Ladder) -> dict[str, str]:
    return {str(entry): entry.departure for entry in ladder.entries.all()}


def test_accepted_submissions_and_house_agents_meet_at_once(start: Start) -> None:
    ladder = start()
    assert [entry.version for entry in ladder.entries.all()] == [0, 1, 1, 1, 1]
    assert {job.queue for job in jobs(ladder)} == {Queue.LADDER}
    assert {len(table_of(job).participants) for job in jobs(ladder)} == {2}


def test_no_more_tables_are_requested_than_the_graders_have_cores(start: Start) -> None:
    ladder = start()
    assert len(jobs(ladder)) == 2
    play_all(at=NOW)
    assert len(jobs(ladder)) == 2
    answer(jobs(ladder)[0])
    assert len(jobs(ladder)) == 2


def test_a_ladder_is_played_until_its_intervals_are_narrow_and_stops(
    start: Start, clock: Clock
) -> None:
    ladder = play(start(), clock=clock)
    found = ladder.standings
    assert found is not None
    widths = [row.adjusted.half_width or 9 for row in found.rows if row.adjusted is not None]
    assert len(widths) == 5
    assert max(widths) <= 1.0
    assert ladder.n_games == ladder.games.count() < 5 * 200
    rating = {name: rating or 0 for name, (_, rating) in rows(ladder).items()}
    ascending = [rating[str(entry)] for entry in ladder.entries.all()]
    assert all(low < high for low, high in zip(ascending, ascending[2:], strict=False))
    play_all(at=clock())
    assert jobs(ladder) == []


def test_a_new_version_enters_at_once_and_is_played_alone(
    start: Start, stage: Stage, clock: Clock
) -> None:
    ladder = play(start(), clock=clock)
    before = ladder.tables.count()
    uploaded(stage.assignment, stage.users[0], "better")
    play_all(at=clock())
    entry = ladder.entries.get(version=2)
    assert entry.number in table_of(jobs(ladder)[0]).participants
    play(ladder, clock=clock)
    added = [row.as_value for row in ladder.tables.filter(number__gte=before)]
    tables = Counter(member for table in added for member in table.members)
    assert tables[entry.number] == max(tables.values())
    assert str(entry) in rows(ladder)


def test_only_the_latest_versions_of_a_team_stay(start: Start, stage: Stage, clock: Clock) -> None:
    ladder = start(versions=2)
    for text in ("two", "three"):
        uploaded(stage.assignment, stage.users[0], text)
        play_all(at=clock())
    own = ladder.entries.filter(submission__team__users=stage.users[0])
    assert [(each.version, each.departure) for each in own] == [(1, "replaced"), (2, ""), (3, "")]
    withdraw(entry=own.get(version=3), by=stage.users[0], at=clock())
    assert [each.departure for each in own.all()] == ["", "", "withdrawn"]


@pytest.mark.parametrize("departure", [Departure.FAULTY, Departure.UNBUILDABLE])
def test_a_version_that_had_to_leave_makes_room_for_the_one_before(
    start: Start, stage: Stage, clock: Clock, departure: Departure
) -> None:
    ladder = start(versions=1)
    uploaded(stage.assignment, stage.users[0], "two")
    play_all(at=clock())
    own = ladder.entries.filter(submission__team__users=stage.users[0])
    leave(own.get(version=2), departure, at=clock())
    play_all(at=clock())
    assert [each.departure for each in own.all()] == ["", departure]


def test_a_ladder_of_another_version_keeps_no_submission_from_being_accepted(
    start: Start, stage: Stage
) -> None:
    ladder = start()
    make_unreadable(ladder)
    submission = uploaded(stage.assignment, stage.users[0], "better")
    Submission.objects.filter(pk=submission.pk).update(status=SubmissionStatus.RECEIVED)
    fakes.play(submission.evaluations.get(kind=Kind.SMOKE))
    submission.refresh_from_db()
    assert submission.status == SubmissionStatus.READY
    Ladder.objects.update(spec=ladder.spec)
    play_all(at=NOW)
    assert ladder.entries.filter(submission=submission).exists()


def test_a_rejected_submission_does_not_enter(start: Start, stage: Stage) -> None:
    ladder = start()
    submission = uploaded(stage.assignment, stage.users[0], "broken")
    submission.status = "rejected"
    submission.save()
    play_all(at=NOW)
    assert not ladder.entries.filter(submission=submission).exists()


def test_an_agent_with_repeated_faults_leaves_and_the_others_play_on(
    start: Start, clock: Clock
) -> None:
    ladder = play(start(), faulty={2}, clock=clock)
    entry = ladder.entries.get(number=2)
    assert entry.departure == Departure.FAULTY
    assert entry.needs_word
    mail = Notification.objects.get(topic=Topic.LADDER)
    assert mail.subject.startswith("Version 1 of ")
    assert "Its faults ended at least 5 of its latest 20 games." in mail.body
    assert 5 <= LadderGame.objects.filter(ladder=ladder).of(2).count() <= 20
    assert sum(departure != "" for departure in departures(ladder).values()) == 1
    found = ladder.standings
    assert found is not None
    last = next(row for row in found.rows if row.participant == 2)
    assert (last.adjusted_rank, last.mean and last.mean.value) == (None, 0)


def test_a_lost_table_is_sent_again_with_what_is_missing(start: Start) -> None:
    ladder = start()
    job = jobs(ladder)[0]
    Job.objects.filter(pk=job.pk).update(sent_at=NOW)
    record_batch(report(job, BatchPhase.PLAYING, answers(job)[:1]), at=NOW)
    assert expire_leases(at=NOW + timedelta(hours=1)) == 1
    again = jobs(ladder)[-1]
    assert [game.index for game in table_of(again).games] == [
        game.index for game in table_of(job).games[1:]
    ]


def test_three_failures_pause_it_until_staff_let_it_go_on(start: Start, stage: Stage) -> None:
    ladder = start()
    for _ in range(3):
        last = jobs(ladder)[-1]
        record_batch(report(last, BatchPhase.FAILED, system_fault="the disk is full"))
    ladder.refresh_from_db()
    assert ladder.paused_because == "the disk is full"
    assert jobs(ladder) == []
    play_all(at=NOW)
    assert jobs(ladder) == []
    resume_ladder(ladder=ladder, by=stage.ida)
    ladder.refresh_from_db()
    assert (ladder.paused_at, ladder.paused_because) == (None, "")
    assert len(jobs(ladder)) == 2


def test_a_paused_ladder_asks_for_nothing_and_keeps_what_is_reported(
    start: Start, stage: Stage
) -> None:
    ladder = start()
    job = jobs(ladder)[0]
    pause_ladder(ladder=ladder, by=stage.ida)
    record_batch(report(job, games=answers(job)))
    play_all(at=NOW)
    assert ladder.games.count() == len(table_of(job).games)
    assert jobs(ladder) == []
    with pytest.raises(Refused, match="paused already"):
        pause_ladder(ladder=ladder, by=stage.ida)


@pytest.mark.parametrize("limit", ["MANY_GAMES", "MANY_AGENTS"])
def test_a_report_does_not_wait_for_ratings_that_take_long(
    start: Start, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(scheduling, limit, 1)
    ladder = start()
    Ladder.objects.update(n_games=2)
    answer(jobs(ladder)[0], at=NOW)
    ladder.refresh_from_db()
    assert ladder.summed_up_at is None
    play_all(at=NOW)
    ladder.refresh_from_db()
    assert ladder.summed_up_at == NOW


def test_games_that_a_pause_has_cancelled_do_not_count_towards_the_maximum(
    start: Start, stage: Stage, clock: Clock
) -> None:
    ladder = start(max_games=12)
    for _ in range(3):
        pause_ladder(ladder=ladder, by=stage.ida)
        resume_ladder(ladder=ladder, by=stage.ida)
    play(ladder, clock=clock)
    played = Counter(number for game in ladder.games.all() for number in game.numbers)
    assert {number for number, games in played.items() if games >= 12} == set(range(5))


def test_a_closed_ladder_keeps_its_standings_and_another_can_be_opened(
    start: Start, stage: Stage, clock: Clock
) -> None:
    ladder = play(start(), tables=12, clock=clock)
    close_ladder(ladder=ladder, by=stage.ida)
    before = rows(ladder)
    with pytest.raises(Refused, match="closed"):
        resume_ladder(ladder=ladder, by=stage.ida)
    another = start()
    assert bytes(another.secret) != bytes(ladder.secret)
    ladder.refresh_from_db()
    assert rows(ladder) == before


def test_an_assignment_has_one_ladder_at_a_time(start: Start) -> None:
    start()
    with pytest.raises(Refused, match="already"):
        start()


def test_a_ladder_has_a_secret_of_its_own(start: Start, stage: Stage) -> None:
    ladder = start()
    secret = bytes(ladder.secret)
    assert len(secret) == 32
    assert secret not in {bytes(stage.assignment.secret), bytes(stage.assignment.practice_secret)}


def test_changed_limits_stop_a_ladder(start: Start, stage: Stage) -> None:
    ladder = start()
    stage.assignment.limits = {**stage.assignment.limits, "turn_seconds": 2.0}
    stage.assignment.save()
    for job in jobs(ladder):
        answer(job)
    play_all(at=NOW)
    assert jobs(ladder) == []


def test_settings_can_be_changed_while_it_plays(start: Start, stage: Stage, clock: Clock) -> None:
    ladder = play(start(), tables=10, clock=clock)
    setting = LadderSetting(half_width=0.8, versions=1, house_agents=("piers",))
    change_ladder(ladder=ladder, by=stage.ida, setting=setting)
    ladder.refresh_from_db()
    assert (ladder.half_width, ladder.versions) == (0.8, 1)
    assert departures(ladder)["iggi"] == "withdrawn"
    assert departures(ladder)["piers"] == ""
    change_ladder(ladder=ladder, by=stage.ida, setting=LadderSetting(house_agents=("iggi",)))
    assert departures(ladder)["iggi"] == ""


@pytest.mark.parametrize("changes", [{"half_width": 0.0}, {"versions": 0}, {"max_games": 0}])
def test_settings_out_of_bounds_are_refused(start: Start, changes: dict[str, float]) -> None:
    with pytest.raises(Refused, match="greater than or equal"):
        start(**changes)


def test_only_house_agents_that_play_by_the_rules_take_part(start: Start) -> None:
    with pytest.raises(Refused, match="No house agent named hearts/careful"):
        start(house_agents=("hearts/careful",))


def test_students_decide_about_nothing_but_their_own_versions(start: Start, stage: Stage) -> None:
    ladder, (ada, ben, *_) = start(), stage.users
    for act in (pause_ladder, resume_ladder, close_ladder):
        with pytest.raises(NotAllowed):
            act(ladder=ladder, by=ada)
    with pytest.raises(NotAllowed):
        change_ladder(ladder=ladder, by=ada, setting=LadderSetting())
    with pytest.raises(NotAllowed):
        open_ladder(assignment=stage.assignment, by=ada, setting=LadderSetting())
    own = ladder.entries.get(submission__team__users=ada)
    with pytest.raises(NotAllowed):
        withdraw(entry=own, by=ben)
    with pytest.raises(NotAllowed):
        withdraw(entry=ladder.entries.get(number=HOUSE), by=ada)
    withdraw(entry=own, by=ada)
    with pytest.raises(Refused, match="has left"):
        withdraw(entry=own, by=stage.ida)


def test_two_ladders_share_the_cores(start: Start, stage: Stage) -> None:
    record_grader(a_report(slots=4), key=GRADER_KEY)
    first = start()
    assert len(jobs(first)) == 4
    second = open_second(stage)
    play_all(at=NOW)
    assert jobs(second) == []
    for job in jobs(first):
        answer(job, at=NOW)
    play_all(at=NOW)
    assert (len(jobs(first)), len(jobs(second))) == (2, 2)


def test_a_ladder_that_cannot_be_read_keeps_no_other_from_playing(
    start: Start, stage: Stage, caplog: pytest.LogCaptureFixture
) -> None:
    unreadable, other = start(), open_second(stage)
    for ladder in (unreadable, other):
        ladder.jobs.cancel()
    make_unreadable(unreadable)
    play_all(at=NOW)
    assert jobs(unreadable) == []
    assert jobs(other) != []
    assert str(unreadable.uuid) in caplog.text


def open_second(stage: Stage) -> Ladder:
    """A ladder of another assignment of the same course, of house agents alone."""
    other = another(stage.assignment.course, stage.ida)
    setting = LadderSetting(house_agents=("iggi", "piers", "outer"))
    return open_ladder(assignment=other, by=stage.ida, setting=setting, at=NOW)


def test_a_look_at_a_ladder_takes_as_many_queries_for_many_games_as_for_few(
    start: Start, clock: Clock, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    ladder = play(start(half_width=0.05), tables=6, clock=clock)
    for _ in range(2):
        with django_assert_max_num_queries(14):
            play_all(at=clock())
        play(ladder, tables=10, clock=clock)
