"""Output of template tags: times, counts, endings in words."""

from datetime import timedelta

from django.template import Context, Template
from django.template.loader import render_to_string
from django.utils import timezone

from grader.core.referee import FAULT_ENDING
from tests.support.every import every
from webapp.grading.evaluations.models import STOPPED
from webapp.grading.submissions.source import SourceLine
from webapp.runtime.templatetags.badges import ending, source_line
from webapp.runtime.templatetags.figures import count_figure, share
from webapp.runtime.templatetags.guide import command, docstring
from webapp.runtime.templatetags.moments import ago, logged
from webapp.runtime.templatetags.navigation import breakable
from webapp.runtime.templatetags.tables import columns
from webapp.teaching.courses.models import Assignment


@every(
    ("distance", "said"),
    [
        (timedelta(days=89), "in 89 days"),
        (timedelta(days=31), "in 31 days"),
        (timedelta(days=8, hours=23), "in 9 days"),
        (timedelta(days=2), "in 2 days"),
        (timedelta(hours=47), "in 47 hours"),
        (timedelta(minutes=1), "in 1 minute"),
        (timedelta(seconds=1), "now"),
    ],
)
def test_a_distance_in_time_is_rounded_to_the_nearest_unit(distance: timedelta, said: str) -> None:
    assert ago(timezone.now() + distance + timedelta(seconds=1)) == said


@every(
    ("value", "shown"),
    [
        (None, "–"),
        ("", "–"),
        (0, "0"),
        (True, "yes"),
        (False, "no"),
        ("2026-12-03T19:38+00:00", "3 Dec 2026, 20:38 CET"),
        ("2026", "2026"),
    ],
)
def test_a_value_of_the_audit_log_is_written_for_people(
    value: str | int | None, shown: str
) -> None:
    with timezone.override("Europe/Berlin"):
        assert logged(value) == shown


def test_a_moment_that_has_passed_is_ago() -> None:
    assert ago(timezone.now() - timedelta(days=75)) == "75 days ago"


def test_an_ending_has_the_words_of_its_own_game() -> None:
    assignment = Assignment(game="hanabi", options={})
    assert ending("deck_out", assignment) == "deck ran out"
    assert ending(STOPPED, assignment) == "not played"
    assert ending(FAULT_ENDING, assignment) == "fault"
    assert ending("check_mate", assignment) == "check mate"
    assert ending("deck_out", Assignment(game="hearts", options={})) == "deck out"


def test_a_command_to_copy_is_never_broken_into_lines() -> None:
    assert command("firebox play 'a b.py'") == (
        '<div class="command"><pre tabindex="0" aria-label="Command"><code>firebox play'
        " &#x27;a b.py&#x27;</code></pre></div>"
    )


def test_figures_and_names_are_written_for_people() -> None:
    assert "± 11.3" in share(0.95, 0.113)
    assert "±" not in share(0.75, 3.177), "of two deals"
    assert count_figure("fault", 1) == "<div><dt>fault</dt><dd>1</dd></div>"
    assert count_figure("fault", 1000) == "<div><dt>faults</dt><dd>1,000</dd></div>"
    assert breakable("hearts/low_card") == "hearts/<wbr>low_card"
    assert breakable("iggi") == "iggi"
    assert breakable("<b>/x") == "&lt;b&gt;/<wbr>x"


def test_markup_in_docstrings_and_sources_is_shown_as_text() -> None:
    assert docstring("``<b>`` *stressed* <i>") == (
        "<code>&lt;b&gt;</code> <em>stressed</em> &lt;i&gt;"
    )
    line = SourceLine(number=4, text="<b>", marked=True)
    assert source_line(line) == '<span class="at">▸   4  &lt;b&gt;</span>'


def test_a_table_names_the_region_that_scrolls_by_its_caption_and_has_headings() -> None:
    caption = '<caption id="games">&</caption>'
    text = f'{{% load firebox %}}{{% table "games" "stacked" %}}{caption}{{% endtable %}}'
    assert Template(text).render(Context()) == (
        '<div class="table" tabindex="0" role="region" aria-labelledby="games">'
        f'<table class="stacked">{caption}</table></div>'
    )
    text = '{% load firebox %}{% table box="table narrow" %}<caption>Few</caption>{% endtable %}'
    assert Template(text).render(Context()) == (
        '<div class="table narrow"><table><caption>Few</caption></table></div>'
    )
    head = columns("Agent", "Won:n wide")
    assert head.count("<th") == 3
    assert '<th scope="col">Agent</th><th scope="col" class="n wide">Won</th>' in head


def test_a_narrow_page_begins_with_its_title_or_a_heading_of_its_own() -> None:
    page = " ".join(render_to_string("accounts/password_reset_done.html").split())
    assert "<title>Check your e-mail · Firebox</title>" in page
    assert "<h1>Check your e-mail</h1>" in page
    page = " ".join(render_to_string("accounts/switched_off.html").split())
    assert "<title>Account switched off · Firebox</title>" in page
    assert "<h1>This account has been switched off</h1>" in page
