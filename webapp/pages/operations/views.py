"""Graders and queues for operators, and the probes of programs."""

import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from ipaddress import ip_address

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from grader.core.health import REPORT_SECONDS, RETRY_SECONDS
from grader.core.words import counted
from webapp.base.errors import Refused
from webapp.flow.metrics import exposition
from webapp.flow.resending import start_resending
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.graders import pausing
from webapp.grading.graders import services as keys
from webapp.grading.graders.models import GraderKey, GraderKeyQuerySet
from webapp.grading.jobs import broker
from webapp.grading.operations import selectors
from webapp.grading.operations.health import is_ready, last_signs, look
from webapp.grading.operations.models import Resending
from webapp.pages.confirming import Question, ask_first
from webapp.pages.http import current_user, require_operator, run_with_message, signed_in
from webapp.pages.text import printable
from webapp.people.accounts.throttling import client_address
from webapp.teaching.courses.unconfirmed import unconfirmed_staff


@signed_in("GET")
@never_cache
def graders(request: HttpRequest) -> HttpResponse:
    """Show the graders, their state, their keys, the site's own workers, and the queues."""
    require_operator(request)
    rows = selectors.graders()
    context = {
        "graders": rows,
        "troubled": [row for row in rows if row.report is not None and row.report.failed],
        "retry_seconds": RETRY_SECONDS,
        "report_seconds": REPORT_SECONDS,
        "keys": GraderKey.objects.select_related("admitted_by"),
        "signs": last_signs(),
        "site_skew": selectors.site_skew(),
        "queues": selectors.queues(rows),
        "lines": selectors.lines(rows),
        "aside": selectors.aside(),
        "pause": pausing.current_pause(),
        "unconfirmed": unconfirmed_staff(),
        "n_failed": Evaluation.objects.failed().count(),
        "resending": Resending.objects.under_way().last(),
        "nav": "graders",
    }
    return render(request, "operations/graders.html", context)


@signed_in("POST")
def admit(request: HttpRequest, key: int) -> HttpResponse:
    """Admit a grader: it takes work, and its reports are believed."""
    return _put_to_work(request, key, keys.admit, "admitted. It takes work")


@signed_in("POST")
def drain(request: HttpRequest, key: int) -> HttpResponse:
    """Make a grader finish its games, and take no new work."""
    grader = _grader(request, key)
    keys.drain(grader, by=current_user(request), at=timezone.now())
    with suppress(broker.BrokerError):  # repeated with every look for lost messages
        broker.dismiss(grader.public_key)
    return _done(request, f"{grader.name} takes no new work.")


@signed_in("POST")
def resume(request: HttpRequest, key: int) -> HttpResponse:
    """Have a drained grader take work again."""
    return _put_to_work(request, key, keys.resume, "takes work")


def _put_to_work(
    request: HttpRequest, key: int, service: Callable[..., None], done: str
) -> HttpResponse:
    grader = _grader(request, key)
    service(grader, by=current_user(request), at=timezone.now())
    _let_take_work(GraderKey.objects.filter(pk=key))
    when = "when all graders resume" if pausing.current_pause() else "within seconds"
    return _done(request, f"{grader.name} {done} {when}.")


@signed_in("POST")
def pause(request: HttpRequest) -> HttpResponse:
    """Make all graders finish their games, and take no new work."""
    require_operator(request)
    pausing.pause(by=current_user(request), at=timezone.now())
    with suppress(broker.BrokerError):  # repeated with every look for lost messages
        broker.dismiss(*GraderKey.objects.admitted().values_list("public_key", flat=True))
    return _done(request, "All graders are paused.")


@signed_in("POST")
def end_pause(request: HttpRequest) -> HttpResponse:
    """Have all graders take work again, except those that are drained."""
    require_operator(request)
    pausing.end_pause(by=current_user(request), at=timezone.now())
    _let_take_work(GraderKey.objects.all())
    return _done(request, "All graders that are not drained take work within seconds.")


@signed_in("GET", "POST")
def dismiss(request: HttpRequest, key: int) -> HttpResponse:
    """Dismiss a grader: it takes no more work, and its reports are refused."""
    grader = _grader(request, key)
    question = Question(
        title=f"Dismiss {printable(grader.name)}?",
        effects=(
            "It gets no more work, and its reports are refused.",
            "Games that it plays now are played again by other graders.",
        ),
        undoing="If the machine is still running, it will ask again, and you can admit it.",
        button="Dismiss grader",
        back=reverse("operations:graders"),
        nav="graders",
    )

    def act() -> None:
        keys.dismiss(grader, by=current_user(request))
        with suppress(broker.BrokerError):  # its reports are refused all the same
            broker.dismiss(grader.public_key)

    done = f"{grader.name} dismissed. Its reports are refused from now on."
    return ask_first(request, question, act, done=done)


def _done(request: HttpRequest, message: str) -> HttpResponse:
    messages.success(request, message)
    return redirect("operations:graders")


@signed_in("GET", "POST")
def forget_aside(request: HttpRequest) -> HttpResponse:
    """Delete the rejected messages, once it was asked for a second time."""
    require_operator(request)
    question = Question(
        title="Delete the rejected messages?",
        effects=("They are deleted for good. Games and grades do not change.",),
        button="Delete messages",
        back=reverse("operations:graders"),
        nav="graders",
    )
    return ask_first(request, question, _forget_aside, done="Rejected messages deleted.")


@signed_in("POST")
def requeue_failed(request: HttpRequest) -> HttpResponse:
    """Begin to send the missing games of all failed evaluations again."""
    require_operator(request)
    if resending := run_with_message(request, partial(start_resending, by=current_user(request))):
        _say_sent(request, resending)
    return redirect("operations:graders")


def _say_sent(request: HttpRequest, resending: Resending) -> None:
    if resending.finished_at is None:
        total = counted(resending.total, "evaluation")
        messages.success(request, f"{total} are being sent again.")
    else:
        messages.success(request, f"{counted(resending.sent, 'evaluation')} sent again.")


def _forget_aside() -> None:
    try:
        broker.forget_aside()
    except broker.BrokerError as error:
        raise Refused("The broker does not answer. Try again when it is back.") from error


def _grader(request: HttpRequest, key: int) -> GraderKey:
    require_operator(request)
    return get_object_or_404(GraderKey, pk=key)


def _let_take_work(graders: GraderKeyQuerySet) -> None:
    with suppress(broker.BrokerError):  # repeated with every look for lost messages
        broker.admit([grader.public_key for grader in graders.taking_work()])


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
    """Return Prometheus figures, for the token or the allowed networks."""
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
