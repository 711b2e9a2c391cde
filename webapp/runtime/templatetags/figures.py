"""Numbers as pages show them: with intervals, signs, units."""

from dataclasses import astuple

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from grader.core.games import Game
from grader.core.games.outcomes import Tally, counts_wins, result_words, score_words
from grader.core.words import byte_words, counted, percent
from grader.results.grading_scheme import GradingScheme
from webapp.pages.figures.strip import sparkline
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.stored_schemes import scheme_of_json

register = template.Library()
register.filter("number", counted)


register.filter("percent", percent)


@register.filter
def ordinal(number: int) -> str:
    """``1st``, ``22nd``, ``13th``."""
    last = 0 if number % 100 in (11, 12, 13) else number % 10
    return f"{number:,}" + {1: "st", 2: "nd", 3: "rd"}.get(last, "th")


@register.filter
def thousands(number: int) -> str:
    """``23,400``."""
    return f"{number:,}"


@register.filter
def signed(value: float) -> str:
    """A difference with its sign: ``+0.42``, ``−1.30``."""
    return f"{value:+.2f}".replace("-", "−")


@register.filter
def signed_share(value: float) -> str:
    """A difference of shares with its sign: ``+28.3%``."""
    return f"{100 * value:+.1f}%".replace("-", "−")


@register.filter
def p_value(value: float) -> str:
    """``= 0.03``, ``< 0.001``: no more digits than mean anything."""
    return "< 0.001" if value < 0.001 else f"= {value:.2g}"


@register.filter
def decimals(value: float | None, places: int = 2) -> str:
    """A number with fixed decimals and a true minus sign; a dash for none."""
    if value is None:
        return "–"
    return f"{value:.{places}f}".replace("-", "−")


def scheme_of(beside: object) -> GradingScheme | None:
    """Return the scheme of an assignment, or one as JSON; ``None`` for anything else."""
    if isinstance(beside, Assignment):
        return beside.scheme
    if isinstance(beside, GradingScheme):
        return beside
    if isinstance(beside, dict):
        return scheme_of_json(beside)
    return None


@register.filter
def mean_of(value: float | None, beside: object) -> str:
    """A mean with two decimals, or as many as tell it from the scheme’s thresholds."""
    scheme = scheme_of(beside)
    if value is None or scheme is None:
        return decimals(value)
    return scheme.mean_in_words(value).replace("-", "−")


@register.filter
def won_of(value: float | None, beside: object) -> str:
    """A share of games won, in the same way."""
    scheme = scheme_of(beside)
    return share_of(value) if value is None or scheme is None else scheme.share_in_words(value)


@register.simple_tag
def mean(value: float | str | None, high: float | None = None, beside: object = None) -> SafeString:
    """``18.23 ± 0.12``: a mean, and how far the upper end of its 95% interval is from it.

    A template gives "" for the mean of an evaluation that does not exist. ``beside``: as
    of ``mean_of``.
    """
    if value is None or isinstance(value, str):
        return format_html('<span class="soft">{}</span>', "–")
    words = mean_of(value, beside)
    if high is None:
        return format_html('<span class="num">{}</span>', words)
    return format_html(
        '<span class="num nowrap">{} <span class="interval">± {}</span></span>',
        words,
        decimals(high - value),
    )


@register.filter
def score_of(game: Game, score: int) -> str:
    """One game's score as a cell of a table: ``won``, ``17``, ``−0.5``."""
    return score_words(game, score).replace("-", "−")


@register.filter
def result_of(game: Game, score: int) -> str:
    """One game's score in a sentence: ``won``, ``17 points``."""
    return result_words(game, score).replace("-", "−")


register.filter("counts_wins", counts_wins)


@register.simple_tag
def tally(games: Tally | None) -> SafeString:
    """``61–7–32``: games won, drawn and lost; in words for a screen reader."""
    if not games or not any(astuple(games)):
        return format_html('<span class="soft">{}</span>', "–")
    return format_html(
        '<span class="num nowrap" title="{}"><span aria-hidden="true">{}–{}–{}</span>'
        '<span class="sr-only">{}</span></span>',
        games.words, f"{games.wins:,}", f"{games.draws:,}", f"{games.losses:,}", games.words,
    )  # fmt: skip


@register.filter
def share_of(value: float | None) -> str:
    """A share of the whole: ``56.3%``."""
    return "–" if value is None else f"{100 * value:.1f}%"


@register.simple_tag
def figure(name: str, value: float | str) -> SafeString:
    """Return one entry of a list of figures, as HTML."""
    return format_html("<div><dt>{}</dt><dd>{}</dd></div>", name, value)


@register.simple_tag
def count_figure(noun: str, count: int) -> SafeString:
    """Return such an entry for a number of things: ``1`` ``fault``, ``1,000`` ``faults``."""
    return figure(noun if count == 1 else f"{noun}s", f"{count:,}")


@register.simple_tag
def share_of_one(parts: int) -> str:
    """Return each one's part of a whole: ``25%``, ``33.3%``."""
    return percent(1, parts)


@register.simple_tag
def share(
    value: float | str | None,
    half_width: float | None = None,
    beside: object = None,
) -> SafeString:
    """``56.3% ± 3.1``: a share with the half of its interval.

    A template gives "" for that of an evaluation that does not exist. A half of 100% or more, as
    two deals can have, tells nothing, and is left out.
    """
    if value is None or isinstance(value, str):
        return format_html('<span class="soft">{}</span>', "–")
    words = won_of(value, beside)
    if half_width is None or half_width >= 1:
        return format_html('<span class="num nowrap">{}</span>', words)
    reach = f"{100 * half_width:.1f}"
    return format_html(
        '<span class="num nowrap">{} <span class="interval">± {}</span></span>',
        words,
        reach,
    )


@register.filter
def minus(value: float | None, other: float | None) -> float | None:
    """Return the difference, or ``None`` if one is missing."""
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
def bytesize(size: int | None) -> str:
    """Bytes in binary units. Ours, not Django's filesizeformat, which calls 1024 bytes a KB."""
    return "–" if size is None else byte_words(size)


register.simple_tag(sparkline)
