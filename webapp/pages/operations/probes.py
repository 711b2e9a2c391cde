"""Pages for machines: is the site alive, can it serve, its metrics."""

import logging
from ipaddress import ip_address

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from webapp.flow.metrics import exposition
from webapp.grading.operations.health import is_ready, look
from webapp.people.accounts.throttling import client_address

__all__ = ["healthz", "metrics", "readyz"]

logger = logging.getLogger(__name__)


@require_GET
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Answer: this process does."""
    del request
    return HttpResponse("ok\n", content_type="text/plain")


@require_GET
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Tell which parts work; 503 if pages cannot be served. Why: only who may see figures."""
    findings = look()
    for finding in findings:
        if finding.fault:
            logger.warning("%s: %s", finding.part, finding.fault)
    if _may_see_figures(request):
        parts = {finding.part.value: finding.fault or "ok" for finding in findings}
    else:
        parts = {finding.part.value: "fault" if finding.fault else "ok" for finding in findings}
    ready = is_ready(findings)
    return JsonResponse({"ready": ready, "parts": parts}, status=200 if ready else 503)


@require_GET
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the figures in Prometheus' format, for requests with the token or from its
    networks."""
    if not _may_see_figures(request):
        raise Http404
    return HttpResponse(exposition(), content_type="text/plain; version=0.0.4; charset=utf-8")


def _may_see_figures(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "")
    if token and constant_time_compare(given, f"Bearer {token}"):
        return True
    try:
        address = ip_address(client_address(request))
    except ValueError:  # a proxy that writes names
        return False
    return any(address in network for network in settings.METRICS_NETWORKS)
