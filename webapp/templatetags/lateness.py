"""Describes lateness, and the cost of an upload at this moment."""

from datetime import timedelta
from typing import Any, Final

from django import template
from django.template import Context
from django.utils import timezone

from grader.core.words import counted
from webapp.courses.deadlines import Deadline, Lateness

register = template.Library()

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
def late_now(context: Context, deadline: Deadline) -> dict[str, Any]:
    """Show the price of an upload now; nothing before the due date and once it is too late."""
    now = timezone.now()
    return {
        "course": context.get("course"),
        "user": context.get("user"),
        "deadline": deadline,
        "late": deadline.lateness(now),
        "is_late": deadline.due_at < now <= deadline.ends_at,
    }
