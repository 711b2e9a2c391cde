"""Pages of similar sources: the list, a pair side by side, the archive; and who sees none of it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.support import similar
from tests.support import world as worlds
from tests.support.made_programs import program
from tests.support.pages import signed_in, text_of
from tests.support.templates import copy_of
from tests.support.world import World
from webapp.grading.similarity import prints
from webapp.grading.similarity.services import go_on_comparing
from webapp.grading.submissions.models import Submission
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Role
from webapp.teaching.courses.services import create_assignment, create_course

pytestmark = pytest.mark.django_db

PAGE = "/courses/coop/assignments/hanabi/similarity/"
ONE = program(1, functions=8) + "\n# </pre><script>alert(1)</script>\n"


@pytest.fixture
def alike(db: None) -> World:
    """Ada's program, and Ben's with other names; the due date has passed."""
    return copy_of(similar.make, text=ONE)


def compare(client: Client) -> None:
    assert client.post(PAGE + "compare/").status_code == 302
    go_on_comparing(at=timezone.now())


def test_before_the_due_date_nothing_can_be_compared(world: World) -> None:
    page = text_of(signed_in(world.ida).get(PAGE))
    assert "Sources can be compared after the due date" in page
    assert "compare/" not in page


def test_a_pair_is_listed_and_shown_side_by_side_and_both_are_logged(alike: World) -> None:
    client = signed_in(alike.ida)
    compare(client)
    page = text_of(client.get(PAGE))
    assert "Pair 1" in page
    assert "100.0%" in page
    pair = text_of(client.get(PAGE + "pairs/1/"))
    assert 'id="a-1"' in pair
    assert 'href="#b-1"' in pair
    assert 'id="b-1"' in pair
    assert "amount" in pair
    assert "<script>alert" not in pair
    kinds = Act.objects.filter(kind__startswith="similarity.").values_list("kind", flat=True)
    assert list(kinds) == ["similarity.opened", "similarity.compared"]


def test_files_that_were_not_compared_are_named(
    alike: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prints, "MAX_FILE_BYTES", 1 << 10)
    client = signed_in(alike.ida)
    compare(client)
    page = text_of(client.get(PAGE))
    assert page.count("agent.py was not read: it has more than 1 KiB.") == 2


def test_no_page_says_that_anybody_copied(alike: World) -> None:
    client = signed_in(alike.ida)
    compare(client)
    for address in (PAGE, PAGE + "pairs/1/"):
        page = text_of(client.get(address)).lower()
        assert [word for word in ("plagiar", "cheat", "copied", "guilty") if word in page] == []


def test_while_it_is_under_way_the_page_asks_for_more(alike: World) -> None:
    client = signed_in(alike.ida)
    client.post(PAGE + "compare/")
    page = client.get(PAGE + "live/")
    assert "0 of 2 submissions read" in text_of(page)
    assert client.get(PAGE + "live/", headers={"if-none-match": page["ETag"]}).status_code == 304
    again = client.post(PAGE + "compare/", follow=True)
    assert "being compared already" in text_of(again)
    go_on_comparing(at=timezone.now())
    assert "Pair 1" in text_of(client.get(PAGE + "live/", headers={"if-none-match": page["ETag"]}))


def test_the_archive_has_both_and_is_logged(alike: World) -> None:
    response = signed_in(alike.ida).get(PAGE + "sources.zip")
    data = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert data.startswith(b"PK")
    assert response["Content-Disposition"] == 'attachment; filename="coop-hanabi-sources.zip"'
    assert Act.objects.get(kind="similarity.downloaded").thing.endswith("2 submissions")


def test_pairs_with_a_course_of_others_are_not_shown(alike: World) -> None:
    old = create_course(by=alike.ida, title="Older", slug="older", timezone="UTC")
    dora = worlds.person("Dora Stranger")
    Enrolment.objects.create(course=old, user=dora)
    before = create_assignment(
        course=old,
        by=alike.ida,
        slug="hanabi",
        title="Then",
        options={"variant": "standard", "players": 2},
        due_at=timezone.now() + timedelta(hours=1),
    )
    theirs = World(**{**vars(alike), "course": old, "assignment": before})
    similar.hand_in(theirs, dora, ONE)
    Assignment.objects.filter(pk=before.pk).update(
        opens_at=timezone.now() - timedelta(days=300), due_at=timezone.now() - timedelta(days=200)
    )
    Submission.objects.filter(team__assignment=before).update(
        uploaded_at=timezone.now() - timedelta(days=250)
    )
    client = signed_in(alike.ida)
    compare(client)
    assert "Older" in text_of(client.get(PAGE))
    Course.objects.filter(pk=alike.course.pk).update(assistant_rights=["integrity"])
    seen = text_of(signed_in(alike.cleo).get(PAGE))
    assert "Older" not in seen
    assert "2 more pairs not shown: with submissions of courses" in seen
    places = [
        code for place in (1, 2, 3)
        if (code := signed_in(alike.cleo).get(f"{PAGE}pairs/{place}/").status_code) == 404
    ]  # fmt: skip
    assert len(places) == 2
    assert Enrolment.objects.get(user=alike.cleo).role == Role.ASSISTANT


def test_the_page_of_many_pairs_takes_as_many_queries_as_that_of_one(
    alike: World, django_assert_max_num_queries: Callable[..., object]
) -> None:
    client = signed_in(alike.ida)
    compare(client)
    for number in range(12):
        user = worlds.person(f"Student{number} Number")
        Enrolment.objects.create(course=alike.course, user=user)
        team = worlds.team_of(alike, user)
        Submission.objects.create(
            team=team,
            number=1,
            uploaded_by=user,
            uploaded_at=timezone.now() - timedelta(hours=1),
            filename="agent.py",
            sha256=Submission.objects.order_by("pk")[0].sha256,
            size_bytes=10,
            status="ready",
        )
    compare(client)
    with django_assert_max_num_queries(30):
        assert client.get(PAGE).status_code == 200
