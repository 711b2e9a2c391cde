"""The runbook's proxy, nginx, in front of the site's pages: https, headers, limits."""

import os
import shutil
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.test import override_settings
from waitress.wasyncore import close_all

from tests.support import runbook
from tests.support.certificates import certify
from tests.support.processes import PATIENCE_SECONDS, Program, free_port, wait_until
from webapp.base.connections import Server

pytestmark = pytest.mark.slow  # make test-fast needs no nginx

ROOT = Path(__file__).parents[2]
CONFIGURATION = (ROOT / "deploy" / "nginx" / "firebox.conf").read_text()
DEBIANS = Path("/etc/nginx/nginx.conf")
NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
PAGE = "/accounts/sign-in/"
AT_ONCE: Final = 20
"""The limit on requests under way from one address, where the file says 500."""
FORGED = {
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Proto": "http",
    "X-Forwarded-Host": "elsewhere.example",
    "X-Request-ID": "named-by-the-client",
    "Forwarded": "for=203.0.113.9",
}


@dataclass
class Proxied:
    """The proxy's ports, and what reached the site behind it."""

    https: int
    http: int
    context: ssl.SSLContext
    requests: list[dict[str, Any]] = field(default_factory=list)

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> HTTPResponse:
        connection = HTTPSConnection("localhost", self.https, context=self.context, timeout=30)
        with closing(connection):
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            response.read()
        return response

    def connect(self) -> ssl.SSLSocket:
        plain = socket.create_connection(("127.0.0.1", self.https), timeout=30)
        return self.context.wrap_socket(plain, server_hostname="localhost")

    def seen(self, path: str) -> list[dict[str, Any]]:
        return [request for request in self.requests if request["PATH_INFO"] == path]


