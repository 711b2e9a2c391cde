"""Guides of games, Markdown from people who are not trusted, as HTML.

Raw HTML stays text. Nothing is loaded from elsewhere, and links lead to web pages and mail alone.
"""

from functools import lru_cache
from itertools import chain
from typing import Final

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from grader.core.words import printable

_SCHEMES: Final = ("http://", "https://", "mailto:")


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        """Return whether a link may lead there; others stay text."""
        return url.lower().startswith(_SCHEMES)


@lru_cache(maxsize=128)
def markdown(text: str, heading: int = 2) -> SafeString:
    """Return Markdown as HTML whose highest headings are ``<h2>``, or of another level.

    Cached, as a hostile text of 20,000 characters takes seconds.
    """
    html = _PARSER.render(text, {"heading": heading})
    # The parser wrote these tags: tags in the text itself are escaped.
    html = html.replace("<table>", '<div class="table" tabindex="0"><table>')
    html = html.replace("</table>", "</table></div>")
    # After rendering: an entity may stand for a mark that reorders text.
    return mark_safe(printable(html))  # noqa: S308 - the parser escapes, and html is off


def _adapt(state: StateCore) -> None:
    """Give tokens the levels and attributes of the site's own pages."""
    written = [token for token in state.tokens if token.type == "heading_open"]
    ranks = sorted({token.tag for token in written})
    level = state.env["heading"] - 1
    for token in chain(state.tokens, *(token.children or () for token in state.tokens)):
        if token.type == "heading_open":
            # No level is left out, whatever the text does: readers of headings rely on it.
            level = min(level + 1, state.env["heading"] + ranks.index(token.tag), 6)
            token.tag = f"h{level}"
        elif token.type == "heading_close":
            token.tag = f"h{level}"
        elif token.type in {"th_open", "td_open"}:
            # The content policy refuses the parser's `style`.
            is_number = token.attrs.pop("style", "") == "text-align:right"
            token.attrs |= {"class": "n"} if is_number else {}
        elif token.type == "link_open":
            token.attrs["rel"] = "nofollow noopener noreferrer"
        elif token.type in {"fence", "code_block"}:
            # A fence would let the text choose classes.
            token.type, token.attrs = "code_block", {"tabindex": 0}
        elif token.type == "image":
            token.type = "text"


_PARSER: Final = _Parser("commonmark", {"html": False}).enable("table")
# Definitions multiply: thousands of short references could each write out one long address.
_PARSER.disable("reference")
_PARSER.core.ruler.push("adapt", _adapt)
