"""The grade of one student: for themselves, and for staff, who give points by hand."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from webapp.grading.gradebook.models import Grade, ManualPoints, RegradeRequest
from webapp.grading.gradebook.points import Points, all_points, own_points_of
from webapp.grading.gradebook.services import ask_regrade, set_points
from webapp.grading.gradebook.work import Work
from webapp.pages.gradebook.forms import PointsForm, RegradeForm
from webapp.pages.http import (
    assignment_context,
    current_user,
    is_saved,
    say_done,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import staff_assignment, student_of, visible_assignment
from webapp.people.accounts.models import User
from webapp.people.auditlog.services import recorded
from webapp.teaching.courses.models import Assignment, Membership
from webapp.teaching.courses.releases import held_students
from webapp.teaching.courses.rights import Right


@signed_in("GET", "POST")
def own(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Show the reader's own grade, its computation, and their regrade requests."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    user = current_user(request)
    points = own_points_of(user, assignment)
    form = RegradeForm(request.POST or None)
    if is_saved(
        form, lambda: ask_regrade(assignment=assignment, user=user, text=form.cleaned_data["text"])
    ):
        messages.success(request, "Your request was sent to the staff.")
        return redirect("gradebook:own", course_slug, assignment_slug)
    is_held = points is None and user.pk in held_students(assignment, [user.pk])
    is_student = viewer_of(request, assignment.course).is_student
    context = {
        **context_of(assignment, user, points),  # requests and answers name points
        "is_held": is_held,
        "is_missing": is_student
        and not is_held
        and (points is None or points.total is None)
        and Work([assignment], users=[user.pk]).of(assignment, user.pk).is_missing,
        "form": form,
    }
    return render(request, "gradebook/own.html", context, status=422 if form.errors else 200)


def context_of(assignment: Assignment, user: User, points: Points | None) -> dict[str, Any]:
    """Return the values for both readers of a grade; nothing of points that are hidden."""
    asked = RegradeRequest.objects.filter(assignment=assignment, user=user)
    requests = [] if points is None else list(asked.select_related("answered_by"))
    return {
        **assignment_context(assignment),
        "points": points,
        "grades": [] if points is None else grades_of(assignment, user),
        "given": [] if points is None else given_to(assignment, user),
        "requests": requests,
        "has_open": any(request.is_open for request in requests),
    }


def grades_of(assignment: Assignment, user: User) -> list[Grade]:
    """Return all grades of the user's team, the present one first."""
    team = Membership.objects.filter(assignment=assignment, user=user).values("team")
    grades = Grade.objects.filter(team__in=team).order_by("-is_current", "-graded_at", "-pk")
    return list(grades.select_related("evaluation__submission", "changed_by"))


def given_to(assignment: Assignment, user: User) -> list[ManualPoints]:
    """Return the points given by hand, the newest first."""
    rows = ManualPoints.objects.filter(assignment=assignment, user=user)
    return list(rows.select_related("given_by").order_by("-pk"))


@signed_in("GET", "POST")
def student(
    request: HttpRequest, course_slug: str, assignment_slug: str, enrolment: int
) -> HttpResponse:
    """Show one student's grade to staff, who give points and comments by hand here."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    member = student_of(assignment.course, enrolment)
    user = current_user(request)
    if request.method == "POST":
        viewer_of(request, assignment.course).require_right(Right.GRADE, people=[member.user_id])
    points = all_points([assignment], [member.user_id]).get((assignment.pk, member.user_id))
    by_hand = None if points is None else points.by_hand
    form = PointsForm(request.POST or None, initial=initial_of(by_hand))
    with recorded() as acts:
        saved = is_saved(
            form,
            lambda: set_points(
                enrolment=member, assignment=assignment, by=user, **form.cleaned_data
            ),
        )
    if saved:
        say_done(request, f"Points of {member.user} saved.", acts)
        return redirect("gradebook:student", course_slug, assignment_slug, enrolment)
    context = {
        **context_of(assignment, member.user, points or Points(grade=None)),
        "enrolment": member,
        "can": viewer_of(request, assignment.course).can,
        "form": form,
    }
    return render(request, "gradebook/student.html", context, status=422 if form.errors else 200)


def initial_of(given: ManualPoints | None) -> dict[str, object]:
    """Return the values given last, to be edited."""
    if given is None:
        return {}
    replaces = "yes" if given.replaces else ""
    return {"points": given.points, "replaces": replaces, "comment": given.comment}
