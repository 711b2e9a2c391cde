"""A search of the guide: an index made from the pages as they are shown, and its ranked results.

Must never need a service: the guide is small, and each process reads it once.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from html.parser import HTMLParser
from math import log
from typing import Final

from django.template.loader import render_to_string
from django.urls import reverse

from webapp.pages.guide.pages import PAGES, GuidePage
from webapp.pages.guide.tables import context_of

MAX_RESULTS: Final = 20
_PAGE_RESULTS: Final = 4
"""Results of one page: a long page leaves room for others."""
_MAX_SENTENCE: Final = 260
"""Characters shown of a sentence; table rows can be longer."""

_TITLE_WEIGHT: Final = 5.0
_HEADING_WEIGHT: Final = 8.0
_PREFIX_SHARE: Final = 0.6
"""The worth of a word that only begins with the searched one."""

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
"""Stems of words that people search, and the guide's word for the same thing."""

_WORD: Final = re.compile(r"[^\W_]+(?:_[^\W_]+)*")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+(?=[“A-Z])")
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
    sentence: tuple[Excerpt, ...]


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


@dataclass(slots=True)
class _Section:
    page: GuidePage
    heading: str
    anchor: str
    sentences: list[str]


@dataclass(frozen=True, slots=True)
class _Indexed:
    section: _Section
    title: frozenset[str]
    heading: frozenset[str]
    text: Counter[str]
    sentences: tuple[frozenset[str], ...]
    """The stems of each of the section's sentences."""


def search(query: str) -> Found:
    """Return the parts of the guide that have these words, best first."""
    words = _asked(query)
    if not words:
        return Found()
    index, frequency = _index()
    scored = [(score, matched, each) for each in index for score, matched in [_score(each, words)]]
    most = max(matched for _, matched, _ in scored)
    if not most:
        return Found(suggestion=_suggestion(query, frequency))
    best = [(score, each) for score, matched, each in scored if matched == most]
    best.sort(key=lambda pair: -pair[0])
    partial = most < len(words)
    return Found(
        results=tuple(_result(each, words) for each in _spread(best)),
        count=len(best),
        is_partial=partial,
        suggestion=_suggestion(query, frequency) if partial else "",
    )


def rendered(entry: GuidePage) -> str:
    """A page's article as HTML, as its readers get it."""
    context = {"pages": PAGES, "page": entry, **context_of(entry.slug)}
    page = render_to_string(entry.template, context)
    return page[page.index("<article") : page.index("</article>")]


def _asked(query: str) -> list[str]:
    words = list(dict.fromkeys(word.lower() for word in _WORD.findall(query)))
    return [_stem(word) for word in words if word not in _STOP_WORDS] or [*map(_stem, words)]


def _stem(word: str) -> str:
    """A word without the ending of a plural or of a verb's form."""
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("s", "")):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            return word[: len(word) - len(ending)] + instead
    return word


@cache
def _index() -> tuple[tuple[_Indexed, ...], Counter[str]]:
    """Every section with its stems, and in how many sections each stem is."""
    index = tuple(_indexed(section) for entry in PAGES for section in _sections(entry))
    frequency: Counter[str] = Counter()
    for each in index:
        frequency.update(each.title | each.heading | each.text.keys())
    return index, frequency


def _indexed(section: _Section) -> _Indexed:
    sentences = [tuple(_stems(sentence)) for sentence in section.sentences]
    return _Indexed(
        section,
        title=frozenset(_stems(f"{section.page.title} {section.page.slug}")),
        heading=frozenset(_stems(section.heading)),
        text=Counter(stem for stems in sentences for stem in stems),
        sentences=tuple(frozenset(stems) for stems in sentences),
    )


def _stems(text: str) -> Iterator[str]:
    """The stems of a text; a name such as ``turn_seconds`` also by its parts."""
    for word in _WORD.findall(text.lower()):
        yield _stem(word)
        if "_" in word:
            yield from map(_stem, word.split("_"))


def _sections(entry: GuidePage) -> list[_Section]:
    reader = _Reader(entry)
    reader.feed(rendered(entry))
    reader.close()
    return reader.sections


class _Reader(HTMLParser):
    """Reads an article into sections: the text under each heading, sentence by sentence.

    A row of a table that has an address of its own, such as a fault's, is a section too.
    """

    def __init__(self, entry: GuidePage) -> None:
        super().__init__()
        self.sections = [_Section(entry, "", "", [])]
        self._current = self._around = self.sections[0]
        self._skipped = 0
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        anchor = dict(attrs).get("id") or ""
        if tag in _SKIPPED:
            self._skipped += 1
        elif tag in _HEADINGS or tag in _BLOCKS:
            self._end_block()
            if tag in ("h2", "h3") or (tag == "tr" and anchor):
                self._current = _Section(self._current.page, "", anchor, [])
                self.sections.append(self._current)
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
        if self._plain() and not is_long:
            self._current.sentences += _SENTENCE_END.split(self._plain())
        self._text = []


