"""Moments in the reader's time zone and the course's, their distance, and lateness, in words.

Ours, not Django's naturaltime: that says "2 weeks, 3 days from now" without the time element, which
names the moment itself.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from grader.core.words import counted
from webapp.base.timezones import clock_change
from webapp.teaching.courses.deadlines import Candidate, Deadline, Lateness
from webapp.teaching.courses.models import Assignment

register = template.Library()


_STEPS: Final = (
    (timedelta(days=1), "day"),
    (timedelta(hours=1), "hour"),
    (timedelta(minutes=1), "minute"),
)


_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d[+-]\d\d:\d\d")
"""A moment as the audit log keeps it."""


@register.filter
def logged(value: str | int | None) -> str:
    """A value of the audit log: moments on the page's clock, yes and no, a dash for none."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if _STAMP.fullmatch(str(value)):
        local = timezone.localtime(datetime.fromisoformat(str(value)))
        return f"{local:%-d %b %Y, %H:%M} {local.tzname()}"
    return str(value)


@register.filter
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


@register.filter
def until_words(moment: datetime) -> str:
    """``3 d 4 h``: how long it is until then; empty once it is past."""
    minutes = int((moment - timezone.now()).total_seconds() // 60)
    if minutes < 0:
        return ""
    days, hours = divmod(minutes // 60, 24)
    return f"{days} d {hours} h" if days else f"{hours} h {minutes % 60} min"


@register.simple_tag(takes_context=True)
def when(
    context: Context, moment: datetime | None, *, relative: bool = True, short: bool = False
) -> SafeString:
    """A moment in the reader's time zone, with the course's beside it, and how far away it is.

    Readers who chose no time zone get the course's. ``short``, for tables: day and time only; the
    rest is its title.
    """
    if moment is None:
        return format_html('<span class="soft">{}</span>', "–")
    course = getattr(context.get("course"), "tz", None)
    chosen = getattr(context.get("user"), "time_zone", "")
    local = timezone.localtime(moment, ZoneInfo(chosen) if chosen else course)
    there = timezone.localtime(moment, course) if course else local
    beside = _in_course(local, there)
    if short:
        return format_html(
            '<time datetime="{}" title="{}">{}</time>',
            moment.astimezone(UTC).isoformat(timespec="seconds"),
            "; ".join(filter(None, [f"{local:%-d %b %Y, %H:%M} {local.tzname()}", beside])),
            f"{local:%-d %b, %H:%M}",
        )
    parts = ", ".join(filter(None, [beside, ago(moment) if relative else ""]))
    return format_html(
        '<time datetime="{}">{} {}</time>{}',
        moment.astimezone(UTC).isoformat(timespec="seconds"),
        f"{local:%-d %b %Y, %H:%M}",
        local.tzname(),
        format_html(' <span class="soft">({})</span>', parts) if parts else "",
    )


def _in_course(local: datetime, there: datetime) -> str:
    """The course's time, where its clocks show another one than the reader's."""
    if local.utcoffset() == there.utcoffset():
        return ""
    day = "" if local.date() == there.date() else f"{there:%-d %b}, "
    return f"{day}{there:%H:%M} {there.tzname()} in the course"


_DAYS_AHEAD: Final = 30
"""Days after a due date in which a change of clocks is looked for."""
_PARTS: Final = ((timedelta(days=1), "day"), (timedelta(hours=1), "hour"))


@register.simple_tag
def lateness(late: Lateness) -> str:
    """``2 days late: 2 late days used, 10% off``; empty for an upload on time."""
    return f"{lateness_length(late.late_by)} late: {price(late)}" if late.is_late else ""


@register.filter
def lateness_length(length: timedelta) -> str:
    """The two largest units: ``1 day 2 hours``; minutes below an hour, one at least."""
    words = []
    for size, unit in _PARTS:
        if number := length // size:
            words.append(counted(number, unit))
            length -= number * size
    return " ".join(words) or counted(max(1, -(-length // timedelta(minutes=1))), "minute")


@register.filter
def price(late: Lateness) -> str:
    """Return the price of lateness: late days, a part of the points, all of them, or nothing."""
    if not late.counts:
        return "does not count"
    parts = [f"{counted(late.late_days, 'late day')} used"] if late.late_days else []
    parts += [f"{late.penalty_percent.normalize():f}% off"] if late.penalty_percent else []
    return ", ".join(parts) or "no penalty"


@register.inclusion_tag("courses/_late_now.html", takes_context=True)
def late_now(
    context: Context, deadline: Deadline, replaced: Candidate | None = None
) -> dict[str, Any]:
    """Show the price of an upload now, if late; ``replaced`` would no longer count."""
    now = timezone.now()
    return {
        "course": context.get("course"),
        "user": context.get("user"),
        "deadline": deadline,
        "late": deadline.lateness(now),
        "replaced": replaced,
        "is_late": deadline.due_at < now <= deadline.ends_at,
    }


@register.inclusion_tag("courses/_clock_change.html")
def clocks_near(assignment: Assignment, due_at: datetime | None = None) -> dict[str, Any]:
    """Warn staff of a change of clocks near a due date, by default the assignment’s."""
    due, course = due_at or assignment.due_at, assignment.course
    local = timezone.localtime(due, course.tz)
    days = min(1 + assignment.max_late_days, _DAYS_AHEAD)
    change = clock_change(due - timedelta(days=1), due + timedelta(days=days), course.tz)
    return {
        "change": change,
        "hours": "" if change is None else lateness_length(abs(change.by)),
        "goes_back": change is not None and change.by < timedelta(0),
        "due": f"{local:%-d %b %Y, %H:%M}",
        "due_clock": f"{local:%H:%M}",
        "assignment": assignment,
        "course": course,
    }
