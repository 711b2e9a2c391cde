"""Views of the guide: open to everybody."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.base.wheel import built
from webapp.pages.guide import pages
from webapp.pages.guide.tables import context_of


def index(request: HttpRequest) -> HttpResponse:
    """The table of contents."""
    return render(request, "guide/index.html", {"nav": "guide", "parts": pages.parts()})


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
