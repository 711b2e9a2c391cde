"""A page as its reader gets it: how its template is laid out is not part of it."""

import re
from typing import Any, Final

from django.test import Client

from webapp.people.accounts.models import User

COURSE: Final = "/courses/coop/"
ASSIGNMENT: Final = COURSE + "assignments/hanabi/"
"""Those of ``tests.support.world``."""

_KEPT: Final = re.compile(
    r"""(<pre\b.*?</pre>|<textarea\b.*?</textarea>|<p class="lines">.*?</p>)""", re.DOTALL
)
_BLOCKS: Final = (
    "html|head|body|meta|link|title|script|p|div|section|article|aside|header|footer|nav|main|"
    "table|caption|thead|tbody|tr|th|td|ul|ol|li|dl|dt|dd|h[1-4]|form|fieldset|legend|figure|"
    "figcaption|details|summary|pre|option|br"
)
_TOKEN: Final = re.compile(r"""(name="csrfmiddlewaretoken" value=")\w+""")
"""A form's token is random: it may well contain a name that is nowhere else on the page."""
_BESIDE_BLOCKS: Final = re.compile(rf"\s*(</?(?:{_BLOCKS})\b[^>]*>)\s*")


def text_of(response: Any) -> str:
    """The text of a response without invisible white space and random tokens of forms."""
    text: str = response.content.decode()
    if not response.get("Content-Type", "").startswith("text/html"):
        return text
    parts = _KEPT.split(text)
    parts[::2] = [_BESIDE_BLOCKS.sub(r"\1", re.sub(r"\s+", " ", part)) for part in parts[::2]]
    return _TOKEN.sub(r"\1", "".join(parts))


def signed_in(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def person_of(page: Any) -> User | None:
    """Who is signed in where this page was shown."""
    user = page.wsgi_request.user
    return user if user.is_authenticated else None


def read(client: Client, address: str) -> str:
    return text_of(client.get(address))


def ranks_in(page: str) -> list[str]:
    """The cells of a board's ranks; a shared one as "7shared=", no rank as "–"."""
    cells = re.findall(r'<td role="cell" class="rank">(.*?)</td>', page, re.DOTALL)
    return [re.sub(r"<[^>]*>|\s", "", cell) for cell in cells]
