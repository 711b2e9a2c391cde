"""Views of the guide: open to everybody."""

from typing import Final

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.base.storable import storable
from webapp.base.wheel import built
from webapp.pages.guide import pages
from webapp.pages.guide.searching import search as found_in_guide
from webapp.pages.guide.tables import context_of


def index(request: HttpRequest) -> HttpResponse:
    """The table of contents."""
    return render(request, "guide/index.html", {"nav": "guide", "parts": pages.parts()})


def search(request: HttpRequest) -> HttpResponse:
    """The parts of the guide that have the words of a search."""
    words = storable(request.GET.get("q", "").strip(), characters=80)
    context = {"words": words, "found": found_in_guide(words), "examples": _EXAMPLES}
    return render(request, "guide/search.html", {"nav": "guide", "pages": pages.PAGES, **context})


_EXAMPLES: Final = (
    ("timeout", "why a turn took too long, and what to do"),
    ("late days", "what an upload after the due date costs"),
    ("random numbers", "how to make your agent repeat its moves"),
    ("print", "where to read what your agent prints"),
    ("install", "the command that plays games at home"),
)
"""Searches to begin with, and what they answer."""


def page(request: HttpRequest, slug: str) -> HttpResponse:
    """One page."""
    entry = pages.page(slug)
    if entry is None:
        raise Http404("The guide has no such page.")
    context = {"nav": "guide", "pages": pages.PAGES, "page": entry, **context_of(slug)}
    return render(request, entry.template, context)


def wheel(_: HttpRequest, name: str) -> FileResponse:
    """The wheel of Firebox, under its own name: ``pip`` reads the version from the address."""
    path = built()
    if path is None or path.name != name:
        raise Http404("This site has no such file.")
    return FileResponse(path.open("rb"), as_attachment=True, content_type="application/zip")
