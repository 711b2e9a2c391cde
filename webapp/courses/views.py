"""Views of courses, assignments and teams."""

from collections.abc import Callable
from copy import copy
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grader.interfaces import starter_kit as starter_kits
from webapp.courses import selectors, services
from webapp.courses.forms import (
    CourseForm,
    ExtensionForm,
    JoinForm,
    JoinTeamForm,
    RenameTeamForm,
    RoleForm,
    SectionForm,
)
from webapp.courses.models import Assignment, Course, Enrolment, LeaderboardVisibility, Role, Team
from webapp.courses.overview import assignment_cards
from webapp.courses.permissions import (
    require_course_maker,
    require_instructor,
    require_staff,
    role_in,
)
from webapp.gradebook.selectors import grade_of
from webapp.interfaces import short_title
from webapp.leaderboards.permissions import may_see_board
from webapp.pages.http import attachment, attempt, chosen_id, person, tell_form
from webapp.submissions import selectors as submissions
from webapp.submissions.forms import UploadForm
from webapp.tournaments.models import Tournament


def visible_course(request: HttpRequest, slug: str) -> Course:
    """The course, or 404 for whoever is not in it."""
    return get_object_or_404(Course.objects.visible_to(person(request)), slug=slug)


def visible_assignment(request: HttpRequest, course: str, slug: str) -> Assignment:
    """The assignment with its course, or 404 for whoever may not see it."""
    found = Assignment.objects.visible_to(person(request)).select_related("course")
    assignment = found.filter(course__slug=course, slug=slug).first()
    if assignment is None:
        raise Http404("No such assignment.")
    return assignment


# --- Courses ----------------------------------------------------------------------------------


@login_required
@require_POST
def join(request: HttpRequest) -> HttpResponse:
    """Enrol with an invite code."""
    form = JoinForm(request.POST)
    course = attempt(request, lambda: services.join_course(user=person(request), **values(form)))
    if course is None:
        return redirect("home")
    messages.success(request, f"You are enrolled in {course}.", "good")
    return redirect("courses:course", course.slug)


