"""Pages with one fault each, behind all of the site's middleware: what a look must notice.

To be used as the URLs of the site: ``@pytest.mark.urls("tests.support.broken_pages")``.
"""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.urls import path

_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<title>A page</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css">
</head>
<body><main><h1>A page</h1><p>Read this.</p>{fault}</main></body>
</html>
"""
_STYLE: Final = """
:root { color-scheme: light dark; background: Canvas; color: CanvasText }
.wide { inline-size: 900px }
.small { display: inline-block; inline-size: 10px; block-size: 10px; overflow: hidden }
div:has(> .board) { overflow: auto }
.command { position: relative }
.over { position: absolute; inset: 0 }
.stack { position: relative; background: #fff }
.stack p { position: relative; color: #333 }
.layer { position: absolute; inset: 0; background: #444 }
.pale { background: #fff; color: #ccc }
.plain { color: light-dark(#333, #ccc); text-decoration: none }
tr:nth-child(3) { background: #888; color: #777 }
@media (prefers-color-scheme: dark) { .dim-in-the-dark { background: #000; color: #333 } }
@media (prefers-color-scheme: light) { .dim-in-the-light { background: #fff; color: #ccc } }
@media (width >= 40rem) { .narrow { display: none } }
@media (width < 40rem) { .broad { display: none } }
"""
FAULTS: Final = {
    "nothing": "",
    "overflow": '<div class="wide">.</div>',
    "dark": '<p class="dim-in-the-dark">Who reads this?</p>',
    "light": '<p class="dim-in-the-light">Who reads this?</p>',
    "row": "<table>" + "<tr><td>Who reads this?</td></tr>" * 3 + "</table>",
    "layer": (
        '<div class="stack"><p>Read this.</p></div>'
        '<div class="stack"><div class="layer"></div><p>Who reads this?</p></div>'
    ),
    "control": (
        '<label class="pale"><input type="checkbox" disabled> Nobody</label>'
        '<label class="pale"><input type="checkbox"> Who reads this?</label>'
    ),
    "word": '<b class="pale">1</b> <b class="pale">Who reads this?</b>',
    "label": '<input name="nobody-knows-what">',
    "narrow-label": '<input class="narrow" name="nobody-knows-what">',
    "broad-label": '<input class="broad" name="nobody-knows-what">',
    "target": '<a class="small" href="/a">a</a><a class="small" href="/b">b</a>',
    "link": (
        '<p><a class="plain" href="/a">Read this</a></p>'
        '<p>Who sees that this is <a class="plain" href="/b">a link</a>?</p>'
    ),
    "outside": "</main><p>Read this.</p><main hidden>",
    "board": '<div tabindex="0"><table class="board"><td><p class="wide">.</p></td></table></div>',
    "button": '<div class="command"><pre>x</pre><button class="over">Copy</button></div>',
    "script": "<script>document.title = 'Changed'</script>",
}


def page(request: HttpRequest, fault: str) -> HttpResponse:
    """A page that is sound but for this."""
    return HttpResponse(_PAGE.format(fault=FAULTS[fault]))


def style(request: HttpRequest) -> HttpResponse:
    """The style of all of them."""
    return HttpResponse(_STYLE, content_type="text/css")


urlpatterns = [path("style.css", style), path("broken/<fault>/", page)]
