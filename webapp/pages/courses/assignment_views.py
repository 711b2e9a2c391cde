"""Views of one assignment: its page, uploads, starter kits."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from grader.interfaces import starter_kit as starter_kits
from webapp.base.errors import SourceMessage, UploadRefused
from webapp.base.interfaces import ANY, short_title
from webapp.contests.leaderboards.permissions import may_see_board
from webapp.contests.tournaments.models import Tournament
from webapp.flow import pipeline
from webapp.grading.evaluations import history as past
from webapp.grading.evaluations.watching import team_states
from webapp.grading.gradebook.points import own_points_of
from webapp.grading.submissions import selectors as submissions
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.services import keeping, read_file
from webapp.pages.confirming import Question, ask
from webapp.pages.courses.forms.course import JoinTeamForm, RenameTeamForm
from webapp.pages.courses.forms.upload import UploadForm
from webapp.pages.http import (
    assignment_context,
    attachment,
    current_user,
    run_with_form_errors,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import visible_assignment
from webapp.pages.watching import Watch, answer, digest
from webapp.people.accounts.models import User
from webapp.teaching.courses import selectors
from webapp.teaching.courses.deadlines import DeadlineRule, Resolution
from webapp.teaching.courses.models import Assignment, LeaderboardVisibility, PlayWith, Team
from webapp.teaching.courses.releases import held_students
from webapp.teaching.courses.resolution import resolution_for, resolution_of


@signed_in("GET")
def assignment(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Show an assignment: its task, its dates, and the team's submissions."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    return show_assignment(request, assignment, UploadForm(assignment=assignment))


@signed_in("GET")
def submissions_live(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """The list of submissions alone, for the page that polls."""
    user = current_user(request)

    def whole() -> HttpResponse:
        assignment = visible_assignment(request, course_slug, assignment_slug)
        team = selectors.team_of(user, assignment)
        context = _history(user, assignment, team, own_resolution(user, assignment, team))
        return render(request, "courses/_submissions.html", context)

    return answer(request, _watch(user, course_slug, assignment_slug), whole)


def _watch(user: User, course_slug: str, assignment_slug: str) -> Watch:
    return Watch(
        address=reverse("courses:submissions", args=[course_slug, assignment_slug]),
        shape=digest(team_states(user, course_slug, assignment_slug)),
        numbers="",
        seconds=3,
        part="#submissions",
    )


def own_resolution(user: User, assignment: Assignment, team: Team | None) -> Resolution:
    """Return the deadline and counting upload of the user's team, or of the user alone."""
    return resolution_of(team) if team else resolution_for(user, assignment)


def _history(
    user: User, assignment: Assignment, team: Team | None, resolution: Resolution
) -> dict[str, object]:
    history = past.history(team, resolution, viewer=user) if team else []
    points = own_points_of(user, assignment)
    starred = None if resolution.counted is None else resolution.counted.pk
    if points is not None and points.grade is not None:
        starred = points.grade.evaluation.submission_id
    is_live = any(row.is_under_way for row in history)
    return {
        **assignment_context(assignment),
        "history": history,
        "points": points,
        "starred": starred,
        "watch": _watch(user, assignment.course.slug, assignment.slug) if is_live else None,
        "is_over": timezone.now() > resolution.deadline.ends_at,
    }


def show_assignment(
    request: HttpRequest, assignment: Assignment, upload: UploadForm, *, status: int = 200
) -> HttpResponse:
    """The page; also shown with a refused upload in it."""
    user = current_user(request)
    viewer = viewer_of(request, assignment.course)
    team = selectors.team_of(user, assignment)
    resolution = own_resolution(user, assignment, team)
    is_held = viewer.is_student and user.pk in held_students(assignment, [user.pk])
    shown = _history(user, assignment, team, resolution)
    context = {
        **shown,
        "uploads_first": upload.is_bound or not (shown["points"] or is_held),
        "viewer": viewer,
        "team": team,
        "deadline": resolution.deadline,
        "replaced": resolution.counted if assignment.counts == DeadlineRule.LATEST else None,
        "uploads_left": submissions.uploads_left(team) if team else assignment.uploads_per_day,
        "is_held": is_held,
        "plays": assignment.play_with != PlayWith.NOBODY,
        "sees_board": may_see_board(user, assignment),
        "sees_ladder": viewer.is_instructor
        or (may_see_board(user, assignment) and assignment.ladders.exists()),
        "sees_tournaments": Tournament.objects.visible_to(user)
        .filter(assignment=assignment)
        .exists(),
        "upload_form": upload,
        "sender": keeping.form_token(user, assignment),
        "kept": keeping.kept_upload(user, assignment, at=timezone.now()),
        "kept_for": keeping.KEPT_FOR,
        "join_form": JoinTeamForm(),
        "rename_form": RenameTeamForm(initial={"name": team.name if team else ""}),
        "visibilities": LeaderboardVisibility,
    }
    return render(request, "courses/assignment.html", context, status=status)


