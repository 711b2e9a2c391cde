"""A SAML identity provider with a key pair of its own: reads requests, signs responses."""

import html
import threading
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4
from xml.etree.ElementTree import Element, fromstring

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from onelogin.saml2.utils import OneLogin_Saml2_Utils

SUBJECT: Final = "urn:oasis:names:tc:SAML:attribute:subject-id"
MAIL: Final = "urn:oid:0.9.2342.19200300.100.1.3"
NAME: Final = "urn:oid:2.16.840.1.113730.3.1.241"
_ISSUER: Final = "{urn:oasis:names:tc:SAML:2.0:assertion}Issuer"
_RESPONSE: Final = """<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"
 xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{response}" Version="2.0"
 IssueInstant="{now}" Destination="{acs}"{reply}><saml:Issuer>{issuer}</saml:Issuer>
<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>
{assertion}</samlp:Response>"""
_ASSERTION: Final = """<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"
 ID="{id}" Version="2.0" IssueInstant="{now}"><saml:Issuer>{issuer}</saml:Issuer><saml:Subject>
<saml:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:transient">{id}</saml:NameID>
<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
<saml:SubjectConfirmationData NotOnOrAfter="{until}" Recipient="{acs}"{reply}/>
</saml:SubjectConfirmation></saml:Subject>
<saml:Conditions NotBefore="{since}" NotOnOrAfter="{until}"><saml:AudienceRestriction>
<saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>
<saml:AuthnStatement AuthnInstant="{now}" SessionIndex="{id}"><saml:AuthnContext>
<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>
</saml:AuthnContext></saml:AuthnStatement>
<saml:AttributeStatement>{attributes}</saml:AttributeStatement></saml:Assertion>"""
_ATTRIBUTE: Final = (
    '<saml:Attribute Name="{name}"><saml:AttributeValue>{value}</saml:AttributeValue>'
    "</saml:Attribute>"
)


class SamlProvider:
    """A provider that answers a request as the person that the test chooses."""

    entity_id = "https://idp.uni.example/entity"
    sso_url = "https://idp.uni.example/sso"

    @cached_property
    def _key(self) -> rsa.RSAPrivateKey:
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)

    @cached_property
    def certificate(self) -> str:
        """The certificate that its metadata would name, as PEM."""
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "idp.uni.example")])
        now = datetime.now(UTC)
        built = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(self._key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=30))
            .sign(self._key, hashes.SHA256())
        )
        return built.public_bytes(serialization.Encoding.PEM).decode()

    def respond(
        self,
        address: str,
        *,
        is_signed: bool = True,
        is_asked_for: bool = True,
        minutes: int = 5,
        audience: str = "",
        **attributes: str,
    ) -> str:
        """Return the form field that answers the request in the address."""
        request = _request_in(address)
        now = datetime.now(UTC)
        asked = f' InResponseTo="{request.get("ID")}"' if is_asked_for else ""
        issuer = request.find(_ISSUER)
        assert issuer is not None
        values = {
            "now": _text(now),
            "since": _text(now - timedelta(minutes=10)),
            "until": _text(now + timedelta(minutes=minutes)),
            "acs": request.get("AssertionConsumerServiceURL"),
            "issuer": self.entity_id,
            "reply": asked,
        }
        names = {"subject": SUBJECT, "mail": MAIL, "name": NAME}
        rows = [_ATTRIBUTE.format(name=names[key], value=text) for key, text in attributes.items()]
        assertion = _ASSERTION.format(
            id=f"_{uuid4().hex}",
            audience=audience or issuer.text,
            attributes="".join(rows),
            **values,
        )
        if is_signed:
            assertion = self._signed(assertion)
        response = _RESPONSE.format(response=f"_{uuid4().hex}", assertion=assertion, **values)
        return b64encode(response.encode()).decode()

    def _signed(self, xml: str) -> str:
        key = self._key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        signed: bytes = OneLogin_Saml2_Utils.add_sign(
            xml,
            key.decode(),
            self.certificate,
            sign_algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
            digest_algorithm="http://www.w3.org/2001/04/xmlenc#sha256",
        )
        return signed.decode()


class ServedSamlProvider(SamlProvider):
    """Serves a page to browsers, with a button for each of its people, that signs in to the site.

    Its address is of another host than the site's, as a university's is: browsers keep cookies of
    the site from what its page sends.
    """

    def __init__(self, people: Mapping[str, Mapping[str, str]]) -> None:
        """Choose a port; ``people``: attributes by name. Nothing is served yet."""
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                page = provider._page(self.path).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_: Any) -> None:
                """Say nothing."""

        self._people = people
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.sso_url = f"http://127.0.0.1:{self._server.server_port}/sso"

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _page(self, address: str) -> str:
        asked = parse_qs(urlsplit(address).query)
        if "SAMLRequest" not in asked:
            return "<!DOCTYPE html><title>Nothing here</title>"
        acs = _request_in(address).get("AssertionConsumerServiceURL") or ""
        state = html.escape(asked.get("RelayState", [""])[0])
        forms = [
            f'<form method="post" action="{html.escape(acs)}">'
            f'<input type="hidden" name="SAMLResponse" value="{self.respond(address, **person)}">'
            f'<input type="hidden" name="RelayState" value="{state}"><button>{name}</button></form>'
            for name, person in self._people.items()
        ]
        return f"<!DOCTYPE html><title>Your university</title><main>{''.join(forms)}</main>"


def _request_in(address: str) -> Element:
    (packed,) = parse_qs(urlsplit(address).query)["SAMLRequest"]
    return fromstring(zlib.decompress(b64decode(packed), -15))  # noqa: S314 - our own site's


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
