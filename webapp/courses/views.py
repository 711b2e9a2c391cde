"""Views of courses, assignments and teams."""

from copy import copy

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from grader.interfaces import starter_kit as starter_kits
from webapp.courses import selectors, services
from webapp.courses.forms import CourseForm, JoinForm, JoinTeamForm, RenameTeamForm
from webapp.courses.lookup import visible_assignment, visible_course
from webapp.courses.models import Assignment, LeaderboardVisibility, Role, Team
from webapp.courses.overview import assignment_cards
from webapp.courses.permissions import require_course_maker, require_instructor, role_in
from webapp.gradebook.selectors import grade_of
from webapp.interfaces import short_title
from webapp.leaderboards.permissions import may_see_board
from webapp.pages.http import attachment, attempt, form_values, is_saved, person, tell_form
from webapp.submissions import selectors as submissions
from webapp.submissions.forms import UploadForm
from webapp.tournaments.models import Tournament

# --- Courses ----------------------------------------------------------------------------------


@login_required
@require_POST
def join(request: HttpRequest) -> HttpResponse:
    """Enrol with an invite code."""
    form = JoinForm(request.POST)
    course = attempt(
        request, lambda: services.join_course(user=person(request), **form_values(form))
    )
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
    if form.is_valid() and is_saved(
        form,
        lambda: services.update_course(course=found, by=person(request), **form.cleaned_data),
    ):
        messages.success(request, "The course was changed.", "good")
        return redirect("courses:course", found.slug)
    context = {"form": form, "course": found, "nav": "home"}
    return render(request, "courses/course_form.html", context)


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
