"""Describes lateness, and the cost of an upload at this moment."""

from datetime import datetime, timedelta
from typing import Any, Final

from django import template
from django.template import Context
from django.utils import timezone

from grader.core.words import counted
from webapp.base.timezones import clock_change
from webapp.teaching.courses.deadlines import Candidate, Deadline, Lateness
from webapp.teaching.courses.models import Assignment

register = template.Library()

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
    """Show the price of an upload now; nothing before the due date and once it is too late.

    ``replaced``: the upload that would no longer count.
    """
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
    """Warn staff of a change of clocks within a day of a due date, or within its late days.

    ``due_at``: the assignment's own without it.
    """
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