def _score(each: _Indexed, words: list[str]) -> tuple[float, int]:
    frequency, total = _index()[1], len(_index()[0])
    score, matched = 0.0, 0
    for word in words:
        found = max(_found(each, word, 1.0), _found(each, _stem(_SAME.get(word, word)), 0.9))
        matched += found > 0
        score += found * log(1 + total / (1 + frequency[word]))
    together = max((_count(stems, words) for stems in each.sentences), default=0)
    return score * (1 + together / len(words)), matched


def _count(stems: frozenset[str], words: list[str]) -> int:
    return sum(any(stem.startswith(word) for stem in stems) for word in words)


def _found(each: _Indexed, word: str, share: float) -> float:
    # A heading that is the word alone says more than one in which it is one of many.
    focus = 0.5 + 0.5 / max(len(each.heading), 1)
    heading = _part(each.heading, word) * _HEADING_WEIGHT * focus
    title = _part(each.title, word) * _TITLE_WEIGHT * (1 if not each.section.heading else 0.6)
    count = sum(n * _part((stem,), word) for stem, n in each.text.items() if stem.startswith(word))
    # One long section with a word in every line is not ten times the answer.
    return share * (heading + title + 2 * count / (1 + count))


def _part(stems: frozenset[str] | tuple[str, ...], word: str) -> float:
    if word in stems:
        return 1.0
    return _PREFIX_SHARE if any(stem.startswith(word) for stem in stems) else 0.0


def _spread(best: list[tuple[float, _Indexed]]) -> Iterator[_Indexed]:
    of_page: Counter[str] = Counter()
    given = 0
    for _, each in best:
        slug = each.section.page.slug
        if of_page[slug] < _PAGE_RESULTS and given < MAX_RESULTS:
            of_page[slug] += 1
            given += 1
            yield each


def _result(each: _Indexed, words: list[str]) -> SearchResult:
    section = each.section
    address = reverse("guide:page", args=[section.page.slug])
    if section.anchor:
        address += f"#{section.anchor}"
    # A row of a table begins with its heading, which stands above the sentence.
    wanted = [*words, *(_stem(_SAME[word]) for word in words if word in _SAME)]
    sentence = _best(each, wanted).removeprefix(f"{section.heading} – ")
    return SearchResult(section.page, section.heading, address, _marked(sentence, wanted))


def _best(each: _Indexed, words: list[str]) -> str:
    pairs = zip(each.section.sentences, each.sentences, strict=True)
    best = max(pairs, key=lambda pair: _count(pair[1], words), default=None)
    return best[0] if best else each.section.page.summary


def _marked(sentence: str, words: list[str]) -> tuple[Excerpt, ...]:
    pieces: list[Excerpt] = []
    at = 0
    text = _cut(sentence, words)
    for match in _WORD.finditer(text):
        if _is_one(match.group(), words):
            pieces += [
                Excerpt(text[at : match.start()], is_match=False),
                Excerpt(match.group(), is_match=True),
            ]
            at = match.end()
    return tuple(piece for piece in (*pieces, Excerpt(text[at:], is_match=False)) if piece.text)


def _is_one(word: str, words: list[str]) -> bool:
    return any(stem.startswith(asked) for stem in _stems(word) for asked in words)


def _cut(sentence: str, words: list[str]) -> str:
    """A long sentence around its first match, cut between words."""
    if len(sentence) <= _MAX_SENTENCE:
        return sentence
    first = next((m.start() for m in _WORD.finditer(sentence) if _is_one(m.group(), words)), 0)
    begin = sentence.find(" ", max(0, first - _MAX_SENTENCE // 3)) if first > 80 else 0
    end = sentence.rfind(" ", 0, begin + _MAX_SENTENCE)
    return f"{'… ' if begin else ''}{sentence[begin:end].strip()}{' …' if end > 0 else ''}"


def _suggestion(query: str, frequency: Counter[str]) -> str:
    """The query with each word that the guide lacks replaced by a similar one that it has."""
    vocabulary = _vocabulary()
    replaced, changed = [], False
    for word in _WORD.findall(query.lower()):
        known = word in _STOP_WORDS or any(stem.startswith(_stem(word)) for stem in frequency)
        close = [] if known else get_close_matches(word, vocabulary, n=1, cutoff=0.75)
        replaced += close or [word]
        changed = changed or bool(close)
    return " ".join(replaced) if changed else ""


@cache
def _vocabulary() -> tuple[str, ...]:
    """The words of the guide as they are written there, the most frequent first."""
    words = Counter(
        word
        for each in _index()[0]
        for text in (each.section.heading, *each.section.sentences)
        for word in _WORD.findall(text.lower())
        if len(word) > 3
    )
    return tuple(word for word, _ in words.most_common())
