"""Platforms as PyLTI1p3 wants them: their addresses and keys, and the key of this site."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from pylti1p3.deployment import Deployment
from pylti1p3.exception import LtiException
from pylti1p3.registration import Registration
from pylti1p3.service_connector import ServiceConnector
from pylti1p3.tool_config import ToolConfAbstract
from requests.utils import parse_header_links

from webapp.flow.lti.models import Platform, ToolKey

SERVICE_ERRORS: Final = (
    LtiException,
    requests.RequestException,
    KeyError,
    TypeError,
    ValueError,
)
"""Raised for a platform's service that refuses, is not reached, or answers with something else.

The library reads a platform's tokens unchecked: the last three come from there."""
_MAX_PAGES: Final = 200
_SECONDS: Final = 10.0


class _Session(requests.Session):
    """Requests that end: the library sets no time limit."""

    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        options.setdefault("timeout", _SECONDS)
        return super().request(*arguments, **options)


def http_session() -> requests.Session:
    """Return a session for requests to a platform."""
    return _Session()


class RegisteredPlatforms(ToolConfAbstract):  # type: ignore[misc]  # a library without types
    """The platforms of the database. An issuer may have several client ids."""

    def check_iss_has_one_client(self, iss: str) -> bool:
        del iss
        return False

    def check_iss_has_many_clients(self, iss: str) -> bool:
        del iss
        return True

    def find_registration_by_issuer(self, iss: str, *_: Any, **__: Any) -> Registration | None:
        return registration_of(platform_of(iss, ""))

    def find_registration_by_params(
        self, iss: str, client_id: str, *_: Any, **__: Any
    ) -> Registration | None:
        return registration_of(platform_of(iss, client_id))

    def find_deployment(self, iss: str, deployment_id: str) -> Deployment | None:
        return self.find_deployment_by_params(iss, deployment_id, "")

    def find_deployment_by_params(
        self, iss: str, deployment_id: str, client_id: str, *_: Any, **__: Any
    ) -> Deployment | None:
        platform = platform_of(iss, client_id)
        if platform is None or deployment_id not in platform.deployments:
            return None
        return Deployment().set_deployment_id(deployment_id)


def platform_of(issuer: str, client_id: str) -> Platform | None:
    """Return the platform; without a client id, which is optional, the issuer's only one."""
    platforms = Platform.objects.filter(issuer=issuer, is_active=True)
    if client_id:
        platforms = platforms.filter(client_id=client_id)
    rows = list(platforms[:2])
    return rows[0] if len(rows) == 1 else None


def registration_of(platform: Platform | None) -> Registration | None:
    """Return the platform as the library wants it."""
    if platform is None:
        return None
    key = _private_key()
    registration = (
        Registration()
        .set_issuer(platform.issuer)
        .set_client_id(platform.client_id)
        .set_auth_login_url(platform.auth_login_url)
        .set_auth_token_url(platform.token_url)
        .set_key_set_url(platform.keys_url)
        .set_tool_private_key(_read(key))  # PyJWT would read the text for each signature
        .set_tool_public_key(_public_pem(key))
    )
    if platform.token_audience:
        registration.set_auth_audience(platform.token_audience)
    return registration


def connector_of(platform: Platform) -> ServiceConnector:
    """Return the client that gets tokens from the platform and calls its services."""
    return ServiceConnector(registration_of(platform), http_session())


def pages_of(connector: ServiceConnector, url: str, *, scope: str, accept: str) -> Iterator[Any]:
    """Yield the bodies of all pages of a list. Raises ``SERVICE_ERRORS``.

    The library writes the addresses of further pages in lower case, which some platforms refuse.
    """
    following: str | None = url
    for _ in range(_MAX_PAGES):
        if following is None:
            break
        answer = connector.make_service_request(
            [scope], following, accept=accept, case_insensitive_headers=True
        )
        yield answer["body"]
        links = parse_header_links(answer["headers"].get("Link", ""))
        following = next((link["url"] for link in links if link.get("rel") == "next"), None)


def public_keys() -> list[dict[str, Any]]:
    """Return this site's public keys, for platforms to check its signatures with."""
    _private_key()
    return [dict(Registration.get_jwk(_public_pem(key.private_pem))) for key in _keys()]


def _keys() -> list[ToolKey]:
    return list(ToolKey.objects.all()[:3])


def _private_key() -> str:
    keys = _keys()
    return keys[0].private_pem if keys else _made().private_pem


def _made() -> ToolKey:
    pem = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return ToolKey.objects.create(private_pem=pem.decode())


def _public_pem(private_pem: str) -> str:
    return (
        _read(private_pem)
        .public_key()
        .public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        .decode()
    )


@lru_cache(maxsize=3)
def _read(private_pem: str) -> PrivateKeyTypes:
    """Return a private key, ready to sign. To read it takes 50 ms, for it is checked."""
    return serialization.load_pem_private_key(private_pem.encode(), password=None)
