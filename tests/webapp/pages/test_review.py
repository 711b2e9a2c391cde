"""The task to look at teams before grades are released, on the page of an assignment's teams."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import World
from webapp.grading.gradebook.work import Need
from webapp.grading.submissions.models import Submission
from webapp.pages.review import button_of, reasons_of
from webapp.teaching.courses.models import Assignment

STAFF = "/courses/coop/assignments/hanabi/teams/"


def test_each_row_is_counted_for_its_gravest_reason() -> None:
    rows = [{Need.FAULTS, Need.LOST}, {Need.LOST}, {Need.REJECTED}, {Need.CHECK, Need.NO_UPLOAD}]
    assert reasons_of(rows) == (
        "One had many faults, one lost most games, one had no upload accepted,"
        " one uploaded nothing."
    )
    assert reasons_of([{Need.LOST}] * 10) == "10 lost most games."
    assert [button_of(number) for number in (1, 4, 10)] == [
        "Show it",
        "Show these four",
        "Show these 10",
    ]


@pytest.mark.django_db
def test_the_page_counts_all_rows_to_check_whatever_is_searched(
    world: World, practised: Submission
) -> None:
    worlds.grade(world, world.ada, faults={1, 2, 3})
    client = signed_in(world.ida)
    assert "Look at 1 team" in text_of(client.get(STAFF))
    now = timezone.now()
    Submission.objects.update(uploaded_at=now - timedelta(days=1))
    Assignment.objects.update(opens_at=now - timedelta(days=9), due_at=now - timedelta(hours=1))
    for query in ("", "?q=nobody"):
        page = text_of(client.get(STAFF + query))
        assert "Look at 1 team and 1 student" in page
        assert "One had many faults, one uploaded nothing." in page
        assert "Show these two" in page
        assert f'href="{STAFF}?show=check#teams"' in page
        assert "2 need a look" in page
        assert "before you release" not in page
        assert "with many faults" not in page
    shown = text_of(client.get(STAFF + "?show=check"))
    assert "Ada Lovelace" in shown
    assert "Ben Okri" in shown
    Assignment.objects.update(holds_grades=True)
    assert "Look at 1 team and 1 student before you release" in text_of(client.get(STAFF))
    Assignment.objects.update(due_at=now - timedelta(days=8), holds_grades=False)
    assert "Look at" not in text_of(client.get(STAFF))
