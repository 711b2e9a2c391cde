"""The page of what changed between two versions: who sees it, from where it is reached."""

from html import unescape

import pytest
from django.utils import timezone

from tests.support import world as worlds
from tests.support.pages import signed_in, text_of
from tests.support.world import SOURCE, World
from tests.webapp.pages.submitting import ASSIGNMENT
from webapp.grading.submissions.models import Submission

pytestmark = pytest.mark.django_db


def test_what_changed_is_a_click_away_and_its_lines_are_harmless(world: World) -> None:
    worlds.submit_and_practise(world, world.ada)
    evil = SOURCE + b"# </ins><script>alert(1)</script>\xe2\x80\xae\n"
    second = worlds.upload(world, world.ada, data=evil)
    address = f"/submissions/{second.pk}/changes/"
    client = signed_in(world.ada)
    assert address in text_of(client.get(ASSIGNMENT))
    page = text_of(client.get(address))
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert "# </ins><script>alert(1)</script>" in unescape(page.partition("<ins>")[2])
    assert "1 line added, 0 lines removed" in page


def test_both_sources_must_be_ones_own(world: World) -> None:
    own, other = worlds.upload(world, world.ada), worlds.upload(world, world.ben)
    ways = [(own, other), (other, own)]
    for later, earlier in ways:
        address = f"/submissions/{later.pk}/changes/?since={earlier.pk}"
        assert signed_in(world.ida).get(address).status_code == 200
        for reader in (world.ada, world.ben):
            assert signed_in(reader).get(address).status_code == 404
    for wrong in ("0", "x", "9" * 30, "-1"):
        address = f"/submissions/{own.pk}/changes/?since={wrong}"
        assert signed_in(world.ada).get(address).status_code == 404


def test_sources_that_were_removed_are_said_to_be(world: World) -> None:
    first, second = worlds.upload(world, world.ada), worlds.upload(world, world.ada)
    assert "the first submission" in text_of(
        signed_in(world.ada).get(f"/submissions/{first.pk}/changes/")
    )
    Submission.objects.filter(pk=first.pk).update(sources_removed_at=timezone.now())
    page = text_of(signed_in(world.ada).get(f"/submissions/{second.pk}/changes/"))
    assert "have been deleted" in page
