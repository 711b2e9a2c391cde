"""A grader's own login to Redis, as a line of Redis' ACL file, and what its machine needs to join.

The site's own login may not change users: an attacker who controls the site must not control Redis'
host. So an operator has Redis load the file. Pure: passwords and keys come in as arguments.
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from webapp.base.errors import Refused

RULES: Final = (
    "~site-*:graded ~site-*:graded??[369] ~site-*:practice ~site-*:practice??[369]"
    " ~site-*:smoke ~site-*:smoke??[369] ~site-*:audits ~site-*:audits??[369] ~site-*:ladder"
    " ~site-*:ladder??[369] ~site-*:live ~site-*:live??[369] resetchannels -@all +auth +hello"
    " +ping +quit +select +client|setname +multi +exec +discard +brpop +lpush +rpush +llen"
    " +time (-@all +get %R~firebox.site) (-@all +sadd +smembers ~site-*:_kombu.binding*)"
    " (-@all +lpush +llen %W~site-*:results) (-@all +lpush %W~site-*:verdicts) (-@all +lpush"
    " %W~site-*:firebox.aside) (-@all +exists %R~site-*:firebox.withdrawn.*"
    " %R~site-*:firebox.admitted.*)"
)
"""A grader's permissions, those of the user ``grader`` in ``deploy/redis/users.acl``."""
_GRADER: Final = re.compile(r"user grader(-\S+)? (on|off)( [#>]\S+)+(?= )")
"""The beginning of a grader's line: its name and its passwords."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

_SCRIPT: Final = """\
#!/bin/sh
# Makes this machine the grader {name} of {site}. It holds secrets: delete it afterwards.
#   sh FILE [SETTINGS [KEY]]
set -euC
umask 077
settings=${{1:-/etc/firebox/grader-env}}
key=${{2:-/var/lib/firebox-grader/key}}
mkdir -p "$(dirname "$settings")" "$(dirname "$key")"
cat >"$key" <<'END'
{private_key}
END
cat >"$settings" <<END
FIREBOX_BROKER_URL='{broker_url}'
FIREBOX_STORE_URL='{store_url}'
FIREBOX_GRADER_KEY='$key'
{store_key}END
"""
_UNSAFE: Final = frozenset("'\n$`\\")
"""Characters that end a value in the file of settings, or that its script would expand."""
_SETTING: Final = re.compile(r"(?!FIREBOX_|DATABASE_)([A-Z][A-Z0-9_]*)=(.+)")


def user_of(name: str) -> str:
    """Return the name of a grader's Redis user. Raises Refused for a name that is not fit."""
    if not _NAME.fullmatch(name):
        raise Refused(
            "A grader's name has up to 40 lower-case letters, digits and hyphens, such as lab-3."
        )
    return f"grader-{name}"


def acl_line(user: str, password: str) -> str:
    """Return the user's line of an ACL file, with a hash of the password."""
    return f"user {user} on #{hashlib.sha256(password.encode()).hexdigest()} {RULES}"


def with_line(text: str, line: str) -> str:
    """Return an ACL file with one more line. Raises Refused if it has that user already."""
    user = line.split()[1]
    if has_user(text, user):
        raise Refused(f"The file has a user {user} already.")
    return "\n".join([*text.splitlines(), line, ""])


def has_user(text: str, user: str) -> bool:
    """Return whether an ACL file has that user."""
    return any(_is_of(line, user) for line in text.splitlines())


def without(text: str, user: str) -> str:
    """Return an ACL file without that user."""
    others = [line for line in text.splitlines() if not _is_of(line, user)]
    return "\n".join([*others, ""])


def with_current_rules(text: str) -> str:
    """Return an ACL file whose graders, all of them, have this version's rules."""
    return "\n".join([*map(_with_current_rules, text.splitlines()), ""])


def _with_current_rules(line: str) -> str:
    login = _GRADER.match(line)
    return line if login is None else f"{login[0]} {RULES}"


def _is_of(line: str, user: str) -> bool:
    return line.split()[:2] == ["user", user]


def broker_url_of(url: str, user: str, password: str) -> str:
    """Return the broker's address with another login. Raises Refused if it is not of Redis."""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    host = parts.netloc.rpartition("@")[2]
    if parts.scheme not in {"redis", "rediss"} or not host:
        raise Refused("Give Redis' address, such as rediss://redis.example.edu:6379/0.")
    return parts._replace(netloc=f"{user}:{password}@{host}").geturl()


def store_settings(text: str) -> list[str]:
    """Return a grader's settings of the store from a file with one a line. Raises Refused."""
    found = [_SETTING.fullmatch(line) for line in text.splitlines() if line.strip()]
    if not all(line and _UNSAFE.isdisjoint(line[2]) for line in found):
        raise Refused(
            "The file of the store's key may only have lines such as AWS_ACCESS_KEY_ID=…."
        )
    return [f"{line[1]}='{line[2]}'\n" for line in found if line]


def joining_script(
    *,
    name: str,
    site: str,
    broker_url: str,
    store_url: str,
    private_key: str,
    store_key: Sequence[str] = (),
) -> str:
    """Return a script that writes a grader's settings and its key. Raises Refused.

    ``store_key`` is what ``store_settings`` returned.
    """
    for address in (broker_url, store_url):
        if not _UNSAFE.isdisjoint(address):
            raise Refused("An address holds a quotation mark, a line break, $, ` or \\.")
    return _SCRIPT.format(
        name=name,
        site=site,
        broker_url=broker_url,
        store_url=store_url,
        private_key=private_key,
        store_key="".join(store_key),
    )
