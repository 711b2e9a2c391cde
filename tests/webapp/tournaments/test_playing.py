"""Playing a tournament: exactly the planned games count, whatever happens to batches."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from grader.core.records import BatchPhase, BuildMessage, BuildReport
from grader.tournament import verify_tournament
from tests.support import tables
from tests.support.tournaments import exported
from tests.support.trusted import record_batch
from tests.webapp.conftest import NOW
from webapp.base.errors import Refused
from webapp.contests.tournaments.models import Tournament
from webapp.contests.tournaments.selectors import entries
from webapp.contests.tournaments.services import cancel, exclude, resume
from webapp.contests.tournaments.services.scheduling import ledger_of, plan_of
from webapp.grading.evaluations.models import Status
from webapp.grading.jobs.leases import expire_leases
from webapp.grading.jobs.models import Job, JobStatus
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Role

pytestmark = pytest.mark.slow

Start = Callable[..., Tournament]


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def counts(tournament: Tournament) -> list[int]:
    """The number of games that count of each participant that is no filler."""
    rows = tournament.standings
    assert rows is not None
    own = {row.participant: row.games for row in rows.rows}
    return [own[number] for number in range(5)]


def assert_whole(tournament: Tournament) -> None:
    """It is finished, everybody has as many games as planned, and its file proves it."""
    assert tournament.status == Status.FINISHED
    assert tournament.games_done == tournament.n_games
    assert len(set(counts(tournament))) == 1
    assert not tournament.jobs.open().exists()
    verified = verify_tournament(exported(tournament))
    assert verified.ok, verified.findings
    assert verified.counted == tournament.n_games


def test_a_tournament_is_played_to_its_end(start: Start) -> None:
    played = tables.play(start())
    assert_whole(played)
    assert played.games.count() == played.n_games
    assert counts(played) == [8] * 5


def test_reports_may_come_twice_and_in_any_order(start: Start) -> None:
    found, shuffle = start(), random.Random(7)  # noqa: S311 - an order of reports is no secret
    seen: list[Job] = []
    while waiting := tables.jobs(found):
        batch = shuffle.choice(waiting)
        games = list(tables.results(batch))
        shuffle.shuffle(games)
        parts = [tables.report(batch, BatchPhase.PLAYING, [game]) for game in games]
        for report in [tables.report(batch), *parts, *parts, tables.report(batch, games=games)]:
            record_batch(report)
        seen.append(batch)
        old = shuffle.choice(seen)
        record_batch(tables.report(old, games=tables.results(old)))
    found.refresh_from_db()
    assert_whole(found)
    assert found.games.count() == found.n_games


def test_a_batch_that_dies_is_sent_again_with_its_missing_games_only(start: Start) -> None:
    found = start()
    batch = tables.jobs(found)[0]
    record_batch(tables.report(batch, BatchPhase.PLAYING, tables.results(batch, only=[0])), at=NOW)
    assert expire_leases(at=later(3600)) == 1
    batch.refresh_from_db()
    again = tables.jobs(found)[-1]
    assert batch.status == JobStatus.FAILED
    assert [game.index for game in tables.table_of(again).games] == [
        tables.table_of(batch).games[1].index
    ]
    assert_whole(tables.play(found))


def test_three_failures_without_a_game_fail_it_and_it_continues_later(
    start: Start, ida: User
) -> None:
    found = start()
    tables.play(found, tables=2)
    for _ in range(3):
        last = tables.jobs(found)[-1]
        record_batch(tables.report(last, BatchPhase.FAILED, system_fault="the disk is full"))
    found.refresh_from_db()
    assert (found.status, found.system_fault) == (Status.FAILED, "the disk is full")
    assert tables.jobs(found) == []
    resume(tournament=found, by=ida)
    assert_whole(tables.play(found))


def test_a_disqualification_during_a_failure_changes_the_standings_at_once(
    start: Start, ida: User
) -> None:
    found = tables.play(start(), tables=4)
    for _ in range(3):
        last = tables.jobs(found)[-1]
        record_batch(tables.report(last, BatchPhase.FAILED, system_fault="the disk is full"))
    exclude(participant=found.participants.all()[0], by=ida, reason="copied", from_beginning=True)
    found.refresh_from_db()
    assert (found.status, counts(found)[0]) == (Status.FAILED, 0)


def test_a_late_report_is_kept_while_it_is_failed_or_cancelled(start: Start, ida: User) -> None:
    found = start()
    batch = tables.jobs(found)[0]
    cancel(tournament=found, by=ida)
    record_batch(tables.report(batch, games=tables.results(batch)))
    assert found.games.count() == 2
    resume(tournament=found, by=ida)
    again = {game.index for each in tables.jobs(found) for game in tables.table_of(each).games}
    assert not again & {game.index for game in tables.table_of(batch).games}
    assert_whole(tables.play(found))


def test_an_agent_that_always_crashes_is_removed_and_the_others_lose_no_game(start: Start) -> None:
    played = tables.play(start(), tables.always(2))
    assert played.status == Status.FINISHED
    found = played.standings
    assert found is not None
    rows = {row.participant: row for row in found.rows}
    removal = rows[2].removal
    assert removal is not None
    assert removal.faults >= 3
    assert [rows[number].games for number in (0, 1, 3, 4)] == [8] * 4
    assert verify_tournament(exported(played)).ok


def test_a_stopped_batch_is_over_and_its_rest_is_requested_again(start: Start) -> None:
    found = start(games_per_table=4)
    culprit = 0
    batch = next(
        each for each in tables.jobs(found) if culprit in tables.table_of(each).participants
    )
    games = tables.results(batch, tables.always(culprit), only=[0, 1, 2])
    record_batch(tables.report(batch, games=games, stopped=True))
    batch.refresh_from_db()
    assert batch.status == JobStatus.FINISHED
    assert tables.play(found, tables.always(culprit)).status == Status.FINISHED


def test_the_result_does_not_depend_on_the_order_of_faults(start: Start) -> None:
    found = start()
    while waiting := tables.jobs(found):
        batch = waiting[-1]
        record_batch(tables.report(batch, games=tables.results(batch, tables.always(1, 3))))
    found.refresh_from_db()
    assert found.status == Status.FINISHED
    ledger = ledger_of(found)
    assert len(ledger.counted) + len(ledger.void) == found.n_games
    assert verify_tournament(exported(found)).ok


def test_an_unbuildable_participant_is_removed(start: Start) -> None:
    found = start()
    batch = tables.jobs(found)[0]
    number = tables.table_of(batch).participants[0]
    broken = BuildReport(
        ok=False, messages=(BuildMessage(file="a.py", line=1, column=1, text="no"),)
    )
    good = BuildReport(ok=True)
    record_batch(tables.report(batch, BatchPhase.BUILT, builds=(broken, good)))
    out = found.participants.get(number=number)
    assert (out.excluded_from_round, out.exclusion_reason) == (0, "could not be built")
    assert tables.play(found).status == Status.FINISHED


def test_a_participant_that_cannot_be_built_any_more_keeps_its_games(start: Start) -> None:
    """As sources do that ask the compiler what time it is."""
    found = tables.play(start(), tables=5)
    batch = tables.jobs(found)[0]
    table = tables.table_of(batch)
    number = next(one for one in table.participants if found.games.of(one).exists())
    before = set(found.games.of(number).values_list("pk", flat=True))
    builds = tuple(BuildReport(ok=one != number) for one in table.participants)
    record_batch(tables.report(batch, BatchPhase.BUILT, builds=builds))
    out = found.participants.get(number=number)
    assert out.excluded_from_round is not None
    assert out.excluded_from_round > 0
    played = tables.play(found)
    assert played.status == Status.FINISHED
    assert set(played.games.of(number).values_list("pk", flat=True)) == before
    rounds = {table.number: table.round for table in plan_of(played).tables}
    earlier = [
        (each.index, each.numbers)
        for each in played.games.filter(pk__in=before)
        if rounds[each.table] < out.excluded_from_round
    ]
    assert earlier
    assert set(earlier) <= ledger_of(played).counting
    assert verify_tournament(exported(played)).ok


@pytest.mark.parametrize("from_beginning", [True, False])
def test_an_excluded_participant_plays_no_more_and_the_rest_is_complete(
    start: Start, ida: User, *, from_beginning: bool
) -> None:
    found = start()
    tables.play(found, tables=5)
    exclude(
        participant=found.participants.get(number=1),
        by=ida,
        reason="copied",
        from_beginning=from_beginning,
    )
    played = tables.play(found)
    assert played.status == Status.FINISHED
    own = counts(played)
    assert own[0] == own[2] == own[3] == own[4] == 8
    assert own[1] == 0 if from_beginning else 0 < own[1] < 8
    assert verify_tournament(exported(played)).ok


def test_nobody_is_excluded_without_a_reason(start: Start, ida: User) -> None:
    participant = start().participants.get(number=1)
    with pytest.raises(Refused, match="reason"):
        exclude(participant=participant, by=ida, reason=" ", from_beginning=True)
    participant.refresh_from_db()
    assert not participant.is_out


def test_a_disqualification_after_the_end_has_games_played_again(start: Start, ida: User) -> None:
    found = tables.play(start())
    before = found.games.count()
    exclude(
        participant=found.participants.get(number=1),
        by=ida,
        reason="copied",
        from_beginning=True,
    )
    found.refresh_from_db()
    assert found.status == Status.QUEUED
    shown = entries(found, ida, Role.INSTRUCTOR, with_results=True)
    assert {entry.rank for entry in shown if entry.entry.number == 1} == {None}
    played = tables.play(found)
    assert played.status == Status.FINISHED
    assert played.games.count() > before
    assert counts(played)[1] == 0


def test_games_that_nobody_requested_are_skipped(start: Start) -> None:
    found = start()
    first, second = tables.jobs(found)[:2]
    record_batch(tables.report(first, BatchPhase.PLAYING, tables.results(second)))
    assert not found.games.exists()


def test_a_finished_tournament_takes_no_report(start: Start) -> None:
    found = start(rounds=1)
    batch = tables.jobs(found)[0]
    tables.play(found)
    before = found.games.count()
    record_batch(tables.report(batch, BatchPhase.FAILED, system_fault="late"))
    found.refresh_from_db()
    assert (found.status, found.games.count()) == (Status.FINISHED, before)
