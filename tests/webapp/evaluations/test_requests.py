"""Who may ask for which evaluation, and what exactly is then played."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from grader import house
from grader.deals import PRACTICE_SECRET, deal_seed
from grader.store import ArtefactStore
from tests.webapp import fakes
from tests.webapp.conftest import NOW
from webapp.accounts.models import User
from webapp.courses.models import Assignment, Role, Team
from webapp.courses.services import team_for, update_assignment
from webapp.errors import NotAllowed, Refused
from webapp.evaluations.artefacts import store
from webapp.evaluations.models import Evaluation, Kind, Status, Verdict
from webapp.evaluations.services import (
    cancel,
    grade_all,
    grade_team,
    request_house,
    request_practice,
    requeue,
)
from webapp.evaluations.services.batches import request_of
from webapp.gradebook.models import Grade
from webapp.submissions.models import Submission


def test_a_graded_evaluation_plays_the_assignment_s_secret_deals(
    graded: Evaluation, assignment: Assignment
) -> None:
    request = request_of(fakes.batches(graded)[0])
    secret = bytes(assignment.secret)
    assert [game.deal_seed for game in request.games] == [
        deal_seed(secret, index).hex() for index in range(20)
    ]
    assert (request.seating, request.max_consecutive_faults) == ((0, 0), 4)
    assert not request.check_first


def test_a_smoke_test_plays_public_deals_in_one_batch_and_compiles_first(
    smoke: Evaluation,
) -> None:
    (batch,) = fakes.batches(smoke)
    request = request_of(batch)
    assert request.check_first
    assert request.games[4].deal_seed == deal_seed(PRACTICE_SECRET, 4).hex()


def test_every_submission_plays_the_same_graded_deals(
    assignment: Assignment, ada: User, ben: User, ida: User, ready: Callable[..., Submission]
) -> None:
    for user in (ada, ben):
        ready(team_for(user=user, assignment=assignment))
    first, second = grade_all(assignment=assignment, by=ida)
    games = [request_of(fakes.batches(evaluation)[0]).games for evaluation in (first, second)]
    assert games[0] == games[1]


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
    assert [batch.n_games for batch in fakes.batches(evaluation)] == [5, 5, 5, 5]


def test_one_evaluation_of_a_kind_at_a_time(graded: Evaluation, team: Team, ida: User) -> None:
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
    (only,) = grade_all(assignment=assignment, by=ida)
    assert only.submission is not None
    assert only.submission.team.name == "Ada"
    assert grade_all(assignment=assignment, by=ida) == []


def test_nothing_to_count_cannot_be_graded(team: Team, ida: User) -> None:
    with pytest.raises(Refused, match="no submission that counts"):
        grade_team(team=team, by=ida)


def test_students_start_no_graded_evaluation(
    team: Team, assignment: Assignment, ada: User, ready: Callable[..., Submission]
) -> None:
    ready(team)
    with pytest.raises(NotAllowed):
        grade_team(team=team, by=ada)
    with pytest.raises(NotAllowed):
        grade_all(assignment=assignment, by=ada)
    with pytest.raises(NotAllowed):
        request_house(assignment=assignment, by=ada)


def test_an_assistant_may_grade(
    team: Team, enrol: Callable[..., User], ready: Callable[..., Submission]
) -> None:
    ready(team)
    assistant = enrol("Tom", role=Role.ASSISTANT)
    assert grade_team(team=team, by=assistant).requested_by == assistant


def test_a_ready_submission_practises_by_itself_and_again_when_asked(
    team: Team, ada: User, ready: Callable[..., Submission]
) -> None:
    submission = ready(team)
    first = submission.evaluations.get(kind=Kind.PRACTICE)
    with pytest.raises(Refused, match="under way"):
        request_practice(submission=submission, by=ada)
    fakes.play(first)
    assert request_practice(submission=submission, by=ada).n_games == 10


def test_nobody_asks_for_practice_of_another_team_s_submission(
    team: Team, ben: User, ready: Callable[..., Submission]
) -> None:
    submission = ready(team)
    with pytest.raises(NotAllowed):
        request_practice(submission=submission, by=ben)


def test_house_agents_are_evaluated_once_at_a_time(assignment: Assignment, ida: User) -> None:
    evaluations = request_house(assignment=assignment, by=ida)
    assert {evaluation.house_agent for evaluation in evaluations} == set(house.NAMES)
    assert request_house(assignment=assignment, by=ida) == []


def test_a_house_agent_lies_in_the_store(assignment: Assignment, ida: User) -> None:
    (evaluation,) = request_house(assignment=assignment, by=ida, names=["iggi"])
    assert isinstance(store(), ArtefactStore)
    assert store().get(evaluation.sha256).startswith(b"PK")


def test_an_unknown_house_agent_is_refused(assignment: Assignment, ida: User) -> None:
    with pytest.raises(Refused, match="called nobody"):
        request_house(assignment=assignment, by=ida, names=["nobody"])


def test_a_finished_house_agent_has_figures_and_no_grade(assignment: Assignment, ida: User) -> None:
    (evaluation,) = request_house(assignment=assignment, by=ida, names=["iggi"])
    fakes.play(evaluation)
    assert (evaluation.verdict, evaluation.is_current) == (Verdict.ACCEPTED, True)
    assert not Grade.objects.exists()


def test_what_is_over_can_be_neither_cancelled_nor_sent_again(
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
    assert fakes.batches(graded) == []
    assert grade_team(team=team, by=ida).pk != graded.pk


def test_students_cancel_nothing(graded: Evaluation, ada: User) -> None:
    with pytest.raises(NotAllowed):
        cancel(evaluation=graded, by=ada)
    with pytest.raises(NotAllowed):
        requeue(evaluation=graded, by=ada)


def test_of_two_who_finish_an_evaluation_one_wins(graded: Evaluation) -> None:
    twin = Evaluation.objects.get(pk=graded.pk)
    moved = {"verdict": Verdict.REJECTED, "finished_at": NOW + timedelta(hours=1)}
    assert graded.advance(Status.FINISHED, **moved)
    assert not twin.advance(Status.FINISHED, **moved)
    assert not twin.advance(Status.PLAYING)