@login_required
@require_GET
def course(request: HttpRequest, course: str) -> HttpResponse:
    """A course: its assignments; for staff also how to invite students."""
    found = visible_course(request, course)
    role = role_in(person(request), found)
    assignments = Assignment.objects.visible_to(person(request)).filter(course=found)
    context = {
        "course": found,
        "is_staff": role in (Role.ASSISTANT, Role.INSTRUCTOR),
        "is_instructor": role == Role.INSTRUCTOR,
        "cards": assignment_cards(person(request), assignments.select_related("course")),
        "nav": "home",
    }
    return render(request, "courses/course.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def new_course(request: HttpRequest) -> HttpResponse:
    """Create a course; for those who may."""
    require_course_maker(person(request))
    form = CourseForm(request.POST or None)
    if form.is_valid():
        made = tell_form(
            form, lambda: services.create_course(by=person(request), **form.cleaned_data)
        )
        if made is not None:
            messages.success(request, "The course is there. Now create an assignment.", "good")
            return redirect("courses:course", made.slug)
    return render(request, "courses/course_form.html", {"form": form, "nav": "home"})


@login_required
@require_http_methods(["GET", "POST"])
def edit_course(request: HttpRequest, course: str) -> HttpResponse:
    """Change a course."""
    found = visible_course(request, course)
    require_instructor(person(request), found)
    form = CourseForm(request.POST or None, instance=copy(found))
    if form.is_valid() and saved(
        form,
        lambda: services.update_course(course=found, by=person(request), **form.cleaned_data),
    ):
        messages.success(request, "The course was changed.", "good")
        return redirect("courses:course", found.slug)
    context = {"form": form, "course": found, "nav": "home"}
    return render(request, "courses/course_form.html", context)


@login_required
@require_GET
def people(request: HttpRequest, course: str) -> HttpResponse:
    """The roster, for staff."""
    found = visible_course(request, course)
    role = role_in(person(request), found)
    require_staff(person(request), found)
    enrolments = found.enrolments.select_related("user", "section").order_by("user__display_name")
    context = {
        "course": found,
        "enrolments": enrolments,
        "shared_numbers": selectors.shared_numbers(found),
        "roles": Role.choices,
        "sections": found.sections.all(),
        "section_form": SectionForm(),
        "is_instructor": role == Role.INSTRUCTOR,
        "nav": "home",
    }
    return render(request, "courses/people.html", context)


@login_required
@require_POST
def set_role(request: HttpRequest, course: str, enrolment: int) -> HttpResponse:
    """Make somebody an assistant, an instructor, or a student again."""
    found = visible_course(request, course)
    place = get_object_or_404(Enrolment.objects.select_related("user", "course"),
                              course=found, pk=enrolment)  # fmt: skip
    form = RoleForm(request.POST)
    if form.is_valid():
        role = Role(form.cleaned_data["role"])
        attempt(
            request,
            lambda: services.set_role(enrolment=place, by=person(request), role=role),
            done=f"{place.user} is now {role.label}.",
        )
    return redirect("courses:people", found.slug)


@login_required
@require_POST
def new_section(request: HttpRequest, course: str) -> HttpResponse:
    """Divide the course: a tutorial, a lab group."""
    found = visible_course(request, course)
    form = SectionForm(request.POST)
    attempt(
        request,
        lambda: services.create_section(course=found, by=person(request), **values(form)),
        done="The section is there. Put people into it below.",
    )
    return redirect("courses:people", found.slug)


@login_required
@require_POST
def set_section(request: HttpRequest, course: str, enrolment: int) -> HttpResponse:
    """Put somebody into a section, or into none."""
    found = visible_course(request, course)
    place = get_object_or_404(Enrolment.objects.select_related("user", "course"),
                              course=found, pk=enrolment)  # fmt: skip
    require_staff(person(request), found)
    chosen = chosen_id(request.POST.get("section", ""))
    section = None if chosen is None else get_object_or_404(found.sections, pk=chosen)
    attempt(
        request,
        lambda: services.set_section(enrolment=place, by=person(request), section=section),
        done=f"{place.user} is now in {section or 'no section'}.",
    )
    return redirect("courses:people", found.slug)


@login_required
@require_POST
def set_number(request: HttpRequest, course: str, enrolment: int) -> HttpResponse:
    """Keep somebody's student number: from their own profile, or from the page of people."""
    found = visible_course(request, course)
    user = person(request)
    place = get_object_or_404(Enrolment.objects.select_related("user", "course"),
                              course=found, pk=enrolment)  # fmt: skip
    number = request.POST.get("student_number", "")
    attempt(
        request,
        lambda: services.set_student_number(enrolment=place, by=user, number=number),
        done=f"The student number of {place.user} is kept.",
    )
    if place.user == user:
        return redirect("accounts:profile")
    return redirect("courses:people", found.slug)


@login_required
@require_POST
def renew_invite_code(request: HttpRequest, course: str) -> HttpResponse:
    """A new invite code."""
    found = visible_course(request, course)
    attempt(
        request,
        lambda: services.renew_invite_code(course=found, by=person(request)),
        done="The course has a new invite code. The old one no longer works.",
    )
    return redirect("courses:course", found.slug)


# --- Assignments ------------------------------------------------------------------------------


@login_required
@require_GET
def assignment(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """What is asked, until when, and what my team has handed in."""
    found = visible_assignment(request, course, assignment)
    return show_assignment(request, found, UploadForm(assignment=found))


@login_required
@require_GET
def submissions_live(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """The list of submissions alone, for the page that polls."""
    found = visible_assignment(request, course, assignment)
    context = _history(found, selectors.team_of(person(request), found))
    return render(request, "courses/_submissions.html", context)


def _history(assignment: Assignment, team: Team | None) -> dict[str, object]:
    """What the list of a team's submissions shows."""
    history = submissions.history(team) if team else []
    return {
        "course": assignment.course,
        "assignment": assignment,
        "history": history,
        "is_live": any(row.is_under_way for row in history),
    }


def show_assignment(
    request: HttpRequest, assignment: Assignment, upload: UploadForm, *, status: int = 200
) -> HttpResponse:
    """The page; also shown with a refused upload in it."""
    user = person(request)
    role = role_in(user, assignment.course)
    team = selectors.team_of(user, assignment)
    context = {
        **_history(assignment, team),
        "is_staff": role in (Role.ASSISTANT, Role.INSTRUCTOR),
        "is_instructor": role == Role.INSTRUCTOR,
        "team": team,
        "due_at": team.due_at if team else assignment.due_at,
        "is_over": timezone.now() > (team.due_at if team else assignment.due_at),
        "uploads_left": submissions.uploads_left(team) if team else assignment.uploads_per_day,
        "grade": grade_of(team) if team else None,
        "sees_board": may_see_board(user, assignment),
        "sees_tournaments": Tournament.objects.visible_to(user)
        .filter(assignment=assignment)
        .exists(),
        "upload_form": upload,
        "join_form": JoinTeamForm(),
        "rename_form": RenameTeamForm(initial={"name": team.name if team else ""}),
        "visibilities": LeaderboardVisibility,
        "nav": "home",
    }
    return render(request, "courses/assignment.html", context, status=status)


@login_required
@require_GET
def starter_kit(
    request: HttpRequest, course: str, assignment: str, interface: str = ""
) -> HttpResponse:
    """What ``firebox new`` writes for these rules, as a zip; for the first interface by itself."""
    found = visible_assignment(request, course, assignment)
    wanted = interface or found.interfaces[0]
    if wanted not in found.interfaces:
        raise Http404("Agents of this assignment are not written for this interface.")
    options = found.rules.options
    try:
        kit = starter_kits.starter_kit(found.game, options, folder=found.slug, interface=wanted)
    except LookupError:
        said = f"There is no starter kit for agents in this yet: {short_title(wanted)}."
        return render(request, "404.html", {"said": said}, status=404)
    kind = f"-{wanted}" if len(found.interfaces) > 1 else ""
    name = f"{found.course.slug}-{found.slug}{kind}-starter.zip"
    return attachment(kit, name=name, content_type="application/zip")


# --- Teams ------------------------------------------------------------------------------------


@login_required
@require_POST
def join_team(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Join a partner's team."""
    found = visible_assignment(request, course, assignment)
    form = JoinTeamForm(request.POST)
    attempt(
        request,
        lambda: services.join_team(user=person(request), assignment=found, **values(form)),
        done="You are in your partner's team.",
    )
    return redirect("courses:assignment", found.course.slug, found.slug)


@login_required
@require_POST
def move_student(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Put a student into another team: staff may, at any time."""
    found = visible_assignment(request, course, assignment)
    require_staff(person(request), found.course)
    student, team = (chosen_id(request.POST.get(name, "")) for name in ("student", "team"))
    place = get_object_or_404(found.course.enrolments.select_related("user"), user=student)
    to = get_object_or_404(Team.objects.select_related("assignment__course"),
                           assignment=found, pk=team)  # fmt: skip
    attempt(
        request,
        lambda: services.move_student(user=place.user, team=to, by=person(request)),
        done=f"{place.user} is now in {to}.",
    )
    return redirect("evaluations:staff", found.course.slug, found.slug)


@login_required
@require_POST
def start_team(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """A team of my own, to have a code for a partner before the first upload."""
    found = visible_assignment(request, course, assignment)
    attempt(request, lambda: services.team_for(user=person(request), assignment=found))
    return redirect("courses:assignment", found.course.slug, found.slug)


@login_required
@require_POST
def rename_team(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Give my team another name."""
    found = visible_assignment(request, course, assignment)
    team = selectors.team_of(person(request), found)
    form = RenameTeamForm(request.POST)
    if team is None:
        messages.error(request, "You have no team here yet.", "bad")
    else:
        attempt(
            request,
            lambda: services.rename_team(team=team, by=person(request), **values(form)),
            done="Your team has a new name.",
        )
    return redirect("courses:assignment", found.course.slug, found.slug)


@login_required
@require_http_methods(["GET", "POST"])
def extension(request: HttpRequest, course: str, assignment: str, team: int) -> HttpResponse:
    """Give a team more time, or take it back; staff see who did so when and why."""
    found = visible_assignment(request, course, assignment)
    require_staff(person(request), found.course)
    place = get_object_or_404(Team.objects.select_related("assignment__course"),
                              assignment=found, pk=team)  # fmt: skip
    with timezone.override(found.course.tz):
        form = ExtensionForm(
            request.POST or None,
            withdraw="withdraw" in request.POST,
            initial={"due_at": place.due_at},
        )
        if form.is_valid() and saved(form, lambda: extend(request, place, form)):
            messages.success(request, f"Due date of {place}: now {say(place.due_at)}.", "good")
            return redirect("evaluations:staff", found.course.slug, found.slug)
        context = {
            "course": found.course,
            "assignment": found,
            "team": place,
            "form": form,
            "extensions": place.extensions.select_related("granted_by"),
            "nav": "home",
        }
        return render(request, "courses/extension.html", context)


def extend(request: HttpRequest, team: Team, form: ExtensionForm) -> None:
    """Hand the form's values to the service."""
    until = None if form.withdraw else form.cleaned_data["due_at"]
    services.extend_deadline(
        team=team, by=person(request), due_at=until, reason=form.cleaned_data["reason"]
    )


def say(moment: datetime) -> str:
    """A moment in the active time zone, for a message."""
    return f"{timezone.localtime(moment):%-d %b %Y, %H:%M %Z}"


def values(form: forms.Form) -> dict[str, Any]:
    """What was entered into a form that has no page of its own. Raises ValidationError."""
    if not form.is_valid():
        raise ValidationError([text for texts in form.errors.values() for text in texts])
    return form.cleaned_data


def saved(form: forms.BaseForm, action: Callable[[], None]) -> bool:
    """Whether the service took the form's values."""

    def act() -> bool:
        action()
        return True

    return tell_form(form, act) is not None
