"""Means of house agents, beside the field of the mean for full points."""

from collections.abc import Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.core.games import Game
from webapp.courses.models import Assignment
from webapp.courses.references import Reference, measured
from webapp.pages.courses.forms.options import valid_rules


def reference_help(
    rules: type[Game], shown: Game, assignment: Assignment | None, played: Sequence[Reference]
) -> SafeString:
    """Return house agents' means: on the assignment's deals if its rules hold, else as measured."""
    is_same = assignment is not None and shown == valid_rules(rules, assignment.options)
    own = played if is_same else ()
    known = own or measured(rules.name, shown.seats)
    if not known:
        none = format_html("No means of house agents are known for {} players.", shown.seats)
        return SafeString("") if rules.competitive and not played else none
    where = "on these graded deals" if own else f"of {shown.seats} players, by the standard rules"
    words = "{:.2f}".format if assignment is None else assignment.scheme.mean_in_words
    means = format_html_join(
        ", ",
        "<code>{}</code> {}",
        ((reference.name, words(reference.mean)) for reference in known),
    )
    return format_html("House agents {}: {}.", where, means)
