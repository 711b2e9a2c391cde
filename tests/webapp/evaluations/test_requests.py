"""Permissions to request evaluations, and the games that are then played."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from grader import house
from grader.core.deals import PRACTICE_SECRET, deal_seed
from grader.uploads.store import ArtefactStore
from tests.support.grading import evaluations_of, grade_teams
from tests.support.jobs import request_of
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.base.artefacts import store
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.pipeline import requeue, update_assignment
from webapp.grading.evaluations.history import practice_left
from webapp.grading.evaluations.models import Evaluation, Kind, Status, Verdict
from webapp.grading.evaluations.services import (
    cancel,
    grade_team,
    request_house,
    request_practice,
    request_smoke_test,
    start_grading,
)
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Role, Team
from webapp.teaching.courses.resolution import resolution_of
from webapp.teaching.courses.services import team_for


def test_a_graded_evaluation_plays_the_assignments_secret_deals(
    graded: Evaluation, assignment: Assignment
) -> None:
    request = request_of(fakes.jobs(graded)[0])
    secret = bytes(assignment.secret)
    assert [game.deal_seed for game in request.games] == [
        deal_seed(secret, index).hex() for index in range(20)
    ]
    assert (request.seating, request.max_consecutive_faults) == ((0, 0), 4)
    assert not request.check_first


def test_a_smoke_test_plays_public_deals_in_one_batch_and_compiles_first(
    smoke: Evaluation,
) -> None:
    (batch,) = fakes.jobs(smoke)
    request = request_of(batch)
    assert request.check_first
    assert request.games[4].deal_seed == deal_seed(PRACTICE_SECRET, 4).hex()


def test_the_spec_stays_as_it_was_requested(
    smoke: Evaluation, assignment: Assignment, ida: User
) -> None:
    update_assignment(assignment=assignment, by=ida, options={"variant": "standard", "players": 3})
    smoke.refresh_from_db()
    assert smoke.parsed_spec.options["players"] == 2


def test_batches_are_sized_by_the_pace_of_the_smoke_test(
    team: Team, ida: User, upload: Callable[..., Submission]
) -> None:
    submission = upload(team)
    smoke = fakes.play(submission.evaluations.get(kind=Kind.SMOKE))
    Evaluation.objects.filter(pk=smoke.pk).update(ms_per_game=3000.0)
    submission.refresh_from_db()
    evaluation = grade_team(team=team, by=ida, at=NOW)
    assert [batch.n_games for batch in fakes.jobs(evaluation)] == [5, 5, 5, 5]


def test_a_team_is_graded_for_what_counts_once_at_a_time(
    team: Team, ida: User, ready: Callable[..., Submission]
) -> None:
    with pytest.raises(Refused, match="no submission that counts"):
        grade_team(team=team, by=ida)
    ready(team)
    grade_team(team=team, by=ida)
    with pytest.raises(Refused, match="under way"):
        grade_team(team=team, by=ida)


def test_a_second_run_supersedes_the_first_when_it_is_finished(
    graded: Evaluation, team: Team, ida: User
) -> None:
    fakes.play(graded)
    again = grade_team(team=team, by=ida)
    graded.refresh_from_db()
    assert graded.is_current
    fakes.play(again, lambda _: 20)
    graded.refresh_from_db()
    assert (graded.is_current, again.is_current) == (False, True)
    assert list(Grade.objects.values_list("mean", "is_current")) == [(20.0, True), (16.0, False)]


def test_all_teams_with_something_to_count_are_graded_once(
    assignment: Assignment, ada: User, ben: User, ida: User, ready: Callable[..., Submission]
) -> None:
    ready(team_for(user=ada, assignment=assignment))
    team_for(user=ben, assignment=assignment)
    (only,) = grade_teams(assignment, ida)
    assert only.submission is not None
    assert only.submission.team.name == "Ada"
    again = start_grading(assignment=assignment, by=ida)
    assert evaluations_of(again) == []
    assert again.refused == {"Ada": "A graded evaluation of this agent is under way."}


def test_assistants_grade_and_students_neither_grade_cancel_nor_send_again(
    team: Team, ada: User, ben: User, enrol: Callable[..., User], ready: Callable[..., Submission]
) -> None:
    assignment, submission = team.assignment, ready(team)
    assistant = enrol("Tom", role=Role.ASSISTANT)
    graded = grade_team(team=team, by=assistant)
    assert graded.requested_by == assistant
    for act in (
        lambda: grade_team(team=team, by=ada),
        lambda: start_grading(assignment=assignment, by=ada),
        lambda: request_house(assignment=assignment, by=ada),
        lambda: cancel(evaluation=graded, by=ada),
        lambda: requeue(evaluation=graded, by=ada),
        lambda: request_practice(submission=submission, by=ben),
    ):
        with pytest.raises(NotAllowed):
            act()


def test_a_ready_submission_practises_by_itself_and_again_when_asked(
    team: Team, ada: User, ready: Callable[..., Submission]
) -> None:
    submission = ready(team)
    first = submission.evaluations.get(kind=Kind.PRACTICE)
    with pytest.raises(Refused, match="under way"):
        request_practice(submission=submission, by=ada)
    fakes.play(first)
    assert request_practice(submission=submission, by=ada).n_games == 10


def practise(submission: Submission, by: User, *, at: datetime = NOW) -> Evaluation:
    return fakes.play(request_practice(submission=submission, by=by, at=at))


@pytest.fixture
def practised(team: Team, ready: Callable[..., Submission]) -> Submission:
    """Ready, its first practice played, and two more a day allowed."""
    Assignment.objects.update(practice_per_day=2)
    team.assignment.refresh_from_db()
    submission = ready(team)
    fakes.play(submission.evaluations.get(kind=Kind.PRACTICE))
    return submission


@pytest.mark.slow
def test_the_daily_limit_of_practice_holds_for_a_team_whichever_its_submission(
    practised: Submission, team: Team, ada: User, ready: Callable[..., Submission]
) -> None:
    practise(practised, ada)
    another = ready(team)
    fakes.play(another.evaluations.get(kind=Kind.PRACTICE))
    practise(another, ada)
    for submission in (practised, another):
        with pytest.raises(Refused, match="used its 2 practice evaluations for today"):
            practise(submission, ada)
    assert practise(practised, ada, at=NOW + timedelta(days=1)).status == Status.FINISHED


@pytest.mark.slow
def test_a_day_of_practice_is_one_of_the_courses_time_zone(
    practised: Submission, team: Team, ada: User
) -> None:
    before_midnight = NOW.replace(hour=22, minute=59)  # 23:59 in Berlin
    for _ in range(2):
        practise(practised, ada, at=before_midnight)
    assert practice_left(team, at=before_midnight) == 0
    assert practice_left(team, at=before_midnight + timedelta(minutes=1)) == 2


@pytest.mark.slow
def test_practice_of_staff_or_that_failed_or_was_cancelled_uses_up_nothing(
    practised: Submission, team: Team, ada: User, ida: User
) -> None:
    for _ in range(4):
        practise(practised, ida)
    for status in (Status.FAILED, Status.CANCELLED):
        evaluation = request_practice(submission=practised, by=ada, at=NOW)
        assert practice_left(team, at=NOW) == 1
        evaluation.advance(status)
    assert practice_left(team, at=NOW) == 2


def test_after_the_end_practice_chooses_no_upload_where_the_best_counts(
    practised: Submission, team: Team, ada: User, ready: Callable[..., Submission]
) -> None:
    Assignment.objects.update(counts="best")
    after = team.assignment.due_at + timedelta(days=1)
    untried, late = ready(team), ready(team, at=after)
    fakes.play(late.evaluations.get(kind=Kind.PRACTICE))
    untried.evaluations.get(kind=Kind.PRACTICE).advance(Status.FAILED)
    practised, untried, late = (
        Submission.objects.get(pk=each.pk) for each in (practised, untried, late)
    )
    with pytest.raises(Refused, match="the best practice before it counts"):
        practise(practised, ada, at=after)
    for may_practise in (untried, late):
        assert practise(may_practise, ada, at=after).status == Status.FINISHED


def test_an_assignment_may_leave_no_practice_but_that_of_uploads(
    practised: Submission, ada: User
) -> None:
    Assignment.objects.update(practice_per_day=0)
    practised.team.assignment.refresh_from_db()
    with pytest.raises(Refused, match="cannot be requested here"):
        practise(practised, ada)


@pytest.mark.slow
@pytest.mark.parametrize("goes_on", ["yes", ""])
def test_after_the_due_date_practice_continues_only_where_the_assignment_says_so(
    goes_on: str, practised: Submission, ada: User, ida: User
) -> None:
    Assignment.objects.update(practice_after_due=bool(goes_on))
    practised.team.assignment.refresh_from_db()
    late = resolution_of(practised.team).deadline.ends_at + timedelta(seconds=1)
    if goes_on:
        practise(practised, ada, at=late)
    else:
        with pytest.raises(Refused, match="no practice after it"):
            practise(practised, ada, at=late)
    practise(practised, ida, at=late)


def test_house_agents_are_evaluated_once_at_a_time_and_have_figures_and_no_grade(
    assignment: Assignment, ida: User
) -> None:
    with pytest.raises(Refused, match="named nobody"):
        request_house(assignment=assignment, by=ida, names=["nobody"])
    evaluations = request_house(assignment=assignment, by=ida)
    assert {evaluation.house_agent for evaluation in evaluations} == set(
        house.family("hanabi").names
    )
    assert request_house(assignment=assignment, by=ida) == []
    first = evaluations[0]
    assert isinstance(store(), ArtefactStore)
    assert store().get(first.sha256).startswith(b"PK")
    fakes.play(first)
    assert (first.verdict, first.is_current) == (Verdict.ACCEPTED, True)
    assert not Grade.objects.exists()


def test_a_finished_evaluation_can_be_neither_cancelled_nor_sent_again(
    graded: Evaluation, ida: User
) -> None:
    fakes.play(graded)
    with pytest.raises(Refused):
        cancel(evaluation=graded, by=ida)
    with pytest.raises(Refused):
        requeue(evaluation=graded, by=ida)


def test_a_cancelled_evaluation_makes_room_for_another(
    graded: Evaluation, team: Team, ida: User
) -> None:
    cancel(evaluation=graded, by=ida)
    assert graded.status == Status.CANCELLED
    assert fakes.jobs(graded) == []
    assert grade_team(team=team, by=ida).pk != graded.pk


def test_one_of_two_concurrent_ends_of_an_evaluation_wins(graded: Evaluation) -> None:
    twin = Evaluation.objects.get(pk=graded.pk)
    moved = {"verdict": Verdict.REJECTED, "finished_at": NOW + timedelta(hours=1)}
    assert graded.advance(Status.FINISHED, **moved)
    assert not twin.advance(Status.FINISHED, **moved)
    assert not twin.advance(Status.PLAYING)


def test_a_failed_evaluation_that_has_been_replaced_is_not_sent_again(
    graded: Evaluation, team: Team, ida: User
) -> None:
    Evaluation.objects.filter(pk=graded.pk).update(status=Status.FAILED)
    fakes.play(grade_team(team=team, by=ida))
    with pytest.raises(Refused, match="taken its place"):
        requeue(evaluation=graded, by=ida)


def test_a_smoke_test_is_repeated_only_if_it_was_cancelled(
    submission: Submission, smoke: Evaluation, ada: User, ben: User, ida: User
) -> None:
    with pytest.raises(NotAllowed):
        request_smoke_test(submission=submission, by=ben)
    with pytest.raises(Refused, match="under way"):
        request_smoke_test(submission=submission, by=ada)
    cancel(evaluation=smoke, by=ida)
    fakes.play(request_smoke_test(submission=submission, by=ada, at=NOW))
    submission.refresh_from_db()
    assert submission.status == "ready"
    with pytest.raises(Refused, match="has been tested"):
        request_smoke_test(submission=submission, by=ada)
