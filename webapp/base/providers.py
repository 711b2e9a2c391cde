"""Providers of sign-ins: a university's identity provider, as operators describe it in settings."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

Kind = Literal["openid_connect", "saml"]
_ID: Final = re.compile(r"[a-z0-9-]{1,30}")
_TEXTS: Final[Mapping[Kind, tuple[str, ...]]] = {
    "openid_connect": ("id", "name", "server_url", "client_id", "secret"),
    "saml": ("id", "name", "entity_id", "sso_url", "certificate"),
}
"""Keys that each kind needs, all of them text."""
_OPTIONAL: Final[Mapping[Kind, tuple[str, ...]]] = {
    "openid_connect": ("domains",),
    "saml": ("domains", "attributes"),
}
_SETTINGS: Final[Mapping[Kind, str]] = {
    "openid_connect": "FIREBOX_OIDC_PROVIDERS",
    "saml": "FIREBOX_SAML_PROVIDERS",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """One provider, and the addresses that it is believed about."""

    id: str
    """In addresses of this site, and with each identity that is joined to an account."""
    name: str
    """The name on its button."""
    kind: Kind
    domains: tuple[str, ...]
    """Domains whose addresses count as verified, though the provider does not say that they are."""
    values: Mapping[str, Any]
    """The operator's settings."""

    @property
    def login_view(self) -> str:
        """The URL name of the view that leads to it."""
        return f"{self.kind}_login"

    def trusts(self, email: str) -> bool:
        """Return whether the provider owns the domain of this address."""
        return email.lower().rpartition("@")[2] in self.domains


def read_providers(kind: Kind, rows: object) -> tuple[Provider, ...]:
    """Return the providers that a setting describes. Raises ImproperlyConfigured."""
    if not isinstance(rows, list):
        raise ImproperlyConfigured(f"{_SETTINGS[kind]} must be a JSON list of objects.")
    providers = tuple(_read(kind, row) for row in rows)
    if len({provider.id for provider in providers}) < len(providers):
        raise ImproperlyConfigured(f"{_SETTINGS[kind]}: two providers have the same id.")
    return providers


def _read(kind: Kind, row: object) -> Provider:
    if not isinstance(row, dict):
        raise ImproperlyConfigured(f"{_SETTINGS[kind]} must be a JSON list of objects.")
    wrong = _errors(kind, row)
    if wrong:
        raise ImproperlyConfigured(f"{_SETTINGS[kind]}, {row.get('id', '?')}: {wrong[0]}")
    domains = tuple(domain.lower().lstrip("@") for domain in row.get("domains", []))
    return Provider(id=row["id"], name=row["name"], kind=kind, domains=domains, values=row)


def _errors(kind: Kind, row: Mapping[str, Any]) -> list[str]:
    known = {*_TEXTS[kind], *_OPTIONAL[kind]}
    wrong = [f"unknown key {name!r}" for name in row if name not in known]
    wrong += [
        f"{name!r} must be a text that is not empty"
        for name in _TEXTS[kind]
        if not isinstance(row.get(name), str) or not row[name].strip()
    ]
    if not _ID.fullmatch(str(row.get("id", ""))):
        wrong.append("'id' must be of lower-case letters, digits and hyphens")
    if not _is_list_of_text(row.get("domains", [])):
        wrong.append("'domains' must be a list of domains")
    address = str(row.get("server_url" if kind == "openid_connect" else "sso_url", ""))
    if not _is_safe(address):
        wrong.append(f"{address!r} must begin with https://")
    return wrong


def _is_list_of_text(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(entry, str) for entry in value)


def _is_safe(address: str) -> bool:
    """Return whether answers cannot be changed on the way: https, or this very machine."""
    parts = urlsplit(address)
    return parts.scheme == "https" or parts.hostname in {"localhost", "127.0.0.1", "::1"}


def allauth_settings(providers: Sequence[Provider]) -> dict[str, Any]:
    """Return ``SOCIALACCOUNT_PROVIDERS`` for django-allauth."""
    makers = {"openid_connect": _openid_app, "saml": _saml_app}
    apps: dict[str, list[dict[str, Any]]] = {kind: [] for kind in makers}
    for provider in providers:
        apps[provider.kind].append(makers[provider.kind](provider))
    return {kind: {"APPS": rows} for kind, rows in apps.items()}


def _openid_app(provider: Provider) -> dict[str, Any]:
    return {
        "provider_id": provider.id,
        "name": provider.name,
        "client_id": provider.values["client_id"],
        "secret": provider.values["secret"],
        "settings": {
            "server_url": provider.values["server_url"],
            "oauth_pkce_enabled": True,
        },
    }


_ATTRIBUTES: Final[Mapping[str, Sequence[str]]] = {
    "uid": [
        "urn:oasis:names:tc:SAML:attribute:subject-id",
        "urn:oasis:names:tc:SAML:attribute:pairwise-id",
        "urn:oid:1.3.6.1.4.1.5923.1.1.1.6",  # eduPersonPrincipalName
    ],
    "email": [
        "urn:oid:0.9.2342.19200300.100.1.3",
        "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
        "mail",
    ],
    "name": [
        "urn:oid:2.16.840.1.113730.3.1.241",  # displayName
        "http://schemas.microsoft.com/identity/claims/displayname",
        "displayName",
    ],
    "first_name": [
        "urn:oid:2.5.4.42",
        "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/givenname",
    ],
    "last_name": [
        "urn:oid:2.5.4.4",
        "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/surname",
    ],
}
"""Attributes of eduGAIN's providers (subject identifiers, eduPerson) and of Entra ID."""


def _saml_app(provider: Provider) -> dict[str, Any]:
    certificate = re.sub(r"-----[A-Z ]+-----|\s", "", provider.values["certificate"])
    return {
        "provider_id": provider.id,
        "name": provider.name,
        "client_id": provider.id,
        "settings": {
            "attribute_mapping": {**_ATTRIBUTES, **provider.values.get("attributes", {})},
            "idp": {
                "entity_id": provider.values["entity_id"],
                "sso_url": provider.values["sso_url"],
                "x509cert": certificate,
            },
            "advanced": {
                "want_assertion_signed": True,
                "want_name_id": True,
                "reject_idp_initiated_sso": True,
                "strict": True,
            },
        },
    }
