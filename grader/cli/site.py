"""Talks to a course's site: the token kept on this computer, and the JSON API."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

import requests
from requests.auth import AuthBase

from grader.cli.exits import UsageError
from grader.core.errors import SystemFault

_TOKEN_VARIABLE: Final = "FIREBOX_TOKEN"  # noqa: S105 - its name
_SITE_VARIABLE: Final = "FIREBOX_SITE"
_TIMEOUT_SECONDS: Final = 30.0
_LOCAL: Final = {"localhost", "127.0.0.1", "::1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteMessage:
    """A complaint of the site about a source file; line 0 is the whole file."""

    file: str
    line: int
    text: str


class SiteRefusedError(UsageError):
    """The site refused a request; ``messages`` name the upload's problems."""

    def __init__(self, text: str, messages: tuple[SiteMessage, ...] = ()) -> None:
        super().__init__(text)
        self.messages = messages


class _Bearer(AuthBase):
    """Sends a token. Without such an object requests would send what ``.netrc`` has instead."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the header."""
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class SiteClient:
    """A site of Firebox, as the user of a token sees it."""

    def __init__(self, address: str, token: str) -> None:
        """``address``: ``https://`` and a host. Raises UsageError for another one.

        Without encryption a token is sent to this computer itself only.
        """
        parts = _parts(address)
        if parts is None or not parts.hostname or parts.scheme not in {"http", "https"}:
            raise UsageError(f"{address!r} is not a site's address: it must begin with https://")
        if parts.scheme == "http" and parts.hostname not in _LOCAL:
            raise UsageError(
                f"{address} is not encrypted, so others could read your token; use https"
            )
        self.address = f"{parts.scheme}://{parts.netloc}"
        if not (token.isascii() and token.isprintable()):
            raise UsageError(
                "this is not an access token: it has a character that no token has; copy it again"
            )
        self._session = requests.Session()
        self._session.auth = _Bearer(token)

    def get(self, path: str) -> Any:
        """Return the API's answer for a path. Raises RefusedError and SystemFault."""
        return self._ask("GET", path)

    def post(self, path: str, fields: Mapping[str, str], *, name: str, data: bytes) -> Any:
        """Send a form with a file. Raises RefusedError, and SystemFault."""
        return self._ask("POST", path, data=fields, files={"file": (name, data)})

    def _ask(self, method: str, path: str, **content: Any) -> Any:
        url = f"{self.address}/api/v1/{path}"
        try:
            # A redirect would turn a POST into a GET, and may lead the token elsewhere.
            response = self._session.request(
                method, url, timeout=_TIMEOUT_SECONDS, allow_redirects=False, **content
            )
        except requests.RequestException as error:
            raise SystemFault(f"{self.address} does not answer: {_cause(error)}") from error
        return _answer(response, self.address)


def _parts(address: str) -> SplitResult | None:
    try:
        parts = urlsplit(address if "//" in address else f"https://{address}")
        _ = parts.port  # raises ValueError for what is no number of a port
    except ValueError:
        return None
    return parts


def _answer(response: requests.Response, address: str) -> Any:
    status = response.status_code
    try:
        content = response.json()
    except requests.JSONDecodeError:
        summary = f"status {status}: {response.text.strip()[:200]}"
        if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
            raise SiteRefusedError(response.text.strip()[:200]) from None
        raise SystemFault(f"{address} did not answer as a Firebox site: {summary}") from None
    if status < HTTPStatus.BAD_REQUEST:
        return content
    text = str(content.get("detail", status))
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise SystemFault(text)
    messages = content.get("messages", [])
    raise SiteRefusedError(text, tuple(_message(message) for message in messages))


def _message(content: Mapping[str, Any]) -> SiteMessage:
    return SiteMessage(
        file=str(content["file"]), line=int(content["line"]), text=str(content["text"])
    )


def _cause(error: Exception) -> str:
    """Return the innermost reason: outer ones repeat the address and name Python's objects."""
    while error.__cause__ is not None or error.__context__ is not None:
        inner = error.__cause__ or error.__context__
        if not isinstance(inner, Exception):
            break
        error = inner
    return str(error) or type(error).__name__


# --- The token on this computer ----------------------------------------------------------------


def signed_in(address: str = "") -> SiteClient:
    """Return the site that was named, or else the one signed in to last. Raises UsageError."""
    kept = _kept()
    address = address or os.environ.get(_SITE_VARIABLE, "") or next(reversed(kept), "")
    if not address:
        raise UsageError("you are not signed in to a site; run: firebox login https://SITE")
    token = os.environ.get(_TOKEN_VARIABLE, "").strip()
    site = SiteClient(address, token)
    if token:
        return site
    if site.address not in kept:
        raise UsageError(f"you are not signed in; run: firebox login {site.address}")
    return SiteClient(address, kept[site.address])


def keep_token(site: str, token: str) -> Path:
    """Keep a site's token in a file that only this user can read; return the file."""
    kept = _kept()
    kept.pop(site, None)
    _keep({**kept, site: token})
    return _file()


def forget_token(site: str) -> bool:
    """Remove a site's token from this computer; return whether there was one."""
    kept = _kept()
    known = kept.pop(site, None) is not None
    if known:
        _keep(kept)
    return known


def _keep(tokens: Mapping[str, str]) -> None:
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".new")
        draft.unlink(missing_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(tokens, file)
        draft.replace(path)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def _kept() -> dict[str, str]:
    path = _file()
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path}: {error}; delete it and sign in again") from error
    if not isinstance(content, dict):
        raise UsageError(f"there are no tokens in {path}; delete it and sign in again")
    return {str(site): str(token) for site, token in content.items()}


def _file() -> Path:
    home = os.environ.get("APPDATA") or os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "firebox" / "tokens.json"
