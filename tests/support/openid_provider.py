"""A real OpenID Connect provider, in a process of its own."""

import json
import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import requests

from tests.support.processes import PATIENCE_SECONDS, Program, free_port, wait_until

_NO_PROXY = {"no_proxy": "*"}


class OpenIdProvider:
    """A provider that signs in everybody whom ``knows`` has named."""

    def __init__(self, directory: Path) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)]
        self._program = Program("provider", command, {**os.environ, **_NO_PROXY}, directory)

    def start(self) -> None:
        """Start it, and return as soon as it answers."""
        self._program.start()
        wait_until(self._answers, why="the provider does not answer")

    def stop(self) -> None:
        self._program.stop()

    def knows(self, subject: str, **claims: Any) -> None:
        """Let it state these claims of a person."""
        answer = requests.put(
            f"{self.url}/users/{subject}",
            data=json.dumps(claims),
            headers={"Content-Type": "application/json"},
            timeout=PATIENCE_SECONDS,
        )
        answer.raise_for_status()

    def sign_in(self, address: str, subject: str) -> str:
        """Sign somebody in on its page at this address; return where it sends the browser."""
        return self._submit(address, {"sub": subject})

    def cancel(self, address: str) -> str:
        """Press the button that denies; return where the page sends the browser.

        The standard demands the state with it, which this provider leaves out.
        """
        (state,) = parse_qs(urlsplit(address).query)["state"]
        return f"{self._submit(address, {'action': 'deny'})}&state={state}"

    def _submit(self, address: str, data: dict[str, str]) -> str:
        answer = requests.post(address, data=data, allow_redirects=False, timeout=PATIENCE_SECONDS)
        assert answer.is_redirect, answer.text
        return answer.headers["Location"]

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.url}/jwks", timeout=5).ok
        except requests.RequestException:
            return False
