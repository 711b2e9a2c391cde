"""Tags of the guide: docstrings, options, examples, commands, interfaces."""

import re
from collections.abc import Iterable
from html import unescape
from typing import Final

from django import template
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from webapp.base.interfaces import extras, short_title
from webapp.pages.guide.interfaces import page_of
from webapp.pages.guide.pages import EXAMPLES, house_agents_address, rules_page, shown
from webapp.pages.markdown import markdown

register = template.Library()


register.filter("interface", short_title)
register.filter("extras", extras)
register.filter("rules_page", rules_page)
register.filter("house_agents_address", house_agents_address)
register.filter("guide_page", page_of)
register.filter("markdown", markdown)
register.filter("option", shown)


PROGRAMS: Final = {path.name: path.read_text().rstrip() for path in EXAMPLES.glob("*.py")}
"""The guide's example programs by name."""


_MARKS: Final = re.compile(r"(``.+?``|\*[\w ]+\*)")


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
    """Show one of the guide's example programs, unchanged."""
    return format_html(
        '<div class="command"><pre tabindex="0" aria-label="{}"><code>{}</code></pre></div>',
        f"Program {name}",
        PROGRAMS[name],
    )


@register.simple_tag
def command(line: str) -> SafeString:
    """Return a command to copy, on one line, however narrow the page is."""
    return format_html(
        '<div class="command"><pre tabindex="0" aria-label="Command"><code>{}</code></pre></div>',
        line,
    )


_HEADING: Final = re.compile(r"<(h[23])>(.*?)</\1>", re.DOTALL)


@register.simple_block_tag
def anchored(content: str) -> SafeString:
    """Give each heading without an ``id`` one from its words: searches lead to it."""
    used = set(re.findall(r'\bid="([^"]+)"', content))

    def with_id(match: re.Match[str]) -> str:
        plain = slug = slugify(unescape(strip_tags(match[2]))) or "part"
        number = 1
        while slug in used:
            number += 1
            slug = f"{plain}-{number}"
        used.add(slug)
        return f'<{match[1]} id="{slug}">{match[2]}</{match[1]}>'

    return mark_safe(_HEADING.sub(with_id, content))  # noqa: S308 - our own templates' output


@register.filter
def on_lines(lines: Iterable[str]) -> str:
    """Each on a line of its own, for ``<pre>``."""
    return "".join(f"{line}\n" for line in lines)
