"""A learning platform with a key pair of its own: it launches this site, and serves it over HTTP.

Tokens for its services are given only for assertions that this site's key has signed.
"""

import html
import json
import threading
import time
from collections.abc import Callable
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlencode, urlsplit
from uuid import uuid4

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import RSAAlgorithm

CLAIM: Final = "https://purl.imsglobal.org/spec/lti/claim/"
_MEMBERSHIP: Final = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
LEARNER: Final = _MEMBERSHIP + "Learner"
TEACHER: Final = _MEMBERSHIP + "Instructor"
_DEEP: Final = "https://purl.imsglobal.org/spec/lti-dl/claim/"
_PAGE: Final = 2
"""Members on a page of its list."""


class LtiPlatform:
    """Issuer, keys, tokens, a list of members, and columns that take points."""

    client_id = "firebox-at-platform"
    deployment_id = "7"

    def __init__(self) -> None:
        self.forget()
        self.tool_keys: Callable[[], dict[str, Any]] = dict
        """Reads this site's public keys."""
        self._tokens: set[str] = set()
        platform = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                platform._get(self)

            def do_POST(self) -> None:
                platform._post(self)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def forget(self) -> None:
        """Reset it for another test."""
        self.members: list[dict[str, Any]] = []
        self.answers: object = None
        """The answer to a request for its members, if not the list of them."""
        self.token_answer: object = None
        """The answer to a request for a token, if not one."""
        self.scores: list[dict[str, Any]] = []
        self.column_maximum = 100.0
        """Points above it are cut, as platforms do."""
        self.has_results = True
        self.refusal: object = {"why": "no such user"}
        """The body of an answer to points that are not taken."""
        self.fails_with: int | None = None
        """The status of every answer to points, if set."""
        self.people: dict[str, dict[str, Any]] = {}
        """The claims about each person who uses a browser, by name."""
        self.links: list[dict[str, Any]] = []
        """Links that this site has asked for."""

    @cached_property
    def _key(self) -> rsa.RSAPrivateKey:
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def launch_token(self, address: str, **claims: Any) -> dict[str, str]:
        """Return the platform's form for a request; ``claims`` replace those of a learner."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        token = self.signed({**self._claims(), "nonce": asked["nonce"], **claims})
        return {"id_token": token, "state": asked["state"]}

    def course_page(self, site_url: str, name: str) -> str:
        """Return the address of the page on which a browser's user opens the site."""
        asked = {
            "iss": self.url,
            "client_id": self.client_id,
            "login_hint": name,
            "target_link_uri": f"{site_url}/lti/launch/",
        }
        login = f"{site_url}/lti/login/?{urlencode(asked)}"
        return f"{self.url}/course?{urlencode({'to': login})}"

    def signed(self, claims: dict[str, Any], key: rsa.RSAPrivateKey | None = None) -> str:
        """Return a token; of another key if it is given."""
        return jwt.encode(claims, key or self._key, algorithm="RS256", headers={"kid": "one"})

    def public_pem(self) -> bytes:
        """Return the key that everybody may read, as an attacker would write it."""
        return self._key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def _claims(self) -> dict[str, Any]:
        now = int(time.time())
        return {
            "iss": self.url,
            "aud": self.client_id,
            "iat": now,
            "exp": now + 300,
            "sub": "user-1",
            "name": "Eve Moneypenny",
            "email": "eve@example.org",
            CLAIM + "message_type": "LtiResourceLinkRequest",
            CLAIM + "version": "1.3.0",
            CLAIM + "deployment_id": self.deployment_id,
            CLAIM + "target_link_uri": "http://testserver/lti/launch/",
            CLAIM + "roles": [LEARNER],
            CLAIM + "context": {"id": "course-1", "title": "Games in the LMS"},
            CLAIM + "resource_link": {"id": "link-1"},
            "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": {
                "context_memberships_url": f"{self.url}/Members",
                "service_versions": ["2.0"],
            },
            "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint": {
                "scope": ["https://purl.imsglobal.org/spec/lti-ags/scope/score"],
                "lineitems": f"{self.url}/columns",
                "lineitem": f"{self.url}/columns/1?type=7",
            },
        }

    def deep_link_claims(self) -> dict[str, Any]:
        """Return what is different in a request for a link."""
        return {
            CLAIM + "message_type": "LtiDeepLinkingRequest",
            CLAIM + "resource_link": None,
            _DEEP + "deep_linking_settings": {
                "deep_link_return_url": f"{self.url}/return",
                "accept_types": ["ltiResourceLink"],
                "accept_presentation_document_targets": ["window"],
                "data": "csrf-7",
            },
        }

    def read(self, token: str) -> dict[str, Any]:
        """Return the claims of a token that this site has signed."""
        claims: dict[str, Any] = jwt.decode(
            token, self._tool_key(token), algorithms=["RS256"], options={"verify_aud": False}
        )
        return claims

    def _tool_key(self, token: str) -> Any:
        kid = jwt.get_unverified_header(token)["kid"]
        keys = self.tool_keys()["keys"]
        return RSAAlgorithm.from_jwk(next(key for key in keys if key["kid"] == kid))

    def _get(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        if parts.path == "/keys":
            key = json.loads(RSAAlgorithm.to_jwk(self._key.public_key()))
            _answer(handler, {"keys": [{**key, "kid": "one", "alg": "RS256"}]})
        elif parts.path == "/course":
            address = html.escape(parse_qs(parts.query)["to"][0])
            _show(handler, f'<main><a href="{address}">Games</a></main>')
        elif parts.path == "/auth":
            _show(handler, self._launch_page(handler.path))
        elif not self._is_authorised(handler):
            _answer(handler, {}, status=401)
        elif parts.path.endswith("/results"):
            self._give_results(handler, parts.path.removesuffix("results") + "scores")
        else:
            page = int(parse_qs(parts.query).get("PAGE", ["0"])[0])
            rows = self.members[page * _PAGE : (page + 1) * _PAGE]
            more = (page + 1) * _PAGE < len(self.members)
            link = {"Link": f'<{self.url}/Members?PAGE={page + 1}>; rel="next"'} if more else {}
            members: object = {"id": "x", "members": rows}
            answer = members if self.answers is None else self.answers
            _answer(handler, answer, headers=link)

    def _give_results(self, handler: BaseHTTPRequestHandler, path: str) -> None:
        """Answer with the latest points of each person, scaled to the column and cut."""
        latest = {
            score["userId"]: score for score in self.scores if urlsplit(score["path"]).path == path
        }
        results = [
            {
                "id": f"{self.url}{path}/{user}",
                "userId": user,
                "resultScore": min(
                    score["scoreGiven"] / score["scoreMaximum"] * self.column_maximum,
                    self.column_maximum,
                ),
                "resultMaximum": self.column_maximum,
            }
            for user, score in latest.items()
            if "scoreGiven" in score
        ]
        if self.has_results:
            _answer(handler, results)
        else:
            _answer(handler, {}, status=404)

    def _launch_page(self, address: str) -> str:
        """Return a page that sends the token by a form, as platforms do; here it has a button."""
        asked = parse_qs(urlsplit(address).query)
        claims = self.people[asked["login_hint"][0]]
        fields = "".join(
            f'<input type="hidden" name="{name}" value="{html.escape(value)}">'
            for name, value in self.launch_token(address, **claims).items()
        )
        action = html.escape(asked["redirect_uri"][0])
        form = f'<form method="post" action="{action}">{fields}<button>Continue</button></form>'
        return f"<main>{form}</main>"

    def _post(self, handler: BaseHTTPRequestHandler) -> None:
        body = handler.rfile.read(int(handler.headers["Content-Length"])).decode()
        if handler.path == "/token":
            self._give_token(handler, parse_qs(body))
        elif handler.path == "/return":
            self.links += self.read(parse_qs(body)["JWT"][0])[_DEEP + "content_items"]
            _show(handler, "<main>The link was added.</main>")
        elif not self._is_authorised(handler):
            _answer(handler, {}, status=401)
        elif self.fails_with is not None:
            _answer(handler, self.refusal, status=self.fails_with)
        else:
            self.scores.append({**json.loads(body), "path": handler.path})
            _answer(handler, {})

    def _give_token(self, handler: BaseHTTPRequestHandler, form: dict[str, list[str]]) -> None:
        claims = self.read(form["client_assertion"][0])
        assert claims["iss"] == claims["sub"] == self.client_id
        assert claims["aud"] == f"{self.url}/token"
        if self.token_answer is not None:
            _answer(handler, self.token_answer)
            return
        token = uuid4().hex
        self._tokens.add(f"Bearer {token}")
        _answer(handler, {"access_token": token, "token_type": "Bearer", "expires_in": 3600})

    def _is_authorised(self, handler: BaseHTTPRequestHandler) -> bool:
        return handler.headers.get("Authorization") in self._tokens


def _answer(
    handler: BaseHTTPRequestHandler,
    body: object,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> None:
    _send(handler, json.dumps(body), "application/json", status, headers)


def _show(handler: BaseHTTPRequestHandler, page: str) -> None:
    _send(handler, f"<!doctype html><title>Platform</title>{page}", "text/html", 200, None)


def _send(
    handler: BaseHTTPRequestHandler,
    text: str,
    content_type: str,
    status: int,
    headers: dict[str, str] | None,
) -> None:
    content = text.encode()
    handler.send_response(status)
    handler.send_header("Content-Type", content_type)
    handler.send_header("Content-Length", str(len(content)))
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(content)
