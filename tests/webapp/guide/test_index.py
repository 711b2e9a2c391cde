"""The index of the guide, and single sentences that must be true."""

import re

import pytest
from django.test import Client

from tests.support import pages
from tests.webapp.guide.reading import text_of
from webapp.pages.guide.pages import PAGES, GuidePart

pytestmark = pytest.mark.django_db


def test_the_index_leads_to_every_page() -> None:
    page = pages.text_of(Client().get("/guide/"))
    assert all(f'href="/guide/{entry.slug}/"' in page for entry in PAGES)


def test_a_page_that_does_not_exist_is_not_found() -> None:
    assert Client().get("/guide/nothing/").status_code == 404


@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.slug)
def test_every_page_marks_itself_as_current(entry: object) -> None:
    slug = entry.slug  # type: ignore[attr-defined]
    page = pages.text_of(Client().get(f"/guide/{slug}/"))
    assert f'href="/guide/{slug}/" aria-current="page"' in page


@pytest.mark.parametrize("part", GuidePart)
def test_the_index_groups_the_pages(part: GuidePart) -> None:
    page = pages.text_of(Client().get("/guide/"))
    of_part = page[page.index(f"<h2>{part.value}</h2>") + 4 :].partition("<h2>")[0]
    linked = re.findall(r'href="/guide/([\w-]+)/"', of_part.partition("</ol>")[0])
    assert linked == [entry.slug for entry in PAGES if entry.part is part]


def test_the_figures_of_the_usual_scheme_are_computed() -> None:
    text = text_of("grades")
    rows = re.findall(r"^(\d+\.\d\d)(\d+\.\d\d)$", text, re.MULTILINE)
    assert ("14.99", "0.00") in rows
    assert ("15.00", "100.00") in rows
    assert ("20.50", "105.00") in rows


def test_instructors_are_told_when_students_see_points() -> None:
    assert "Students see their points at once, unless you hold them." in text_of("instructors")
