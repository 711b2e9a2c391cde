"""Data on evaluations for pages: their readers, and commands that repeat games."""

import shlex
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from pytest_django import DjangoAssertNumQueries

from grader.cli.arguments import game_of, limits_of
from grader.cli.command_line import arguments_of, read
from grader.cli.main import parser
from grader.core.deals import REFERENCE_SECRET, deal_seed
from grader.core.errors import RecordError
from grader.core.records import BatchPhase, FaultKind, from_json
from grader.results.export import EvaluationExport, verify_export
from tests.grader.played import really_played
from tests.support.graders import GRADER_KEY, a_report
from tests.support.jobs import request_of
from tests.support.trusted import record_batch
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from tests.webapp.fakes import play
from webapp.grading.evaluations import selectors
from webapp.grading.evaluations.models import Evaluation, Kind, Status
from webapp.grading.evaluations.permissions import may_see_games
from webapp.grading.evaluations.reproducing import export_json, reproduce_command
from webapp.grading.evaluations.selectors import references_of
from webapp.grading.evaluations.services import grade_team, request_house
from webapp.grading.gradebook.work import Work
from webapp.grading.operations.services import record_grader
from webapp.grading.submissions.models import Submission
from webapp.pages.replays import record_file
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Team
from webapp.teaching.courses.services import reveal_secret, team_for


def faults(index: int) -> fakes.Outcome:
    return {3: FaultKind.CRASH, 7: FaultKind.ILLEGAL, 11: FaultKind.CRASH}.get(index, index)


def repeat_cancelled(evaluation: Evaluation, times: int) -> None:
    """Make a table large enough for PostgreSQL to use an index."""
    values = {
        field.attname: getattr(evaluation, field.attname) for field in evaluation._meta.fields
    }
    values |= {"id": None, "status": Status.CANCELLED, "is_current": False}
    Evaluation.objects.bulk_create(Evaluation(**{**values, "uuid": uuid4()}) for _ in range(times))
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {Evaluation._meta.db_table}")


def test_few_evaluations_among_many_are_found_by_an_index(
    assignment: Assignment, graded: Evaluation
) -> None:
    rows = assignment.evaluations
    if connection.vendor == "postgresql":  # SQLite needs no rows to choose
        repeat_cancelled(graded, 1000)
    assert "evaluation_status" in rows.failed().explain()
    assert "evaluation_house" in rows.of_house_agents().explain()


def test_a_queued_evaluation_knows_how_many_games_come_first(
    graded: Evaluation,
    assignment: Assignment,
    ben: User,
    ida: User,
    ready: Callable[..., Submission],
) -> None:
    other = team_for(user=ben, assignment=assignment)
    ready(other)
    second = grade_team(team=other, by=ida)
    assert selectors.progress(graded).games_ahead == 0
    assert selectors.progress(second).games_ahead == 20
    fakes.play(graded)
    assert selectors.progress(second).games_ahead == 0


def test_practice_says_that_graded_games_go_first_and_not_the_other_way_round(
    graded: Evaluation,
) -> None:
    assert graded.submission is not None
    practice = graded.submission.evaluations.get(kind=Kind.PRACTICE)
    assert practice.pk < graded.pk
    assert "Graded games go first" in selectors.progress(practice).why
    assert selectors.progress(graded).why == ""


def test_a_playing_evaluation_shows_how_far_it_is(graded: Evaluation) -> None:
    (batch,) = fakes.jobs(graded)
    results = fakes.played(request_of(batch), only=range(7))
    record_batch(fakes.report(batch, BatchPhase.PLAYING, results))
    graded.refresh_from_db()
    assert graded.started_at is not None
    later = graded.started_at + timedelta(seconds=70)
    progress = selectors.progress(graded, at=later)
    assert (progress.games_done, progress.percent, progress.games_ahead) == (7, 35, None)
    assert progress.seconds_left is None, "no grader plays it"
    record_grader(a_report(queues=("graded",)), key=GRADER_KEY)
    progress = selectors.progress(graded, at=later)
    assert progress.seconds_left == 130, "ten seconds a game, and thirteen games"


