"""The site on a real PostgreSQL: migrations, its main job, a course's life, simultaneous acts.

A race is arranged, not hoped for: the test holds the lock that everybody needs, waits until all of
them wait for it, and lets go. SQLite cannot show any of this: it has one lock for everything.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from grader.core.records import BatchPhase, BatchReport
from grader.tournament import verify_tournament
from tests.support import races, runbook, tables, tournaments
from tests.support import world as worlds
from tests.support.graders import a_signer, signed
from tests.support.jobs import request_of
from tests.support.pages import signed_in
from tests.support.postgres_server import PostgresServer
from tests.support.processes import wait_until
from tests.support.races import SECONDS, Action, Race, outcome
from tests.support.rows import every_row
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import another
from tests.webapp.lifecycle import conftest as life
from webapp.base.errors import Refused
from webapp.contests.tables.jobs import table_of
from webapp.contests.tournaments.models import Tournament
from webapp.contests.tournaments.services import exclude
from webapp.flow import tasks
from webapp.flow.lifecycle.batches import BatchDeadline
from webapp.flow.lifecycle.exporting import write_course
from webapp.flow.lifecycle.models import GradeRecord
from webapp.flow.lifecycle.services.deleting import delete_course, remove_deleted_courses
from webapp.flow.lifecycle.services.forgetting import forget_person
from webapp.flow.lifecycle.services.importing import import_course
from webapp.flow.pipeline import accept, update_assignment
from webapp.grading.evaluations.models import Evaluation, Kind, Status
from webapp.grading.evaluations.services import request_practice
from webapp.grading.evaluations.services.batches import add_batches
from webapp.grading.gradebook.models import Grade
from webapp.grading.graders.services import admit_key
from webapp.grading.jobs.leases import expire_leases
from webapp.grading.jobs.models import Job, Sending
from webapp.grading.jobs.reports import record_reports
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.identities import Identity
from webapp.people.accounts.models import ADDRESS_TAKEN, User
from webapp.people.auditlog.chain import check, link_new_acts
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import act, record_all
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Membership, Section, Team
from webapp.teaching.courses.services import create_course, join_team, team_for
from webapp.teaching.courses.services.registering import register_student, register_with_identity

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.redis,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("redis_url"),
]


@pytest.fixture(scope="module", autouse=True)
def server(site_on_postgres: PostgresServer) -> PostgresServer:
    return site_on_postgres


@pytest.fixture
def race(server: PostgresServer) -> Race:
    """Let actions arrive one after the other at a row that is locked, and go on all at once."""
    return partial(races.race, server)


def report(batch: Job, **how: Any) -> BatchReport:
    return fakes.report(batch, results=fakes.played(request_of(batch)), **how)


def test_the_main_job_is_done_from_upload_to_spreadsheet() -> None:
    assert connection.vendor == "postgresql"
    world = worlds.make()
    submission = worlds.submit_and_practise(world, world.ada, faults={3})
    worlds.grade(world, world.ada)
    submission.refresh_from_db()
    client = signed_in(world.ida)
    assignment = "/courses/coop/assignments/hanabi/"
    places = ("", "edit/", "teams/", "grades/", "grades.csv", "leaderboard/", "leaderboard.csv")
    for address in ("/", *(assignment + place for place in places)):
        assert client.get(address).status_code == 200, address
    evaluations = list(submission.evaluations.all())
    assert {evaluation.kind for evaluation in evaluations} == {*Kind} - {Kind.TRY}
    for evaluation in evaluations:
        for rest in ("", "games/", "games/0/", "export/"):
            assert client.get(f"/evaluations/{evaluation.uuid}/{rest}").status_code == 200, rest
    assert Grade.objects.get(is_current=True).evaluation.kind == Kind.GRADED


@pytest.mark.parametrize("first", ["upload", "join"])
def test_a_concurrent_upload_and_join_do_one_of_the_two(
    first: str, race: Race, assignment: Assignment, ada: User, ben: User
) -> None:
    own, other = (team_for(user=user, assignment=assignment) for user in (ada, ben))
    due = timezone.now() + timedelta(days=1)
    Assignment.objects.filter(pk=assignment.pk).update(due_at=due)
    actions: dict[str, Action] = {
        "upload": lambda: accept(
            team=Team.objects.get(pk=own.pk), by=ada, filename="a.py", data=worlds.SOURCE
        ),
        "join": lambda: join_team(
            user=ada,
            assignment=Assignment.objects.get(pk=assignment.pk),
            join_code=other.join_code,
        ),
    }
    order = sorted(actions, key=lambda name: name != first)
    won, lost = race(assignment, *(actions[name] for name in order))
    assert not isinstance(won, Refused)
    assert isinstance(lost, Refused)
    team = Membership.objects.get(user=ada).team
    assert (team == own, Submission.objects.exists()) == ((first == "upload"),) * 2


@pytest.mark.parametrize("with_provider", [False, True])
def test_an_address_that_is_taken_while_somebody_registers_is_refused(
    server: PostgresServer, course: Course, *, with_provider: bool
) -> None:
    def register() -> User:
        how = {"display_name": "Newcomer", "invite_code": course.invite_code}
        if with_provider:
            identity = Identity(
                provider="uni", provider_name="The university", subject="n1",
                email="new@uni.example", is_verified=True,
            )  # fmt: skip
            return register_with_identity(identity=identity, **how)
        password = "fireworks at midnight"
        return register_student(email="new@uni.example", password=password, **how)

    with pytest.raises(ValidationError, match=ADDRESS_TAKEN):
        races.wait_behind(server, register, register)
    assert Enrolment.objects.filter(user__email="new@uni.example").count() == 1


def test_the_same_report_twice_at_one_moment_counts_once(race: Race, graded: Evaluation) -> None:
    (batch,) = fakes.jobs(graded)
    results = fakes.played(request_of(batch), only=range(7))
    part = fakes.report(batch, BatchPhase.PLAYING, results)
    race(graded, *[lambda: record_batch(part)] * 2)
    graded.refresh_from_db()
    assert (graded.results.count(), graded.games_done) == (7, 7)


def test_more_games_of_two_batches_at_one_moment_are_all_counted(
    race: Race, graded: Evaluation
) -> None:
    admit_key(public_key=a_signer().public_key, name="host", at=timezone.now())
    graded.jobs.all().delete()
    for first in (0, 10):
        add_batches(graded, range(first, first + 10), Sending(at=timezone.now()))

    def text(job: Job, first: int) -> str:
        games = fakes.played(request_of(job), only=range(first, first + 3))
        return signed(fakes.report(job, BatchPhase.PLAYING, games), "record_batch")

    low, high = fakes.jobs(graded)
    record_reports([text(low, 0), text(high, 10)])
    parts = [text(low, 1), text(high, 11)]
    race(graded, *(lambda part=part: record_reports([part]) for part in parts))
    graded.refresh_from_db()
    assert (graded.results.count(), graded.games_done) == (8, 8)


def test_two_last_batches_at_one_moment_finish_it_once(race: Race, graded: Evaluation) -> None:
    graded.jobs.all().delete()
    add_batches(graded, range(10), Sending(at=timezone.now()))
    add_batches(graded, range(10, 20), Sending(at=timezone.now()))
    reports = [report(batch) for batch in fakes.jobs(graded)]
    race(graded, *(lambda each=each: record_batch(each) for each in reports))
    graded.refresh_from_db()
    assert (graded.status, graded.mean) == (Status.FINISHED, 16.0)
    assert Grade.objects.count() == 1


@pytest.fixture
def tournament() -> Tournament:
    world = worlds.make()
    for user in (world.ada, world.ben, *(tournaments.student(world.course, n) for n in "EF")):
        tournaments.enter(world, user)
    return tournaments.start(world, rounds=3, fillers=(), references=())


def test_tables_that_are_reported_at_one_moment_count_once_each(
    race: Race, tournament: Tournament
) -> None:
    said = [tables.report(each, games=tables.results(each)) for each in tables.jobs(tournament)]
    race(tournament, *(lambda each=each: record_batch(each) for each in [*said[:3], said[0]]))
    tournament.refresh_from_db()
    played = sum(len(each.results) for each in said[:3])
    assert (tournament.games.count(), tournament.games_done) == (played, played)
    tables.play(tournament)
    assert tournament.status == Status.FINISHED
    assert tournament.games_done == tournament.games.count() == tournament.n_games
    assert verify_tournament(tournaments.exported(tournament)).ok


@pytest.mark.parametrize("first", ["exclude", "report"])
def test_a_participant_is_removed_while_a_table_is_reported(
    first: str, race: Race, tournament: Tournament
) -> None:
    batch = tables.jobs(tournament)[0]
    out = table_of(batch).games[0].seating[0]
    said = tables.report(batch, games=tables.results(batch))
    ida = User.objects.get(email="ida@example.org")
    actions: dict[str, Action] = {
        "exclude": lambda: exclude(
            participant=tournament.participants.get(number=out),
            by=ida,
            reason="submitted another team’s agent",
            from_beginning=True,
        ),
        "report": lambda: record_batch(said),
    }
    race(tournament, *(actions[name] for name in sorted(actions, key=lambda name: name != first)))
    tables.play(tournament)
    assert tournament.status == Status.FINISHED
    found = tournament.standings
    assert found is not None
    assert {row.participant: row.games for row in found.rows}[out] == 0
    verified = verify_tournament(tournaments.exported(tournament))
    assert (verified.findings, verified.counted) == ((), tournament.n_games)


def test_partners_cannot_both_take_the_last_practice_of_the_day(
    race: Race, assignment: Assignment, team: Team, ada: User, ready: Callable[..., Submission]
) -> None:
    due = timezone.now() + timedelta(days=1)
    Assignment.objects.filter(pk=assignment.pk).update(practice_per_day=1, due_at=due)
    submissions = [ready(team) for _ in range(2)]
    for submission in submissions:
        fakes.play(submission.evaluations.get(kind=Kind.PRACTICE))

    def ask(pk: int) -> Evaluation:
        return request_practice(submission=Submission.objects.get(pk=pk), by=ada)

    won, lost = race(assignment, *(lambda each=each: ask(each.pk) for each in submissions))
    assert isinstance(won, Evaluation)
    assert isinstance(lost, Refused)


def test_a_lease_that_two_see_running_out_is_acted_on_once(race: Race, graded: Evaluation) -> None:
    now = timezone.now()
    graded.jobs.update(sent_at=now, lease_until=now - timedelta(seconds=1))
    assert race(graded, *[lambda: expire_leases(at=now)] * 2) == [1, 0]
    (again,) = fakes.jobs(graded)
    assert (again.attempt, again.losses) == (1, 1)


@pytest.mark.parametrize("first", ["scheme", "report"])
def test_a_scheme_that_changes_while_a_grade_is_made_holds_for_it(
    first: str, race: Race, assignment: Assignment, graded: Evaluation, ida: User
) -> None:
    (batch,) = fakes.jobs(graded)
    last, scheme = report(batch), {**assignment.grading, "full_mean": "16"}
    actions: dict[str, Action] = {
        "report": lambda: record_batch(last),
        "scheme": lambda: update_assignment(
            assignment=Assignment.objects.get(pk=assignment.pk), by=ida, grading=scheme
        ),
    }
    race(assignment, *(actions[name] for name in sorted(actions, key=lambda name: name != first)))
    assert Grade.objects.get(is_current=True).scheme == scheme


def test_a_report_outlasts_a_database_that_is_away(
    server: PostgresServer, graded: Evaluation, caplog: pytest.LogCaptureFixture
) -> None:
    (batch,) = fakes.jobs(graded)
    admit_key(public_key=a_signer().public_key, name="host", at=timezone.now())
    text = signed(report(batch), "record_batch")
    server.stop()
    try:
        with ThreadPoolExecutor(1) as pool:
            recorded = pool.submit(outcome, lambda: tasks.record_batch(text))
            wait_until(lambda: "the database is down" in caplog.text, seconds=SECONDS, why="no try")
            assert not recorded.done()
            server.start()
            assert recorded.result(timeout=SECONDS) is None
    finally:
        connection.close()  # the test's own was cut, too
        server.start()
    graded.refresh_from_db()
    assert (graded.status, graded.mean) == (Status.FINISHED, 16.0)
    assert list(graded.jobs.values_list("attempt", flat=True)) == [1]


def test_the_database_holds_memberships_and_sections_together(
    assignment: Assignment, team: Team, ada: User, ben: User, ida: User
) -> None:
    other = create_course(by=ida, title="Other", slug="other")
    elsewhere = another(other, ida)
    with pytest.raises(IntegrityError, match="membership_of_its_assignment"):
        Membership.objects.create(team=team, assignment=elsewhere, user=ben)
    section = Section.objects.create(course=other, name="Friday")
    with pytest.raises(IntegrityError, match="enrolment_section_of_its_course"):
        Enrolment.objects.filter(course=assignment.course).update(section=section)
    ivy = other.enrolments.get()
    ivy.section = section
    ivy.save()
    section.delete()
    ivy.refresh_from_db()
    assert ivy.section is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE auditlog_act SET id = id",
        "DELETE FROM auditlog_act",
        "DELETE FROM auditlog_link",
        "TRUNCATE auditlog_act, auditlog_link",
    ],
)
def test_the_audit_log_refuses_every_change(
    statement: str, assignment: Assignment, ida: User
) -> None:
    written = act(ActKind.SECTION_CREATED, by=ida, course=assignment.course, thing="Friday")
    with transaction.atomic():
        record_all([written])
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        connection.cursor().execute(statement)


def test_a_database_that_was_destroyed_comes_back_from_its_backup(
    server: PostgresServer, graded: Evaluation, tmp_path: Path
) -> None:
    fakes.play(graded)
    link_new_acts()
    before = every_row()
    backup, restore = runbook.row("Back up and restore", "PostgreSQL")
    server.run(backup, tmp_path)
    connection.close()
    server.destroy()
    server.run(restore, tmp_path)
    assert every_row() == before
    assert check(at=timezone.now()).problems == ()


def test_a_course_is_copied_to_another_site_and_its_people_and_itself_are_deleted(
    django_user_model: type[User],
) -> None:
    opal = django_user_model.objects.create_superuser("op@example.org", display_name="Opal")
    world, file = life.make_over(), BytesIO()
    write_course(world.course, file, at=timezone.now())
    assert import_course(file=file, by=world.ida, slug="again").report.grades == 2
    points = set(Grade.objects.values_list("points", flat=True))
    link_new_acts()
    forget_person(user=world.ada, by=opal, email=world.ada.email, reason="Asked")
    assert delete_course(course=world.course, by=world.ida, slug="coop", reason="Over") == 2
    assert remove_deleted_courses(BatchDeadline(None)) > 20
    assert set(GradeRecord.objects.values_list("points", flat=True)) == points
    link_new_acts()
    assert check(at=timezone.now()).problems == ()
