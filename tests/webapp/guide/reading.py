"""The pages of the guide as text."""

import re
from html import unescape

from django.test import Client

from tests.support import pages


def text_of(slug: str, *, between_tags: str = "") -> str:
    page = pages.text_of(Client().get(f"/guide/{slug}/")).replace("</tr>", "</tr>\n")
    article = page[page.index("<article") : page.index("</article>")]
    return unescape(re.sub(r"<[^>]+>", between_tags, article))


def plain(docstring: str) -> str:
    return docstring.replace("``", "").replace("*", "")
