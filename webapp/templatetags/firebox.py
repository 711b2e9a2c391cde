"""Template tags: numbers with intervals, times, badges, charts, untrusted text."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.core.records import Evidence, Mode
from grader.core.words import counted, percent
from grader.results.evidence import OwnLine, without_other_threads
from grader.results.evidence import own_line as evidence_line
from webapp.evaluations.models import Evaluation, Verdict
from webapp.evaluations.selectors import ENDING_WORDS, reproduce_command
from webapp.guide.interfaces import page_of
from webapp.guide.pages import EXAMPLES, rules_page, shown
from webapp.interfaces import MODE_WORDS, extras, short_title
from webapp.pages import charts
from webapp.pages.text import LastLines, last_lines, printable
from webapp.pages.tournaments.forms import CONSEQUENCES
from webapp.submissions.models import Submission
from webapp.submissions.source import line_of, uploaded_name

register = template.Library()

PROGRAMS: Final = {path.name: path.read_text().rstrip() for path in EXAMPLES.glob("*.py")}
"""The guide's example programs by name."""


_BADGES: Final = {
    "queued": ("busy", "○", "Queued"),
    "received": ("busy", "○", "Received"),
    "checked": ("busy", "◐", "Checked"),
    "smoke_tested": ("busy", "◐", "Smoke-tested"),
    "playing": ("busy", "◐", "Playing"),
    "finished": ("good", "●", "Finished"),
    "ready": ("good", "●", "Ready"),
    "failed": ("bad", "!", "Failed"),
    "cancelled": ("", "–", "Cancelled"),
    "accepted": ("good", "✓", "Accepted"),
    "accepted_with_faults": ("warn", "!", "Accepted with faults"),
    "rejected": ("bad", "✕", "Rejected"),
    "faulty": ("warn", "✕", "Faulty"),
}
"""Status or verdict → (tint, sign, words). The sign tells them apart without colour."""

_MARKS: Final = re.compile(r"(``.+?``|\*[\w ]+\*)")

register.filter("printable", printable)
register.filter("number", counted)
register.filter("percent", percent)
register.filter("interface", short_title)
register.filter("extras", extras)
register.filter("rules_page", rules_page)
register.filter("guide_page", page_of)
register.filter("agents_thread", without_other_threads)


@register.filter("last_lines")
def end_of(text: str) -> LastLines:
    """What to show first of what a program printed."""
    return last_lines(text)


@register.filter
def ending(name: str) -> str:
    """How a game ended, in words: ``deck_out`` becomes *deck ran out*."""
    return ENDING_WORDS.get(name, str(name).replace("_", " "))


@register.filter
def signed(value: float) -> str:
    """A difference with its sign: ``+0.42``, ``−1.30``."""
    return f"{value:+.2f}".replace("-", "−")


@register.filter
def consequence(value: str) -> str:
    """What a fault in a tournament leads to, in words."""
    return dict(CONSEQUENCES)[value]


@register.filter
def signed_share(value: float) -> str:
    """A difference of shares with its sign: ``+28.3 %``."""
    return f"{100 * value:+.1f} %".replace("-", "−")


@register.filter
def p_value(value: float) -> str:
    """``= 0.03``, ``< 0.001``: no more digits than mean anything."""
    return "< 0.001" if value < 0.001 else f"= {value:.2g}"


@register.filter
def breakable(name: str) -> SafeString:
    """A house agent's name, which may break after the game on a narrow screen."""
    return format_html_join(SafeString("/<wbr>"), "{}", ((part,) for part in name.split("/")))


@register.simple_tag(takes_context=True)
def current(context: Context, section: str) -> SafeString:
    """Marks the navigation entry of the page's section."""
    if context.get("nav") != section:
        return SafeString("")
    return SafeString(' aria-current="true"')


@register.simple_tag
def badge(value: str, words: str = "") -> SafeString:
    """A status or verdict as sign and word; an unknown one is shown as it is."""
    tint, sign, usual = _BADGES.get(str(value), ("", "·", str(value)))
    return format_html(
        '<span class="badge {}" data-sign="{}">{}</span>', tint, sign, words or usual
    )


@register.simple_tag
def verdict_badge(evaluation: Evaluation) -> SafeString:
    """Show an evaluation's verdict, or its status before there is one. Faults are never green."""
    if evaluation.verdict != Verdict.ACCEPTED or not evaluation.faults:
        return badge(evaluation.verdict or evaluation.status)
    games = counted(evaluation.n_games, "game")
    return badge("accepted_with_faults", f"Accepted; faults in {evaluation.faults} of {games}")