@contextmanager
def site(port: int, requests: list[dict[str, Any]]) -> Iterator[None]:
    answer = WSGIHandler()

    def noting(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        requests.append(dict(environ))
        return answer(environ, start_response)

    with socket.create_server(("127.0.0.1", port)) as listener:
        options = {"threads": 1, "max_request_body_size": 34 << 20, "asyncore_use_poll": True}
        server = Server(
            noting,
            connections=50,
            sockets=[listener],
            clear_untrusted_proxy_headers=False,
            **options,
        )
        running = threading.Event()
        running.set()

        def serve() -> None:
            while running.is_set():
                server.asyncore.loop(timeout=0.05, map=server._map, use_poll=True, count=1)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            running.clear()
            thread.join(PATIENCE_SECONDS)
            server.task_dispatcher.shutdown()
            close_all(server._map)  # with connections whose end it has not noticed


@contextmanager
def nginx(directory: Path, ports: dict[str, int]) -> Iterator[None]:
    """nginx as the runbook sets it up, on other ports and in another directory."""
    directory.joinpath("conf.d").mkdir()
    certify(directory / "fullchain.pem", directory / "privkey.pem")
    lines = runbook.block("nginx -t")
    (name,) = (line for line in lines if line.startswith("sed "))
    placed = name.replace("/NAME/", "/localhost/").replace("/etc/nginx", str(directory))
    runbook.run(placed, ROOT)
    own = directory / "conf.d" / "firebox.conf"
    text = own.read_text().replace("/etc/letsencrypt/live/localhost", str(directory))
    for standard, port in ports.items():
        text = text.replace(f" {standard}", f" {port}").replace(f":{standard}", f":{port}")
    own.write_text(text.replace("firebox 500", f"firebox {AT_ONCE}"))
    main = directory / "nginx.conf"
    main.write_text(debians(directory))
    runbook.run(f"{NGINX} -t -c {main}", directory)
    command = [NGINX, "-c", str(main), "-g", "daemon off;"]
    program = Program("nginx", command, os.environ, directory)
    program.start()
    try:
        yield
    finally:
        program.stop()


def debians(directory: Path) -> str:
    """The package's own configuration, which reads ``conf.d``, with everything in a directory."""
    temporary = [f"{kind}_temp_path {directory}/{kind};" for kind in ("client_body", "proxy")]
    temporary += [f"{kind}_temp_path {directory}/{kind};" for kind in ("fastcgi", "uwsgi", "scgi")]
    return (
        DEBIANS.read_text()
        .replace("user www-data;", "user root;" if os.geteuid() == 0 else "")
        .replace("/run/nginx.pid", f"{directory}/nginx.pid")
        .replace("/var/log/nginx", str(directory))
        .replace("worker_processes auto", "worker_processes 1")
        .replace("/etc/nginx/conf.d", f"{directory}/conf.d")
        .replace("include /etc/nginx/sites-enabled/*;", "\n".join(temporary))
    )


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    directory = tmp_path_factory.mktemp("nginx")
    ports = {standard: free_port() for standard in ("8000", "443", "80")}
    production = {
        "PROXIES": 1,
        "SECURE_SSL_REDIRECT": True,
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
        "SECURE_HSTS_SECONDS": 3600,
        "CSRF_COOKIE_SECURE": True,
        "ALLOWED_HOSTS": ["localhost"],
        "STATIC_ROOT": tmp_path_factory.mktemp("static"),
        "STORAGES": {
            **settings.STORAGES,
            "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
        },
    }
    with ExitStack() as stack:
        stack.enter_context(override_settings(**production))
        requests: list[dict[str, Any]] = []
        stack.enter_context(site(ports["8000"], requests))
        stack.enter_context(nginx(directory, ports))
        context = ssl.create_default_context(cafile=str(directory / "fullchain.pem"))
        found = Proxied(ports["443"], ports["80"], context, requests)
        wait_until(lambda: is_open(found.https), why="nginx does not listen")
        yield found


def is_open(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_a_page_by_https_is_secure(proxied: Proxied) -> None:
    response = proxied.ask("GET", PAGE)
    assert response.status == 200
    assert response.headers["Strict-Transport-Security"].startswith("max-age=3600")
    assert "Secure" in response.headers["Set-Cookie"]
    assert response.headers["Server"] == "nginx"


def test_a_page_by_http_leads_to_https(proxied: Proxied) -> None:
    with closing(HTTPConnection("localhost", proxied.http, timeout=30)) as connection:
        connection.request("GET", f"{PAGE}?next=/")
        response = connection.getresponse()
        assert response.status == 301
        assert response.headers["Location"] == f"https://localhost{PAGE}?next=/"


def test_tls_1_3_is_used_tls_1_1_refused_and_http_2_offered(proxied: Proxied) -> None:
    proxied.context.set_alpn_protocols(["h2", "http/1.1"])
    try:
        with proxied.connect() as client:
            assert client.version() == "TLSv1.3"
            assert client.selected_alpn_protocol() == "h2"
    finally:
        proxied.context.set_alpn_protocols(["http/1.1"])
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
    with (
        socket.create_connection(("127.0.0.1", proxied.https)) as plain,
        pytest.raises(ssl.SSLError, match="PROTOCOL_VERSION"),
    ):
        old.wrap_socket(plain)


def test_headers_in_which_a_client_claims_an_address_are_replaced(proxied: Proxied) -> None:
    path = f"{PAGE}claims"
    response = proxied.ask("GET", path, **FORGED)
    (request,) = proxied.seen(path)
    assert request["HTTP_X_FORWARDED_FOR"] == "127.0.0.1"
    assert request["HTTP_X_FORWARDED_PROTO"] == "https"
    assert request["HTTP_HOST"] == "localhost"
    assert not {"HTTP_X_FORWARDED_HOST", "HTTP_FORWARDED"} & request.keys()
    assert response.headers["X-Request-ID"] == request["HTTP_X_REQUEST_ID"] != "named-by-the-client"


@pytest.mark.parametrize("path", ["/metrics", "//metrics", "/%6detrics", "/x/../metrics?a=b"])
def test_metrics_are_closed_to_the_public(proxied: Proxied, path: str) -> None:
    assert proxied.ask("GET", path).status == 403
    assert not [each for each in proxied.requests if "metrics" in each["PATH_INFO"]]


def test_a_body_beyond_any_upload_never_reaches_the_site(proxied: Proxied) -> None:
    large = bytes(3 << 20)
    path = f"{PAGE}large"
    assert proxied.ask("POST", path, large).status == 413
    assert proxied.seen(path) == []
    assert proxied.ask("POST", "/import-course/", large).status == 403  # no token of a form
    assert len(proxied.seen("/import-course/")) == 1


def test_a_slow_body_reaches_the_site_when_it_is_complete(proxied: Proxied) -> None:
    path = f"{PAGE}slow"
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n"
    with proxied.connect() as client:
        client.sendall(head.encode() + bytes(99_999))
        proxied.ask("GET", f"{PAGE}meanwhile")
        assert proxied.seen(f"{PAGE}meanwhile")
        assert proxied.seen(path) == []
        client.sendall(b"\0")
        assert client.recv(12) == b"HTTP/1.1 404"  # there is no such page
    (request,) = proxied.seen(path)
    assert request["CONTENT_LENGTH"] == "100000"


def test_requests_at_the_same_time_are_limited_by_address(proxied: Proxied) -> None:
    head = f"POST {PAGE} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n".encode()
    with ExitStack() as stack:
        for _ in range(AT_ONCE):
            stack.enter_context(proxied.connect()).sendall(head)
        wait_until(lambda: proxied.ask("GET", PAGE).status == 429, why="no request is refused")
    wait_until(lambda: proxied.ask("GET", PAGE).status == 200, why="it is never answered again")


def test_the_proxys_limits_of_bodies_follow_from_the_sites_settings() -> None:
    example = (ROOT / "deploy" / "env.example").read_text()
    limits = {
        "FIREBOX_MAX_UPLOAD_MIB": 1,
        "FIREBOX_MAX_ARCHIVE_MIB": 50,
        "FIREBOX_MAX_IMPORT_MIB": 32,
    }
    for name, most in limits.items():
        assert f"client_max_body_size {most + 1}m; # {name} + 1" in CONFIGURATION
        assert f"#{name}={most}\n" in example


def test_compose_serves_the_site_on_the_port_that_the_proxy_asks() -> None:
    assert CONFIGURATION.count("proxy_pass http://127.0.0.1:8000;") == 4
    assert '"127.0.0.1:8000:8000"' in (ROOT / "deploy" / "compose.yaml").read_text()
    assert "nginx/firebox.conf" in (ROOT / "deploy" / "compose.yaml").read_text()
