"""An address that says TLS is never spoken to in the clear."""

import socket
import threading
from urllib.parse import parse_qs, urlsplit

import pytest
from celery import Celery

from grader.broker.transport import broker_url
from grader.worker import tasks
from tests.support.processes import PATIENCE_SECONDS
from webapp.base.celery import app

CLIENT_HELLO = 0x16
"""The first byte of a TLS handshake (RFC 8446, section 5.1)."""


@pytest.mark.slow
@pytest.mark.parametrize("app", [app, tasks.app], ids=["site", "grader"])
def test_a_connection_to_rediss_begins_with_a_tls_handshake(app: Celery) -> None:
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def listen() -> None:
            client, _ = server.accept()
            with client, server:  # so that another try is refused
                heard.append(client.recv(4096))

        listener = threading.Thread(target=listen)
        listener.start()
        address = broker_url(f"rediss://site:s@127.0.0.1:{port}/0")
        with (
            app.connection_for_write(url=address) as connection,
            pytest.raises(connection.connection_errors),  # nobody answers the handshake
        ):
            connection.connect()
        listener.join(timeout=PATIENCE_SECONDS)
    assert heard[0][0] == CLIENT_HELLO


@pytest.mark.parametrize(
    ("address", "checks"),
    [
        ("rediss://site:s@host/0", "required"),
        ("rediss://site:s@host/0?ssl_ca_certs=/ca.pem", "required"),
        ("rediss://site:s@host/0?ssl_cert_reqs=none", "none"),
    ],
)
def test_the_certificate_is_checked_unless_the_address_says_otherwise(
    address: str, checks: str
) -> None:
    assert parse_qs(urlsplit(broker_url(address)).query)["ssl_cert_reqs"] == [checks]


def test_an_address_without_tls_is_not_changed() -> None:
    assert broker_url("redis://site:s@host:6379/0") == "redis://site:s@host:6379/0"