@register.simple_tag
def mode_badge(mode: str) -> SafeString:
    """That one process plays all seats; nothing for what is usual."""
    if mode != Mode.TEAM:
        return SafeString("")
    return format_html(
        '<span class="badge" data-sign="&amp;" title="{}">team mode</span>', MODE_WORDS[Mode.TEAM]
    )


@register.filter
def mode_words(mode: str) -> str:
    """What a mode means for an agent and its score."""
    return MODE_WORDS[Mode(mode)]


@register.filter
def decimals(value: float | None, places: int = 2) -> str:
    """A number with fixed decimals and a true minus sign; a dash for none."""
    if value is None:
        return "–"
    return f"{value:.{places}f}".replace("-", "−")


@register.simple_tag
def mean(value: float | str | None, high: float | None = None) -> SafeString:
    """``18.23 ± 0.12``: a mean, and how far the upper end of its 95 % interval is from it.

    A template gives "" for the mean of an evaluation that does not exist.
    """
    if value is None or isinstance(value, str):
        return format_html('<span class="soft">{}</span>', "–")
    if high is None:
        return format_html('<span class="num">{}</span>', decimals(value))
    return format_html(
        '<span class="num nowrap">{} <span class="interval">± {}</span></span>',
        decimals(value),
        decimals(high - value),
    )


@register.filter
def share_of(value: float | None) -> str:
    """A share of the whole: ``56.3 %``."""
    return "–" if value is None else f"{100 * value:.1f} %"


@register.simple_tag
def share_of_one(parts: int) -> str:
    """What each of so many gets of a whole: ``25 %``, ``33.3 %``."""
    return percent(1, parts)


@register.simple_tag
def share(value: float | str | None, half_width: float | None = None) -> SafeString:
    """``56.3 % ± 3.1``: a share with the half of its interval.

    A template gives "" for that of an evaluation that does not exist. A half of 100 % or more, as
    two deals can have, tells nothing, and is left out.
    """
    if value is None or isinstance(value, str):
        return format_html('<span class="soft">{}</span>', "–")
    if half_width is None or half_width >= 1:
        return format_html('<span class="num nowrap">{}</span>', share_of(value))
    reach = f"{100 * half_width:.1f}"
    return format_html(
        '<span class="num nowrap">{} <span class="interval">± {}</span></span>',
        share_of(value),
        reach,
    )


@register.filter
def minus(value: float | None, other: float | None) -> float | None:
    """The difference, if both are there."""
    return None if value is None or other is None else value - other


@register.filter
def milliseconds(value: float | None) -> str:
    """A time in milliseconds, in the unit that reads best."""
    return duration(None if value is None else value * 1000)


@register.filter
def duration(microseconds: float | None) -> str:
    """A charged time in the unit that reads best."""
    if microseconds is None:
        return "–"
    if microseconds < 1000:
        return f"{microseconds:.0f} µs"
    if microseconds < 1_000_000:
        milliseconds = microseconds / 1000
        return f"{milliseconds:.{0 if milliseconds >= 100 else 1}f} ms"
    return f"{microseconds / 1_000_000:.2f} s"


@register.filter
def seconds(value: float | None) -> str:
    """A remaining time, coarsely."""
    if value is None:
        return "–"
    if value < 90:
        return f"{max(round(value), 1)} s"
    return f"{round(value / 60)} min"


@register.filter
def names(people: Iterable[Any]) -> str:
    """Names in a row."""
    return ", ".join(str(person) for person in people) or "–"


@register.simple_tag
def reproduce(evaluation: Evaluation, index: int) -> str:
    """The command that plays one game at home; empty while its deal is secret."""
    return reproduce_command(evaluation, index)


@register.simple_tag
def own_line(evidence: Evidence | None, submission: Submission | None) -> OwnLine | None:
    """The agent's line that a fault came from, if what it printed tells it.

    Java and C++ do not tell the line itself: it is looked up in the sources.
    """
    found = None if evidence is None else evidence_line(evidence.stderr)
    if found is None or submission is None:
        return found
    text = found.text or line_of(submission, found.file, found.line)
    return replace(found, file=uploaded_name(submission, found.file), text=text)


