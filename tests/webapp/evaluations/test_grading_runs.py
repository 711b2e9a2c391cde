"""The grading of all teams is answered at once and goes on in the background."""

from datetime import timedelta

import pytest

from tests.support.crowd import Crowd, make_crowd
from tests.webapp.conftest import NOW
from webapp.base.errors import Refused
from webapp.grading.evaluations.models import Evaluation, GradingRun, Kind
from webapp.grading.evaluations.services import go_on_grading, start_grading
from webapp.grading.evaluations.services.grading import AT_ONCE

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

TEAMS = AT_ONCE + 3


@pytest.fixture
def crowd(db: None) -> Crowd:
    return make_crowd(teams=TEAMS, submissions=2, graded=False)


def start(crowd: Crowd) -> GradingRun:
    return start_grading(assignment=crowd.assignment, by=crowd.instructor, at=NOW)


def graded(crowd: Crowd) -> int:
    return Evaluation.objects.filter(assignment=crowd.assignment, kind=Kind.GRADED).count()


def test_the_first_teams_are_graded_at_once_and_the_others_later(crowd: Crowd) -> None:
    run = start(crowd)
    assert (run.done, run.total, run.finished_at, graded(crowd)) == (AT_ONCE, TEAMS, None, AT_ONCE)
    later = NOW + timedelta(seconds=2)
    assert go_on_grading(at=later) == 0
    run.refresh_from_db()
    assert (run.done, run.finished_at, graded(crowd)) == (TEAMS, later, TEAMS)


def test_a_grading_run_is_refused_while_another_is_under_way(crowd: Crowd) -> None:
    start(crowd)
    with pytest.raises(Refused, match="being graded already"):
        start(crowd)


def test_a_team_that_is_refused_keeps_no_other_from_being_graded(crowd: Crowd) -> None:
    for _ in range(2):
        start(crowd)
        go_on_grading(at=NOW)
    run = GradingRun.objects.latest("pk")
    assert set(run.refused) == {team.name for team in crowd.teams}
    assert graded(crowd) == TEAMS


def test_a_team_whose_upload_cannot_be_read_keeps_no_other_from_being_graded(
    crowd: Crowd,
) -> None:
    latest = crowd.teams[0].submissions.latest("pk")
    crowd.teams[0].submissions.filter(pk=latest.pk).update(interface="of_another_version")
    run = start(crowd)
    go_on_grading(at=NOW)
    run.refresh_from_db()
    assert run.finished_at == NOW
    reason = "An error of ours: there is no interface 'of_another_version'"
    assert run.refused == {crowd.teams[0].name: reason}
    assert graded(crowd) == TEAMS - 1
