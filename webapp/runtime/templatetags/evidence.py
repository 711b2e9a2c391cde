"""Untrusted text: printed output, sources, the line that a fault came from."""

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.results.evidence import shown_reply, without_other_threads
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.reproducing import reproduce_command
from webapp.grading.similarity.selectors import ComparedLine, SimilarFile
from webapp.grading.submissions.source import Complaint, SourceLine, fault_place
from webapp.pages.text import last_lines, printable

register = template.Library()


register.filter("printable", printable)
register.filter("agents_thread", without_other_threads)
register.filter("last_lines", last_lines)
register.filter("shown_reply", shown_reply)
register.simple_tag(fault_place)


@register.simple_tag
def reproduce(evaluation: Evaluation, index: int) -> str:
    """The command that plays one game at home; empty while its deal is secret."""
    return reproduce_command(evaluation, index)


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
    """A line of a source with its number; the one that a message is about is marked.

    ``is_target``: links lead to it.
    """
    return format_html(
        "<span{}{}>{}{}  {}</span>",
        SafeString(' class="at"') if line.marked else "",
        format_html(' id="line-{}"', line.number) if is_target else "",
        "▸" if line.marked else " ",
        f"{line.number:4d}",
        printable(line.text),
    )


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