@register.filter
def bytesize(size: int | None) -> str:
    """Bytes in binary units."""
    if size is None:
        return "–"
    if size < 1024:
        return f"{size} bytes"
    if size < 1 << 20:
        return f"{size / 1024:.3g} KiB"
    return f"{size / (1 << 20):.3g} MiB"


@register.simple_tag(takes_context=True)
def when(
    context: Context, moment: datetime | None, *, relative: bool = True, short: bool = False
) -> SafeString:
    """A moment in the course's time zone, which is named, and how far away it is.

    ``short``, for tables: day and time only; the rest is its title.
    """
    if moment is None:
        return format_html('<span class="soft">{}</span>', "–")
    course = context.get("course")
    local = timezone.localtime(moment, course.tz if course else None)
    if short:
        return format_html(
            '<time datetime="{}" title="{}">{}</time>',
            moment.astimezone(UTC).isoformat(timespec="seconds"),
            f"{local:%-d %b %Y, %H:%M} {local.tzname()}",
            f"{local:%-d %b, %H:%M}",
        )
    tail = format_html(' <span class="soft">({})</span>', ago(moment)) if relative else ""
    return format_html(
        '<time datetime="{}">{} {}</time>{}',
        moment.astimezone(UTC).isoformat(timespec="seconds"),
        f"{local:%-d %b %Y, %H:%M}",
        local.tzname(),
        tail,
    )


def ago(moment: datetime) -> str:
    """``in 3 days`` or ``2 hours ago``: to the nearest unit, two at least of all but the smallest.

    No months: ``in 2 months`` would be said of anything from 60 to 89 days.
    """
    distance = moment - timezone.now()
    size = abs(distance)
    if size < timedelta(minutes=1):
        return "now"
    number, unit = next(
        ((size + step / 2) // step, name)
        for step, name in _STEPS
        if size >= 2 * step or step == _STEPS[-1][0]
    )
    words = counted(number, unit)
    return f"in {words}" if distance > timedelta(0) else f"{words} ago"


_STEPS: Final = (
    (timedelta(days=1), "day"),
    (timedelta(hours=1), "hour"),
    (timedelta(minutes=1), "minute"),
)
register.filter("ago", ago)


@register.simple_tag
def histogram(
    pairs: Iterable[tuple[int, int]],
    score_range: tuple[int, int],
    *,
    name: str,
    mean: float | None = None,
    lost: int | None = 0,
) -> SafeString:
    """The distribution of scores as a chart; ``lost`` is the score of a lost game, if any."""
    return charts.histogram(charts.bars_of(pairs, score_range, mean, lost), name=name)


@register.simple_tag
def sparkline(pairs: Iterable[tuple[int, int]], score_range: tuple[int, int]) -> SafeString:
    """The distribution of scores at the height of a line."""
    return charts.sparkline(charts.bars_of(pairs, score_range))


@register.filter
def option(value: Any) -> str:
    """The value of an option of the rules, as a reader writes it."""
    return shown(value)


@register.filter
def docstring(text: str) -> SafeString:
    """A docstring as HTML: double backquotes mark code, single stars emphasis."""
    return format_html_join("", "{}", ((_marked(part),) for part in _MARKS.split(str(text))))


def _marked(part: str) -> SafeString:
    if part.startswith("``"):
        return format_html("<code>{}</code>", part[2:-2])
    if part.startswith("*") and part.endswith("*") and len(part) > 2:
        return format_html("<em>{}</em>", part[1:-1])
    return format_html("{}", part)


@register.simple_tag
def example(name: str) -> SafeString:
    """One of the guide's example programs, as it stands in its file."""
    return format_html(
        '<div class="command"><pre tabindex="0" aria-label="{}"><code>{}</code></pre></div>',
        f"Program {name}",
        PROGRAMS[name],
    )


@register.simple_tag
def command(line: str) -> SafeString:
    """A command to copy: one line, as it is to be typed, however narrow the page is."""
    return format_html(
        '<div class="command"><pre tabindex="0" aria-label="Command"><code>{}</code></pre></div>',
        line,
    )


@register.inclusion_tag("components/crumbs.html")
def crumbs(
    *, course: Any = None, assignment: Any = None, submission: Any = None, here: str = ""
) -> dict[str, Any]:
    """The way back: courses, course, assignment, submission, this page."""
    return {
        "course": course,
        "assignment": assignment,
        "submission": submission,
        "here": here,
    }
