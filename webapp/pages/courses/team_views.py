"""Views of teams: members, names, extensions."""

from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone

from webapp.flow import pipeline
from webapp.pages.courses.dates_views import change_dates
from webapp.pages.courses.forms.course import JoinTeamForm, RenameTeamForm
from webapp.pages.courses.forms.dates import ExtensionForm
from webapp.pages.http import (
    assignment_context,
    chosen_id,
    current_user,
    form_values,
    is_saved,
    run_with_message,
    say_done,
    signed_in,
)
from webapp.pages.lookup import staff_assignment, visible_assignment
from webapp.people.auditlog.services import recorded
from webapp.teaching.courses import selectors, services
from webapp.teaching.courses.permissions import require_right_for
from webapp.teaching.courses.resolution import resolution_of
from webapp.teaching.courses.rights import Right


@signed_in("POST")
def join_team(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Join a partner's team."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    form = JoinTeamForm(request.POST)
    user = current_user(request)
    run_with_message(
        request,
        lambda: pipeline.change_dates(
            course=assignment.course,
            by=user,
            change=lambda: services.join_team(
                user=user, assignment=assignment, **form_values(form)
            ),
            reason="The members of a team changed.",
        ),
        done="You are in your partner's team.",
    )
    return redirect("courses:assignment", assignment.course.slug, assignment.slug)


@signed_in("POST")
def move_student(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Put a student into another team: staff may, at any time."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    student, team = (chosen_id(request.POST.get(name, "")) for name in ("student", "team"))
    member = get_object_or_404(
        assignment.course.enrolments.active().select_related("user"), user=student
    )
    to = get_object_or_404(assignment.teams, pk=team)
    run_with_message(
        request,
        lambda: change_dates(
            request, assignment.course, services.move_student, user=member.user, team=to
        ),
        done=f"{member.user} is now in {to}.",
        undo=True,
    )
    return redirect("evaluations:staff", assignment.course.slug, assignment.slug)


@signed_in("POST")
def start_team(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """A team of my own, to have a code for a partner before the first upload."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    run_with_message(
        request, lambda: services.team_for(user=current_user(request), assignment=assignment)
    )
    return redirect("courses:assignment", assignment.course.slug, assignment.slug)


@signed_in("POST")
def rename_team(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Give my team another name."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    team = selectors.team_of(current_user(request), assignment)
    form = RenameTeamForm(request.POST)
    if team is None:
        messages.error(request, "You have no team here yet.")
    else:
        run_with_message(
            request,
            lambda: services.rename_team(team=team, by=current_user(request), **form_values(form)),
            done="Your team has a new name.",
        )
    return redirect("courses:assignment", assignment.course.slug, assignment.slug)


@signed_in("GET", "POST")
def extension(
    request: HttpRequest, course_slug: str, assignment_slug: str, team: int
) -> HttpResponse:
    """Give a team more time, or take it back; staff see who did so when and why."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    member = get_object_or_404(assignment.teams, pk=team)
    require_right_for(current_user(request), member, Right.EXTEND)

    def extend() -> None:
        service = services.extend_deadline
        change_dates(request, assignment.course, service, team=member, **form.values())

    with timezone.override(assignment.course.tz):
        form = ExtensionForm(
            request.POST or None,
            withdraw="withdraw" in request.POST,
            initial={"due_at": resolution_of(member).deadline.due_at},
        )
        with recorded() as acts:
            saved = is_saved(form, extend)
        if saved:
            now_due = say(resolution_of(member).deadline.due_at)
            say_done(request, f"Due date of {member}: now {now_due}.", acts)
            return redirect("evaluations:staff", assignment.course.slug, assignment.slug)
        context = {
            **assignment_context(assignment),
            "team": member,
            "deadline": resolution_of(member).deadline,
            "form": form,
            "extensions": member.extensions.select_related("granted_by"),
        }
        return render(request, "courses/extension.html", context)


def say(moment: datetime) -> str:
    """A moment in the active time zone, for a message."""
    return f"{timezone.localtime(moment):%-d %b %Y, %H:%M %Z}"
