"""Pages of instructors on learning platforms: links, people, points."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grader.core.words import counted
from webapp.lti import scores
from webapp.lti.models import LinkedAssignment
from webapp.lti.roster import COLUMNS, people_of
from webapp.pages.contexts import assignment_context, course_context
from webapp.pages.http import current_user, run_with_message
from webapp.pages.lookup import (
    instructors_assignment,
    instructors_course,
    visible_assignment,
    visible_course,
)

__all__ = ["again", "keep", "platforms", "points", "read_people", "send"]


@login_required
@require_GET
def platforms(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Show the courses of platforms that open this one, and their links to assignments."""
    course = instructors_course(request, course_slug)
    links = LinkedAssignment.objects.filter(linked_course__course=course)
    context = {
        **course_context(course),
        "linked_courses": course.linked_courses.select_related("platform", "linked_by"),
        "links": links.select_related("assignment", "linked_course__platform"),
    }
    return render(request, "lti/platforms.html", context)


@login_required
@require_POST
def read_people(request: HttpRequest, course_slug: str, pk: int) -> HttpResponse:
    """Read the platform's list of people, and lead on to the import's preview."""
    course, by = visible_course(request, course_slug), current_user(request)
    linked = get_object_or_404(course.linked_courses.select_related("platform", "course"), pk=pk)
    if (people := run_with_message(request, lambda: people_of(linked, by=by))) is None:
        return redirect("lti:platforms", course.slug)
    table, left_out = people
    context = {
        **course_context(course),
        "linked": linked,
        "table": table,
        "n_people": table.count("\r\n") - 1,
        "left_out": left_out,
        "columns": COLUMNS,
    }
    return render(request, "lti/people.html", context)


@login_required
@require_http_methods(["GET"])
def points(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Show which points platforms have, which wait, and which platforms refused."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    failed = scores.failed_scores(assignment)
    context = {
        **assignment_context(assignment),
        "links": list(scores.links_of(assignment)),
        "failed": failed[:200],
        "n_failed": failed.count(),
    }
    return render(request, "lti/points.html", context)


@login_required
@require_POST
def send(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Send the points that platforms do not have yet."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    by = current_user(request)
    queued = run_with_message(request, lambda: scores.send_scores(assignment=assignment, by=by))
    if queued:
        messages.success(request, f"Points of {counted(queued, 'student')} are being sent.")
    elif queued is not None:
        messages.success(request, _WAITING if scores.has_waiting(assignment) else _NOTHING)
    return redirect("lti:points", course_slug, assignment_slug)


_WAITING = "Nothing has changed: the points that the platform does not have wait to be sent."
_NOTHING = "The platform already has all points that students see."


@login_required
@require_POST
def again(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Send points again that were given up."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    by = current_user(request)
    run_with_message(
        request,
        lambda: scores.send_again(assignment=assignment, by=by),
        done="The points are being sent again.",
    )
    return redirect("lti:points", course_slug, assignment_slug)


@login_required
@require_POST
def keep(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Switch the automatic sending of points on or off."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    by, keeps = current_user(request), request.POST.get("keeps") == "yes"
    run_with_message(
        request,
        lambda: scores.set_keeps_sending(assignment=assignment, by=by, keeps=keeps),
        done="New points will be sent automatically."
        if keeps
        else "New points will be sent only when you ask.",
    )
    return redirect("lti:points", course_slug, assignment_slug)
