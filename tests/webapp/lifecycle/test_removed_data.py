"""Pages of work of which something was removed still open, and say so."""

import pytest
from django.utils import timezone

from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.flow.lifecycle.batches import BatchDeadline
from webapp.flow.lifecycle.services.retention import remove_expired_course_data, set_retention
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.submissions.models import Submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def emptied(over: World) -> World:
    days = dict.fromkeys(("sources_days", "records_days", "prints_days", "logs_days"), 0)
    set_retention(course=over.course, by=over.ida, **days)
    remove_expired_course_data(BatchDeadline(None), at=timezone.now())
    return over


@pytest.mark.slow
def test_pages_without_games_and_programs_open(emptied: World) -> None:
    evaluation = Evaluation.objects.get(
        kind="graded", submission__team__memberships__user=emptied.ada
    )
    submission = Submission.objects.get(team__memberships__user=emptied.ada)
    board = "/courses/coop/assignments/hanabi/"
    pages = [
        f"/submissions/{submission.pk}/",
        f"/evaluations/{evaluation.uuid}/",
        f"/evaluations/{evaluation.uuid}/games/",
        *(board, board + "leaderboard/", board + "grades/", board + "teams/"),
    ]
    ida = signed_in(emptied.ida)
    found = {page: ida.get(page).status_code for page in pages}
    assert found == dict.fromkeys(pages, 200)
    assert "games were deleted" in text_of(ida.get(f"/evaluations/{evaluation.uuid}/"))
    assert "Sources deleted" in text_of(ida.get(f"/submissions/{submission.pk}/"))
    downloads = [
        f"/evaluations/{evaluation.uuid}/export/",
        f"/evaluations/{evaluation.uuid}/games/0/",
        f"/submissions/{submission.pk}/archive/",
    ]
    found = {page: ida.get(page).status_code for page in downloads}
    assert found == dict(zip(downloads, (302, 404, 302), strict=True))
