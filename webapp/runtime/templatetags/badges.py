"""Signs and labels of statuses, verdicts, modes and endings; the evidence of a fault."""

from typing import Final

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.core.records import Mode
from grader.core.words import counted
from grader.results.evidence import shown_reply, without_other_threads
from webapp.base.interfaces import MODE_WORDS
from webapp.grading.evaluations.models import STOPPED, Evaluation, Verdict
from webapp.grading.evaluations.reproducing import reproduce_command
from webapp.grading.graders import pausing
from webapp.grading.similarity.selectors import ComparedLine, SimilarFile
from webapp.grading.submissions.changes import Passage
from webapp.grading.submissions.source import Complaint, SourceLine, fault_place
from webapp.pages.text import last_lines, printable
from webapp.pages.tournaments.forms import CONSEQUENCES
from webapp.teaching.courses.models import Assignment

register = template.Library()


@register.simple_tag
def graders_are_paused() -> bool:
    """Return whether an operator has paused all graders. One query."""
    return pausing.current_pause() is not None


_BADGES: Final = {
    "queued": ("busy", "○", "Queued"),
    "received": ("busy", "○", "Received"),
    "checked": ("busy", "◐", "Checked"),
    "smoke_tested": ("busy", "◐", "Tested"),
    "playing": ("busy", "◐", "Playing"),
    "finished": ("", "●", "Finished"),
    "ready": ("", "●", "Ready"),
    "failed": ("bad", "!", "Failed"),
    "cancelled": ("", "–", "Cancelled"),
    "accepted": ("good", "✓", "Accepted"),
    "accepted_with_faults": ("warn", "!", "Accepted with faults"),
    "rejected": ("bad", "✕", "Rejected"),
    "faulty": ("warn", "✕", "Faulty"),
}
"""Status or verdict → (tint, sign, words). The sign tells them apart without colour.

No status is green: only a verdict without faults is.
"""


@register.filter
def ending(name: str, assignment: Assignment) -> str:
    """Return the label of an ending in an assignment's game: ``deck_out``: *deck ran out*."""
    if name == STOPPED:
        return "not played"
    return assignment.rules.endings.get(name, str(name).replace("_", " "))


@register.filter
def consequence(value: str) -> str:
    """Describe the consequence of a fault in a tournament."""
    return dict(CONSEQUENCES)[value]


@register.simple_tag
def badge(value: str, words: str = "") -> SafeString:
    """Return a status or verdict as sign and word; an unknown one is shown unchanged."""
    tint, sign, default = _BADGES.get(str(value), ("", "·", str(value)))
    return format_html(
        '<span class="badge {}" data-sign="{}">{}</span>', tint, sign, words or default
    )


@register.simple_tag
def verdict_badge(evaluation: Evaluation) -> SafeString:
    """Show an evaluation's verdict, or its status before there is one. Faults are never green."""
    if evaluation.verdict != Verdict.ACCEPTED or not evaluation.faults:
        return badge(evaluation.verdict or evaluation.status)
    games = counted(evaluation.n_games, "game")
    return badge("accepted_with_faults", f"Accepted with faults: {evaluation.faults} of {games}")


@register.simple_tag
def mode_badge(mode: str) -> SafeString:
    """Mark an evaluation in which one process played all seats; empty for the usual mode."""
    if mode != Mode.TEAM:
        return SafeString("")
    return format_html(
        '<span class="badge" data-sign="&amp;" title="{}">team mode</span>', MODE_WORDS[Mode.TEAM]
    )


@register.filter
def mode_words(mode: str) -> str:
    """Describe the meaning of a mode for an agent and its score."""
    return MODE_WORDS[Mode(mode)]


register.filter("printable", printable)
register.filter("agents_thread", without_other_threads)
register.filter("last_lines", last_lines)
register.filter("shown_reply", shown_reply)
register.simple_tag(fault_place)
register.simple_tag(reproduce_command, name="reproduce")


@register.simple_tag
def place_of(complaint: Complaint) -> SafeString:
    """The file, line and column that a compiler's message is about, before its words."""
    if not complaint.file:
        return SafeString("")
    line = f", line {complaint.line}" if complaint.line else ""
    column = f", column {complaint.column}" if complaint.line and complaint.column else ""
    return format_html("<code>{}</code>{}{}: ", printable(complaint.file), line, column)


@register.simple_tag
def source_line(line: SourceLine, *, is_target: bool = False) -> SafeString:
    """A line of a source with its number, marked if a message is about it."""
    return format_html(
        "<span{}{}>{}{}  {}</span>",
        SafeString(' class="at"') if line.marked else "",
        format_html(' id="line-{}"', line.number) if is_target else "",
        "▸" if line.marked else " ",
        f"{line.number:4d}",
        printable(line.text),
    )


@register.simple_tag
def changed_lines(passage: Passage) -> SafeString:
    """Lines of two versions, with a number and a sign: of a removed line, in the earlier one."""
    tags = {"+": ("ins", "+"), "-": ("del", "−"), " ": ("span", " ")}
    lines = (
        (*tags[line.sign], f"{line.number:4d}", printable(line.text)) for line in passage.lines
    )
    return format_html_join("", "<{0}>{2} {1}  {3}</{0}>", lines)


@register.simple_tag
def compared_lines(file: SimilarFile, side: str) -> SafeString:
    """A file's lines; passages have their number, which leads to the other program's."""
    other = "b" if side == "a" else "a"
    lines = format_html_join(
        "", "{}", ((_compared_line(line, side, other),) for line in file.lines)
    )
    return format_html(
        '<pre class="source compared" tabindex="0" aria-label="{}">{}</pre>',
        printable(file.name),
        lines,
    )


def _compared_line(line: ComparedLine, side: str, other: str) -> SafeString:
    number = f"{line.number:4d}"
    if not line.block:
        return format_html("<span>    {}  {}</span>", number, printable(line.text))
    if not line.begins:
        return format_html('<span class="alike">  ▸ {}  {}</span>', number, printable(line.text))
    return format_html(
        '<span class="alike" id="{}-{}"><a href="#{}-{}">{}</a> {}  {}</span>',
        side,
        line.block,
        other,
        line.block,
        f"{line.block:3d}",
        number,
        printable(line.text),
    )