def test_faults_are_grouped_by_cause_the_most_frequent_first_for_who_may_see_causes(
    graded: Evaluation, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    fakes.play(graded, faults)
    with django_assert_num_queries(2):
        sections = selectors.fault_sections(graded, with_causes=True)
    assert [(each.group.kind, each.group.games) for each in sections] == [
        (FaultKind.CRASH, (3, 11)),
        (FaultKind.ILLEGAL, (7,)),
    ]
    assert sections[0].first.index == 3
    graded.results.filter(index=11).update(fault_detail="KeyError: 'R6'")
    sections = selectors.fault_sections(graded, with_causes=True)
    assert [each.group.games for each in sections] == [(3,), (7,), (11,)]
    sections = selectors.fault_sections(graded, with_causes=False)
    assert [each.group.games for each in sections] == [(3, 11), (7,)]
    assert {each.group.cause for each in sections} == {""}


def test_an_agent_that_fails_differently_each_time_fills_no_page(graded: Evaluation) -> None:
    graded.spec["max_consecutive_faults"] = 0
    graded.save()
    fakes.play(graded, lambda _: FaultKind.CRASH)
    for result in graded.results.all():
        result.fault_detail = "x" * result.index
        result.save()
    assert len(selectors.fault_sections(graded, with_causes=True)) == 12


def test_the_worst_games_come_first(graded: Evaluation) -> None:
    fakes.play(graded, lambda index: 30 - index)
    assert [game.index for game in selectors.worst_games(graded, limit=3)] == [19, 18, 17]


def really_play(evaluation: Evaluation) -> None:
    for batch in fakes.jobs(evaluation):
        record_batch(fakes.report(batch, results=really_played(request_of(batch))))
    evaluation.refresh_from_db()


def test_an_export_proves_the_grade_and_has_the_secret_once_it_is_told_as_the_command(
    graded: Evaluation, assignment: Assignment, ida: User
) -> None:
    really_play(graded)
    export = from_json(export_json(graded), EvaluationExport)
    found = verify_export(export)
    assert found.findings == ()
    assert found.games == 20
    assert found.summary is not None
    assert found.summary.mean == graded.mean
    assert found.points == graded.grades.get().points
    assert (export.secret, reproduce_command(graded)) == (None, "")
    reveal_secret(assignment=assignment, by=ida, at=NOW + timedelta(days=8))
    graded.refresh_from_db()
    found = verify_export(from_json(export_json(graded), EvaluationExport))
    assert (found.ok, found.deals_derived) == (True, True)
    assert f"--secret {bytes(assignment.secret).hex()}" in reproduce_command(graded)


def test_an_unfinished_evaluation_cannot_be_exported(graded: Evaluation) -> None:
    with pytest.raises(RecordError, match="missing"):
        export_json(graded)


def test_a_replay_is_text_that_follows_from_the_record(graded: Evaluation) -> None:
    really_play(graded)
    game = selectors.game(graded, 3)
    told = selectors.replay_of(game)
    assert told is not None
    assert "turn" in told.text
    assert game.record is not None
    assert game.record.scores[0] == game.score


def test_a_stopped_game_has_no_replay(graded: Evaluation) -> None:
    fakes.play(graded, lambda _: FaultKind.CRASH)
    graded.results.filter(index=19).update(packed=b"")
    stopped = selectors.game(graded, 19)
    assert selectors.replay_of(stopped) is None
    assert record_file(stopped.record, index=19).content == b""


def test_the_command_repeats_practice_on_the_public_deals(
    team: Team, ready: Callable[..., Submission]
) -> None:
    practice = ready(team).evaluations.get(kind=Kind.PRACTICE)
    command = "firebox evaluate mine.py --games 10 --variant gcc --players 2"
    assert reproduce_command(practice) == command


def test_an_assignment_made_before_other_practice_deals_were_drawn_keeps_its_own(
    assignment: Assignment, team: Team, ready: Callable[..., Submission]
) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(practice_secret=REFERENCE_SECRET)
    submission = ready(Team.objects.get(pk=team.pk))
    of_earlier = submission.evaluations.get(kind=Kind.PRACTICE)
    first = request_of(fakes.jobs(of_earlier)[0]).games[0]
    assert first.deal_seed == deal_seed(REFERENCE_SECRET, 0).hex()
    command = reproduce_command(of_earlier)
    assert command.endswith(f" --secret {REFERENCE_SECRET.hex()}")
    really_play(of_earlier)
    found = verify_export(from_json(export_json(of_earlier), EvaluationExport))
    assert (found.ok, found.deals_derived, found.games) == (True, True, 10)


def test_the_command_line_understands_the_command_as_it_is_meant(
    assignment: Assignment, team: Team, ready: Callable[..., Submission]
) -> None:
    assignment.options = {"variant": "uwa", "players": 3, "colors": "WBGYR", "swaps": True}
    assignment.limits = {**assignment.limits, "turn_seconds": 0.5, "memory_mib": 100}
    assignment.save()
    team.refresh_from_db()
    practice = ready(team).evaluations.get(kind=Kind.PRACTICE)
    for index in (None, 4):
        words = shlex.split(reproduce_command(practice, index))
        parsed = parser().parse_args(words[1:])
        arguments = read(arguments_of(parsed.called), parsed)
        game = game_of(arguments.rules)
        assert game.options == practice.parsed_spec.options
        assert limits_of(arguments.agents) == practice.parsed_spec.limits


def test_single_games_are_shown_to_those_who_may_see_them(
    graded: Evaluation, ada: User, ben: User, ida: User, vic: AnonymousUser
) -> None:
    assert graded.submission is not None
    smoke_of = graded.submission.evaluations.get(kind=Kind.SMOKE)
    people = (ida, ada, ben, vic)
    assert [user for user in people if may_see_games(user, smoke_of)] == [ida, ada]
    assert [user for user in people if may_see_games(user, graded)] == [ida]


def test_graded_games_are_open_to_their_team_once_the_secret_is_revealed_and_no_grade_held(
    graded: Evaluation, assignment: Assignment, ada: User, ben: User, ida: User
) -> None:
    reveal_secret(assignment=assignment, by=ida, at=NOW + timedelta(days=8))
    graded.refresh_from_db()
    assert may_see_games(ada, graded)
    assert not may_see_games(ben, graded)
    Assignment.objects.update(holds_grades=True)
    held = Evaluation.objects.get(pk=graded.pk)
    assert [may_see_games(user, held) for user in (ida, ada)] == [True, False]


def test_house_agents_on_public_deals_are_visible_to_everybody(
    assignment: Assignment, ada: User, ida: User, outsider: User
) -> None:
    (practice,) = request_house(
        assignment=assignment, by=ida, names=["iggi"], kind=Kind.PRACTICE, at=NOW
    )
    (graded,) = request_house(assignment=assignment, by=ida, names=["iggi"], at=NOW)
    assert may_see_games(ada, practice)
    assert not may_see_games(ada, graded)
    assert not may_see_games(outsider, practice)


def test_evaluations_are_visible_to_their_team_and_to_staff(
    graded: Evaluation, ada: User, ben: User, ida: User, vic: AnonymousUser
) -> None:
    counts = [
        Evaluation.objects.visible_to(user).filter(pk=graded.pk).count()
        for user in (ada, ida, ben, vic)
    ]
    assert counts == [1, 1, 0, 0]


@pytest.mark.slow
def test_the_staffs_overview_takes_a_fixed_number_of_queries(
    graded: Evaluation,
    assignment: Assignment,
    enrol: Callable[..., User],
    ready: Callable[..., Submission],
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for name in ("Ben", "Cy", "Dee"):
        ready(team_for(user=enrol(name), assignment=assignment))
    fakes.play(graded)
    with django_assert_num_queries(11):
        rows = Work([assignment]).rows()
        assert [row.due_at == assignment.due_at for row in rows] == [True] * 4
        figures = ("members", "uploads", "testing", "practice", "run", "is_graded")
        assert all(hasattr(row, figure) for row in rows for figure in figures)
    assert [row.name for row in rows] == ["Ada", "Ben", "Cy", "Dee"]
    assert rows[0].run == graded
    assert rows[0].grade is not None
    assert rows[1].counted is not None
    assert rows[1].counted.pk == rows[1].uploads.latest


def test_on_an_assignments_own_deals_finished_house_agents_are_told_weakest_first(
    assignment: Assignment, ida: User, graded: Evaluation
) -> None:
    play(graded)
    for run in request_house(assignment=assignment, by=ida, names=["piers", "outer"], at=NOW):
        play(run)
    request_house(assignment=assignment, by=ida, names=["iggi"], at=NOW)
    practice = request_house(
        assignment=assignment, by=ida, names=["iggi"], kind=Kind.PRACTICE, at=NOW
    )
    play(practice[0])
    assert [(each.name, each.mean) for each in references_of(assignment)] == [
        ("outer", 16.0),
        ("piers", 16.0),
    ]
