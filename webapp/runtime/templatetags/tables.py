"""Parts of tables."""
# See webapp/decisions/cached-rows.md

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_block_tag
def table(content: str, caption: str = "", classes: str = "", box: str = "table") -> SafeString:
    """Put a table into a box that scrolls sideways.

    ``caption`` is the id of the table's caption. It makes the box a region that can be scrolled
    with the keyboard, which needs a name and a place in the tab order.
    """
    return format_html(
        '<div class="{}"{}><table{}>{}</table></div>',
        box,
        format_html(' tabindex="0" role="region" aria-labelledby="{}"', caption) if caption else "",
        format_html(' class="{}"', classes) if classes else "",
        content,
    )


@register.simple_tag
def columns(*headings: str) -> SafeString:
    """The head of a table: one heading a column; none for an empty one.

    After a heading's last colon stand the classes of its cell: ``"Games:n"`` is a column of
    numbers, and of ``"Actions:sr-only"`` only screen readers read the heading.
    """
    return format_html(
        "<thead><tr>{}</tr></thead>", format_html_join("", "{}", map(_cell, filter(None, headings)))
    )


def _cell(heading: str) -> tuple[SafeString]:
    text, _, classes = heading.partition(":")
    names = classes.split()
    if "sr-only" in names:
        names.remove("sr-only")
        text = format_html('<span class="sr-only">{}</span>', text)
    shown = format_html(' class="{}"', " ".join(names)) if names else ""
    return (format_html('<th scope="col"{}>{}</th>', shown, text),)
