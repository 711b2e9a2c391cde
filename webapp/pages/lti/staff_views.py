"""Pages of instructors on learning platforms: links, people, points."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from grader.core.words import counted
from webapp.flow.lti import scores
from webapp.flow.lti.models import LinkedAssignment
from webapp.flow.lti.points import maximum_of
from webapp.flow.lti.roster import COLUMNS, people_of
from webapp.pages.http import (
    assignment_context,
    course_context,
    current_user,
    is_saved,
    run_with_message,
    signed_in,
)
from webapp.pages.lookup import (
    instructors_assignment,
    instructors_course,
    visible_assignment,
    visible_course,
)
from webapp.teaching.courses.models import Assignment


class SendingForm(forms.Form):
    """The settings of sending points to columns of platforms."""

    column_maximum = forms.DecimalField(
        label="Maximum of the column there",
        required=False,
        min_value=1,
        max_digits=8,
        decimal_places=2,
        help_text="If it is larger than full points here. A platform cuts points above its"
        " column\u2019s maximum: for a bonus, set a larger one there first, then enter it here.",
    )
    sends_zeros = forms.BooleanField(
        label="Send zero for students who have uploaded nothing that counts, once their time is"
        " over",
        required=False,
    )

    @staticmethod
    def saved(link: LinkedAssignment) -> dict[str, Any]:
        """Return the values of a link."""
        return {"column_maximum": link.column_maximum, "sends_zeros": link.sends_zeros}


@signed_in("GET")
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


@signed_in("POST")
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


@signed_in("GET")
def points(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Show which points platforms have, which wait, and which platforms refused."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    return _show(request, assignment)


def _show(
    request: HttpRequest, assignment: Assignment, form: SendingForm | None = None
) -> HttpResponse:
    links: list[Any] = list(scores.links_of(assignment))  # with counts
    first = links[0] if links else None
    n_others = sum(link.other for link in links)
    context = {
        **assignment_context(assignment),
        "links": links,
        "failed": scores.failed_scores(assignment)[:200],
        "n_failed": sum(link.failed for link in links),
        "others": scores.other_scores(assignment)[:200] if n_others else (),
        "n_others": n_others,
        "form": form or (first and SendingForm(initial=SendingForm.saved(first))),
        "maximum": first and maximum_of(first),
        "n_over": max((link.over for link in links), default=0),
        "has_bonus": assignment.scheme.bonus_points > 0,
    }
    return render(request, "lti/points.html", context, status=422 if form else 200)


@signed_in("POST")
def settings(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Save how points are sent."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    form, by = SendingForm(request.POST), current_user(request)
    if not is_saved(
        form, lambda: scores.set_sending(assignment=assignment, by=by, **form.cleaned_data)
    ):
        return _show(request, assignment, form)
    messages.success(request, "Saved. Points that change by it are sent with the next ones.")
    return redirect("lti:points", course_slug, assignment_slug)


@signed_in("POST")
def check(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Ask the platforms which points they show."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    if scores.check_results(assignment=assignment, by=current_user(request)):
        messages.success(request, "The platform said which points it shows.")
    else:
        messages.warning(request, _SAYS_NOTHING)
    return redirect("lti:points", course_slug, assignment_slug)


_SAYS_NOTHING = (
    "The platform does not say which points it shows. Its administrator can allow this site to read"
    " results."
)


@signed_in("POST")
def send(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Send the points that platforms do not have yet."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    by = current_user(request)
    queued = run_with_message(request, lambda: scores.send_scores(assignment=assignment, by=by))
    if queued:
        messages.success(request, f"Points of {counted(queued, 'student')} are being sent.")
    elif queued is not None:
        some_differ = scores.other_scores(assignment).exists()
        done = f"{_NOTHING[:-1]}, but shows some of them otherwise." if some_differ else _NOTHING
        messages.success(request, _WAITING if scores.has_waiting(assignment) else done)
    return redirect("lti:points", course_slug, assignment_slug)


_WAITING = "Nothing has changed: the points that the platform does not have wait to be sent."
_NOTHING = "The platform already has all points that students see."


@signed_in("POST")
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


@signed_in("POST")
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
