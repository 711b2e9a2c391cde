"""Headers of proxies: believed when the site's own proxy sent them, from nobody else."""

from ipaddress import ip_network

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from webapp.base.middleware import forwarded_headers

GIVEN = {
    "X-Forwarded-For": "203.0.113.9",
    "X-Forwarded-Proto": "https",
    "X-Request-ID": "given-by-the-proxy",
}


def passed_on(address: str) -> HttpRequest:
    """A request with the headers, as views get it."""
    request = RequestFactory().get("/", REMOTE_ADDR=address, headers=GIVEN)
    forwarded_headers(lambda _: HttpResponse())(request)
    return request


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "::1", "::ffff:127.0.0.1", "10.0.0.2", "::ffff:10.0.0.2"]
)
def test_headers_of_a_proxy_on_this_host_or_that_the_site_is_told_of_are_believed(
    settings: Settings, address: str
) -> None:
    told = [*settings.PROXY_NETWORKS, ip_network("10.0.0.2/32")]
    settings.PROXIES, settings.PROXY_NETWORKS = 1, told
    headers = passed_on(address).headers
    assert {name: headers.get(name) for name in GIVEN} == GIVEN


@pytest.mark.parametrize(
    "address",
    ["203.0.113.1", "2001:db8::1", "::ffff:203.0.113.1", "", "10.0.0.3", "172.20.0.4", "fd00::1"],
)
def test_headers_from_elsewhere_are_dropped_and_the_log_says_so(
    settings: Settings, caplog: pytest.LogCaptureFixture, address: str
) -> None:
    settings.PROXIES = 1
    headers = passed_on(address).headers
    assert not any(name in headers for name in GIVEN)
    assert f"dropped the forwarded headers of {address}" in caplog.text


def test_without_trusted_proxies_forwarded_headers_are_ignored(settings: Settings) -> None:
    settings.PROXIES = 0
    headers = passed_on("127.0.0.1").headers
    assert not any(name in headers for name in GIVEN)
