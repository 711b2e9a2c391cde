"""The pages of the guide as text."""

import re
from functools import cache
from html import unescape

from django.conf import settings
from django.test import Client

from tests.support import pages


def text_of(slug: str, *, between_tags: str = "") -> str:
    return unescape(re.sub(r"<[^>]+>", between_tags, _article(slug, settings.MAX_UPLOAD_BYTES)))


@cache  # it is the same for all tests of this process, but for what one of them sets
def _article(slug: str, _max_upload_bytes: int) -> str:
    page = pages.text_of(Client().get(f"/guide/{slug}/")).replace("</tr>", "</tr>\n")
    return page[page.index("<article") : page.index("</article>")]


def plain(docstring: str) -> str:
    return docstring.replace("``", "").replace("*", "")
