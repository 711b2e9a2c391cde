"""Views of similar sources: the ranked pairs, a pair side by side, all sources as one archive."""

from typing import Any, Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page

from webapp.grading.similarity import archive, selectors, services
from webapp.grading.similarity.pairing import most_programs
from webapp.grading.submissions.models import Submission
from webapp.pages.http import (
    assignment_context,
    chosen_id,
    current_user,
    run_with_message,
    signed_in,
    streamed,
    viewer_of,
)
from webapp.pages.lookup import staff_assignment
from webapp.pages.watching import answer, watch_state
from webapp.teaching.courses.last_dates import last_ends_at
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.rights import Right

PAIRS_PER_PAGE: Final = 50
_WATCH_SECONDS: Final = 3


def assignment_of(request: HttpRequest, course_slug: str, slug: str) -> Assignment:
    """Return the assignment. Raises Http404, and NotAllowed without the right."""
    assignment = staff_assignment(request, course_slug, slug)
    viewer_of(request, assignment.course).require_right(Right.INTEGRITY)
    return assignment


def context_of(request: HttpRequest, assignment: Assignment) -> dict[str, Any]:
    """Return the values of the list of pairs."""
    user = current_user(request)
    comparison = selectors.latest(assignment)
    pairs = selectors.pairs_seen_by(user, comparison) if comparison else ()
    page = Paginator(pairs, PAIRS_PER_PAGE).get_page(request.GET.get("page"))
    under_way = assignment.source_comparisons.filter(finished_at__isnull=True).first()
    state = () if under_way is None else (under_way.pk, under_way.done)
    address = reverse("similarity:live", args=[assignment.course.slug, assignment.slug])
    return {
        **assignment_context(assignment),
        "comparison": comparison,
        "under_way": under_way,
        "watch": watch_state(address, state, seconds=_WATCH_SECONDS),
        "page": page,
        "path": reverse("similarity:similarity", args=[assignment.course.slug, assignment.slug]),
        "hidden": comparison.pairs.count() - page.paginator.count if comparison else 0,
        "unread": selectors.notes_of(comparison) if comparison else [],
        "left_out": selectors.left_out_of(comparison) if comparison else [],
        "most": most_programs(len(comparison.own)) if comparison else 0,
        "is_due": timezone.now() >= assignment.due_at,
        "last_ends_at": last_ends_at(assignment),
        "now": timezone.now(),
    }


@signed_in("GET")
def similarity(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """List the pairs with passages in common, the most similar first."""
    assignment = assignment_of(request, course_slug, assignment_slug)
    return render(request, "similarity/similarity.html", context_of(request, assignment))


@signed_in("GET")
@never_cache
def live(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """The list alone: it asks for itself again while a comparison is under way."""
    context = context_of(request, assignment_of(request, course_slug, assignment_slug))
    return answer(
        request, context["watch"], lambda: render(request, "similarity/_live.html", context)
    )


@signed_in("POST")
def compare(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Compare the sources that count now."""
    assignment = assignment_of(request, course_slug, assignment_slug)
    run_with_message(
        request,
        lambda: services.start_comparison(assignment=assignment, by=current_user(request)),
        done="The sources are being compared. You can leave this page.",
    )
    return redirect("similarity:similarity", course_slug, assignment_slug)


@signed_in("GET")
@gzip_page
def pair(request: HttpRequest, course_slug: str, assignment_slug: str, place: int) -> HttpResponse:
    """Show two programs side by side, with the lines that they share."""
    assignment = assignment_of(request, course_slug, assignment_slug)
    comparison = selectors.latest(assignment)
    user = current_user(request)
    if comparison is None:
        raise Http404("Nothing has been compared here.")
    chosen = get_object_or_404(selectors.pairs_seen_by(user, comparison), place=place)
    services.note_opened(pair=chosen, by=user)
    left, right, blocks = selectors.sides_of(chosen)
    context = {
        **assignment_context(assignment),
        "pair": chosen,
        "sides": [("a", left, chosen.first_share), ("b", right, chosen.second_share)],
        "blocks": blocks,
    }
    return render(request, "similarity/pair.html", context)


@signed_in("GET")
def sources(request: HttpRequest, course_slug: str, assignment_slug: str) -> StreamingHttpResponse:
    """Send all sources that count now as one archive."""
    assignment = assignment_of(request, course_slug, assignment_slug)
    return _sent(request, assignment, archive.submissions_of(assignment))


@signed_in("GET")
def chosen_sources(
    request: HttpRequest, course_slug: str, assignment_slug: str
) -> HttpResponseBase:
    """Send the sources of the teams that the address names."""
    assignment = assignment_of(request, course_slug, assignment_slug)
    wanted = {chosen_id(text) for text in request.GET.getlist("team")}
    if not wanted:
        messages.warning(request, "Choose teams first.")
        return redirect("evaluations:staff", course_slug, assignment_slug)
    counted = archive.submissions_of(assignment)
    return _sent(request, assignment, [one for one in counted if one.team_id in wanted])


def _sent(
    request: HttpRequest, assignment: Assignment, submissions: list[Submission]
) -> StreamingHttpResponse:
    services.note_download(
        assignment=assignment, by=current_user(request), submissions=len(submissions)
    )
    name = f"{assignment.course.slug}-{assignment.slug}-sources.zip"
    return streamed(archive.zipped(submissions), name=name)