@signed_in("GET")
def starter_kit(
    request: HttpRequest, course_slug: str, assignment_slug: str, interface: str = ""
) -> HttpResponse:
    """Send the output of ``firebox new`` for these rules and an interface, the first by default."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    wanted = interface or assignment.interfaces[0]
    if wanted not in assignment.interfaces:
        raise Http404("Agents of this assignment are not written for this interface.")
    try:
        kit = starter_kits.starter_kit(
            assignment.game, assignment.rules.options, folder=assignment.slug, interface=wanted
        )
    except LookupError:
        rules = assignment.rules
        message = f"There is no starter kit for agents in this yet: {short_title(wanted)}."
        if not rules.is_installed:
            message = (
                f"{rules.title} is not installed on this site any more: it has no starter kit."
            )
        return render(request, "404.html", {"reason": message}, status=404)
    kind = f"-{wanted}" if len(assignment.interfaces) > 1 else ""
    return attachment(kit, name=f"{assignment.course.slug}-{assignment.slug}{kind}-starter.zip")


@require_POST
def upload(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Store a file and show its page; keep that of a user who was signed out meanwhile."""
    if not request.user.is_authenticated:
        return keep_and_sign_in(request, course_slug, assignment_slug)
    assignment = visible_assignment(request, course_slug, assignment_slug)
    if "discard" in request.POST:
        return _discard(request, assignment)
    form = UploadForm(request.POST, files_of(request, assignment), assignment=assignment)
    if form.is_valid():
        submission = take(request, assignment, form)
        if submission is not None:
            keeping.forget_kept(current_user(request), assignment)
            return redirect("submissions:submission", submission.pk)
    return show_assignment(request, assignment, form, status=422)


def _discard(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    page = reverse("courses:assignment", args=[assignment.course.slug, assignment.slug])
    if "sure" not in request.POST:
        question = Question(
            title="Discard the file that is kept for you?",
            effects=("It was never submitted, and is deleted from this site.",),
            button="Discard file",
            back=page,
            values={"discard": "yes", "sure": "yes"},
            assignment=assignment,
        )
        return ask(request, question)
    keeping.forget_kept(current_user(request), assignment)
    messages.success(request, "The file is discarded.")
    return redirect(page)


def files_of(request: HttpRequest, assignment: Assignment) -> Mapping[str, Any]:
    """Return the files of the form; for a form without one, the file that is kept."""
    if "kept" not in request.POST:
        return request.FILES
    kept = keeping.kept_upload(current_user(request), assignment, at=timezone.now())
    return {"file": SimpleUploadedFile(kept.filename, bytes(kept.data))} if kept else {}


def keep_and_sign_in(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Keep the file of a user who was signed out, and lead them back to its form."""
    if keep_file(request):
        words = "You had been signed out. Your file is kept for an hour: sign in, then send it."
    else:
        words = (
            "You had been signed out, and nothing was sent. Sign in, then choose your file again."
        )
    messages.warning(request, words)
    page = reverse("courses:assignment", args=[course_slug, assignment_slug])
    return redirect_to_login(page, resolve_url(settings.LOGIN_URL))


def keep_file(request: HttpRequest) -> bool:
    """Keep the request's file, if it has one; return whether it is kept."""
    file = request.FILES.get("file")
    try:
        data = b"" if file is None else read_file(file).data
    except UploadRefused:
        return False
    return file is not None and keeping.keep_upload(
        token=request.POST.get("sender", ""),
        filename=file.name or "",
        data=data,
        interface=request.POST.get("interface", ""),
        agent_class=request.POST.get("agent_class", ""),
        at=timezone.now(),
    )


def take(request: HttpRequest, assignment: Assignment, form: UploadForm) -> Submission | None:
    """Hand the file to the service, or put its complaints beside the form."""
    file: UploadedFile[Any] = form.cleaned_data["file"]
    user = current_user(request)
    try:
        upload = read_file(file)
        return run_with_form_errors(
            form,
            lambda: pipeline.accept_from(
                user=user,
                assignment=assignment,
                filename=file.name or "",
                data=upload.data,
                notes=upload.notes,
                interface=form.cleaned_data.get("interface", ANY),
                agent_class=form.cleaned_data.get("agent_class", ""),
            ),
        )
    except UploadRefused as refusal:
        form.add_error("file", [complaint(message) for message in refusal.messages])
        return None


def complaint(message: SourceMessage) -> str:
    """One complaint about a file in a line: ``agent.py: …``."""
    return f"{message.file}: {message.text}" if message.file else message.text
