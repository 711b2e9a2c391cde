"""Opens the pages that lead from one page to the next, as a reader does who clicks every link."""

import re
from collections import Counter, deque
from collections.abc import Iterable

from django.test import Client

_LINK = re.compile(r'(?:href|hx-get)="(/[^"#]*)"')
_KEY = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|\d+")
_LEFT_OUT = ("/static/", "/accounts/", "/admin/", "/guide/", "/i18n/")


def crawl(
    client: Client, starts: Iterable[str], *, of_a_kind: int, left_out: tuple[str, ...] = ()
) -> dict[str, int]:
    """Open these pages and those they lead to, ``of_a_kind`` of similar ones; return statuses."""
    statuses: dict[str, int] = {}
    kinds: Counter[str] = Counter()
    waiting = deque(starts)
    while waiting:
        address = waiting.popleft()
        kind = _KEY.sub("#", address.partition("?")[0])
        if (
            address in statuses
            or kinds[kind] >= of_a_kind
            or address.startswith(_LEFT_OUT + left_out)
        ):
            continue
        kinds[kind] += 1
        response = client.get(address)
        statuses[address] = response.status_code
        if response.streaming:
            list(response.streaming_content)
        elif response.get("Content-Type", "").startswith("text/html"):
            links = _LINK.findall(response.content.decode())
            waiting += [link.replace("&amp;", "&") for link in links]
    return statuses
