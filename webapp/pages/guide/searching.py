"""A search of the guide: an index made from the pages as they are shown, and its ranked results.

Must never need a service: SQLite's full-text search ranks the guide in the memory of each process.
"""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from html.parser import HTMLParser
from typing import Final

from django.template.loader import render_to_string
from django.urls import reverse

from webapp.pages.guide.pages import PAGES, GuidePage
from webapp.pages.guide.tables import context_of

MAX_RESULTS: Final = 20
_PAGE_RESULTS: Final = 4
"""Results of one page: a long page leaves room for others."""

_INDEX: Final = """
CREATE VIRTUAL TABLE part USING fts5(
    page UNINDEXED, anchor UNINDEXED, title, heading, page_title, text,
    tokenize = 'porter unicode61')
"""
_FOUND: Final = """
SELECT page, heading, anchor, snippet(part, 5, char(2), char(3), '…', 40) FROM part
WHERE part MATCH ? ORDER BY bm25(part, 0, 0, 10, 12, 3, 1)
"""
"""``title`` is filled for the beginning of a page alone, which answers a search for its subject."""

_STOP_WORDS: Final = frozenset((
    *("a", "about", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from"),
    *("have", "how", "i", "if", "in", "is", "it", "its", "me", "my", "not", "of", "on", "or", "so"),
    *("that", "the", "there", "this", "to", "what", "when", "where", "which", "who", "why", "will"),
    *("with", "you", "your"),
))  # fmt: skip
_SAME: Final = {
    "deadline": "due", "mark": "points", "cpu": "charged", "ram": "memory", "strike": "live",
    "life": "live", "live": "life", "error": "fault", "fail": "fault", "password": "sign",
    "clue": "hint", "resubmit": "upload", "install": "pip", "tie": "share",
}  # fmt: skip
"""Beginnings of words that people search, and the guide's word for the same thing."""

_ENTRIES: Final = {entry.slug: entry for entry in PAGES}
_WORD: Final = re.compile(r"[^\W_]+(?:_[^\W_]+)*")
_BLOCKS: Final = frozenset(("p", "li", "tr", "dt", "dd", "caption", "summary", "pre", "figcaption"))
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4"))
_SKIPPED: Final = frozenset(("svg", "script"))


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a sentence, and whether it is one of the searched words."""

    text: str
    is_match: bool


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A part of a page that answers a search."""

    page: GuidePage
    heading: str
    """Empty for the beginning of a page."""
    address: str
    excerpts: tuple[Excerpt, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search."""

    results: tuple[SearchResult, ...] = ()
    count: int = 0
    """All parts that match; not all of them are in ``results``."""
    is_partial: bool = False
    """No part of the guide has all of the words; the results have some."""
    suggestion: str = ""
    """The search with unknown words replaced by similar ones of the guide."""


def search(query: str) -> Found:
    """Return the parts of the guide that have these words, best first."""
    words = _WORD.findall(query.lower())
    terms = [_term(word) for word in words if word not in _STOP_WORDS] or [*map(_term, words)]
    if not terms:
        return Found()
    rows = _matching(" AND ".join(terms))
    is_partial = not rows
    if is_partial:
        rows = _matching(" OR ".join(terms))
    return Found(
        results=tuple(_spread(rows)),
        count=len(rows),
        is_partial=is_partial and bool(rows),
        suggestion=_suggestion(words) if is_partial else "",
    )


def rendered(entry: GuidePage) -> str:
    """A page's article as HTML, as its readers get it."""
    context = {"pages": PAGES, "page": entry, **context_of(entry.slug)}
    page = render_to_string(entry.template, context)
    return page[page.index("<article") : page.index("</article>")]


def _term(word: str) -> str:
    """The word in SQLite's query language: what begins with it, or means the same."""
    same = [f'"{_SAME[start]}"' for start in _SAME if word.startswith(start)]
    meant = " OR ".join([f'"{word}"*', *same])
    return f"({meant})"


def _matching(expression: str) -> list[tuple[str, str, str, str]]:
    return _index().execute(_FOUND, [expression]).fetchall()


@cache
def _index() -> sqlite3.Connection:
    """Return a database in memory with every part of the guide. Threads may share it."""
    index = sqlite3.connect(":memory:", check_same_thread=False)
    index.execute(_INDEX)
    for entry in PAGES:
        name = f"{entry.title} {entry.slug}"
        for part in _parts(entry):
            titles = ("", name) if part.heading else (name, "")
            row = (entry.slug, part.anchor, titles[0], part.heading, titles[1], part.text)
            index.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)
    return index


@dataclass(slots=True)
class _Part:
    heading: str
    anchor: str
    text: str


def _parts(entry: GuidePage) -> list[_Part]:
    reader = _Reader()
    reader.feed(rendered(entry))
    reader.close()
    return reader.parts


class _Reader(HTMLParser):
    """Reads an article into parts: the text under each heading.

    A row of a table that has an address of its own, such as a fault's, is a part too.
    """

    def __init__(self) -> None:
        super().__init__()
        self.parts = [_Part("", "", "")]
        self._current = self._around = self.parts[0]
        self._skipped = 0
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        anchor = dict(attrs).get("id") or ""
        if tag in _SKIPPED:
            self._skipped += 1
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._end_block()
            if tag in ("h2", "h3") or (tag == "tr" and anchor):
                self._current = _Part("", anchor, "")
                self.parts.append(self._current)
            if tag in ("h2", "h3"):
                self._around = self._current
        elif tag in ("td", "th") and "".join(self._text).strip():
            self._text.append(" – ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _SKIPPED:
            self._skipped -= 1
        elif tag in _HEADINGS:
            if tag in ("h2", "h3"):
                self._current.heading = self._plain()
            self._text = []
        elif tag == "th" and self._current is not self._around and not self._current.heading:
            self._current.heading = self._plain()
            self._text = []
        elif tag in _BLOCKS:
            self._end_block(is_program=tag == "pre")
            if tag == "tr":
                self._current = self._around

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self._text.append(data)

    def _plain(self) -> str:
        return " ".join("".join(self._text).split())

    def _end_block(self, *, is_program: bool = False) -> None:
        """A command is worth finding; the words of a whole program would be found for anything."""
        is_long = is_program and "\n" in "".join(self._text).strip()
        if (text := self._plain()) and not is_long:
            before = self._current.text
            between = " " if before.endswith((".", ":", "?", "!")) else " · "
            self._current.text = before + between * bool(before) + text
        self._text = []


def _spread(rows: list[tuple[str, str, str, str]]) -> Iterator[SearchResult]:
    """Yield the best results, a few of each page."""
    of_page: Counter[str] = Counter()
    for slug, heading, anchor, excerpt in rows:
        if of_page[slug] < _PAGE_RESULTS and of_page.total() < MAX_RESULTS:
            of_page[slug] += 1
            entry = _ENTRIES[slug]
            address = reverse("guide:page", args=[slug]) + (anchor and f"#{anchor}")
            yield SearchResult(entry, heading, address, _marked(excerpt or entry.summary))


def _marked(excerpt: str) -> tuple[Excerpt, ...]:
    """Return the pieces: each second one is a match, which SQLite put between its marks."""
    pieces = enumerate(re.split("[\2\3]", excerpt))
    return tuple(Excerpt(text, is_match=number % 2 == 1) for number, text in pieces if text)


def _suggestion(words: list[str]) -> str:
    """The words, with each that the guide lacks replaced by a similar one that it has."""
    replaced = []
    for word in words:
        known = word in _STOP_WORDS or _matching(_term(word))
        close = [] if known else get_close_matches(word, _vocabulary(), n=1, cutoff=0.75)
        replaced += close or [word]
    return " ".join(replaced) if replaced != words else ""


@cache
def _vocabulary() -> tuple[str, ...]:
    """The words of the guide as they are written there, the most frequent first."""
    texts = _index().execute("SELECT heading || ' ' || text FROM part")
    words = Counter(word for (text,) in texts for word in _WORD.findall(text.lower()))
    return tuple(word for word, _ in words.most_common() if len(word) > 3)
