"""Messages to students while no grader is ready for them."""

from collections.abc import Callable

import pytest

from tests.support import world as worlds
from tests.support.graders import FAILED, GRADER_KEY, a_report
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.grading.operations.services import record_grader
from webapp.grading.submissions.models import Submission

pytestmark = pytest.mark.django_db

WARNING = "No grader is ready."


@pytest.fixture
def fragments(world: World) -> Callable[[], list[str]]:
    """The live parts of the pages of Ada's waiting submission."""
    submission = worlds.upload(world, world.ada)
    smoke = submission.evaluations.get()
    client = signed_in(world.ada)

    def get() -> list[str]:
        addresses = (f"/submissions/{submission.pk}/live/", f"/evaluations/{smoke.uuid}/live/")
        return [text_of(client.get(address)) for address in addresses]

    return get


def test_students_are_told_when_no_grader_is_ready(fragments: Callable[[], list[str]]) -> None:
    assert all(WARNING in text for text in fragments())


def test_students_are_not_warned_when_a_grader_serves_their_queue(
    fragments: Callable[[], list[str]],
) -> None:
    record_grader(a_report(queues=("smoke",)), key=GRADER_KEY)
    assert not any(WARNING in text for text in fragments())


def test_a_grader_that_serves_another_queue_or_refuses_work_does_not_end_the_warning(
    fragments: Callable[[], list[str]],
) -> None:
    record_grader(a_report(queues=("graded", "practice")), key=GRADER_KEY)
    record_grader(a_report(name="smoke@host", queues=("smoke",), checks=(FAILED,)), key=GRADER_KEY)
    assert all(WARNING in text for text in fragments())


@pytest.mark.slow
def test_a_finished_evaluation_needs_no_grader(world: World, practised: Submission) -> None:
    page = text_of(signed_in(world.ada).get(f"/submissions/{practised.pk}/"))
    assert WARNING not in page
