"""The search of the guide: people find the part that answers them, and help where there is none."""

import re

import pytest
from django.test import Client

from tests.support import pages
from webapp.pages.guide.pages import PAGES
from webapp.pages.guide.searching import MAX_RESULTS, rendered, search

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("timeout", "/guide/verdicts/#timeout"),
        ("timeouts", "/guide/verdicts/#timeout"),
        ("turn_seconds", "/guide/limits/#turn_seconds"),
        ("late days", "/guide/dates/#late"),
        ("regrading", "/guide/grades/#regrades"),
        ("what my agent prints", "/guide/replays/#prints"),
        ("shooting the moon", "/guide/hearts/#shooting-the-moon"),
        ("replay audit", "/guide/instructors/#audit"),
        ("windows", "/guide/command/#windows"),
        ("hous", "/guide/house-agents/"),
    ],
)
def test_the_part_that_answers_comes_first(query: str, address: str) -> None:
    assert search(query).results[0].address == address


@pytest.mark.parametrize("word", ["fail", "fails", "failed", "failing"])
def test_every_form_of_a_word_finds_the_guides_word_for_it(word: str) -> None:
    assert search(word).count >= search("fault").count


def test_a_result_has_its_heading_page_and_a_sentence_with_the_words_marked() -> None:
    page = pages.text_of(Client().get("/guide/search/", {"q": "late days"}))
    first = page[page.index('<ol class="found">') :].partition("</li>")[0]
    assert re.search(r'<h2><a href="/guide/dates/#late">[^<]+</a></h2>', first)
    assert "Dates and lateness" in first
    assert "<mark>late</mark> <mark>days</mark>" in first


def test_every_result_leads_to_a_part_that_is_there() -> None:
    articles = {entry.slug: rendered(entry) for entry in PAGES}
    results = [
        result for word in ("game", "agent", "file", "points") for result in search(word).results
    ]
    assert len(results) == 4 * MAX_RESULTS
    for result in results:
        anchor = result.address.partition("#")[2]
        assert not anchor or f'id="{anchor}"' in articles[result.page.slug], result


def test_nothing_found_suggests_a_word_of_the_guide_and_ways_on() -> None:
    page = pages.text_of(Client().get("/guide/search/", {"q": "timout"}))
    assert 'Did you mean <a href="/guide/search/?q=timeout">timeout</a>?' in page
    assert 'href="/guide/"' in page
    some = search("hearts faults zebra")
    assert some.is_partial
    assert some.results


@pytest.mark.parametrize("query", ["", "the", "  ", "…", "a\x00b", '"><script>', "x" * 500])
def test_any_text_may_be_searched(query: str) -> None:
    response = Client().get("/guide/search/", {"q": query})
    assert response.status_code == 200
    assert '"><script>' not in pages.text_of(response)


@pytest.mark.parametrize("address", ["/guide/", "/guide/limits/", "/guide/search/"])
def test_the_guide_has_a_search_box_that_needs_no_scripts(address: str) -> None:
    page = pages.text_of(Client().get(address))
    form = page[page.index('<form method="get" action="/guide/search/"') :].partition("</form>")[0]
    assert 'name="q"' in form
    assert "<button>" in form
