"""Views of submissions: upload, watch, understand."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from grader.core.games import Game
from webapp.courses.lookup import visible_assignment
from webapp.courses.models import Assignment
from webapp.courses.permissions import is_staff_of
from webapp.courses.views import show_assignment
from webapp.errors import SourceMessage, UploadRefused
from webapp.evaluations import permissions
from webapp.evaluations import selectors as evaluations
from webapp.evaluations.auditing import AuditSection, audit_section
from webapp.evaluations.comparing import Pair, with_version_before
from webapp.evaluations.models import Evaluation, GameResult, Kind, Verdict
from webapp.evaluations.services import request_practice, request_smoke_test
from webapp.gradebook.models import Grade
from webapp.gradebook.selectors import grade_by
from webapp.interfaces import ANY
from webapp.pages.http import attachment, attempt, person, tell_form
from webapp.submissions import selectors, services
from webapp.submissions.forms import UploadForm
from webapp.submissions.models import Submission, SubmissionStatus
from webapp.submissions.source import complaints, notes


def visible_submission(request: HttpRequest, pk: int) -> Submission:
    """The submission with its assignment and course, or 404 for whoever may not see it."""
    found = Submission.objects.visible_to(person(request))
    return get_object_or_404(found.select_related("team__assignment__course", "uploaded_by"), pk=pk)


@login_required
@require_POST
def upload(request: HttpRequest, course: str, assignment: str) -> HttpResponse:
    """Take a file; it is stored, queued for its checks, and its page shown."""
    found = visible_assignment(request, course, assignment)
    form = UploadForm(request.POST, request.FILES, assignment=found)
    if form.is_valid():
        submission = take(request, found, form)
        if submission is not None:
            return redirect("submissions:submission", submission.pk)
    return show_assignment(request, found, form, status=422)


def take(request: HttpRequest, assignment: Assignment, form: UploadForm) -> Submission | None:
    """Hand the file to the service, or put its complaints beside the form."""
    file: UploadedFile[Any] = form.cleaned_data["file"]
    user = person(request)
    try:
        return tell_form(
            form,
            lambda: services.accept_from(
                user=user,
                assignment=assignment,
                filename=file.name or "",
                data=file.read(),
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


# --- One submission ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One evaluation of a submission as its page shows it."""

    evaluation: Evaluation
    game: Game
    """By the assignment's rules."""
    progress: evaluations.Progress | None
    grade: Grade | None
    """The points that it is worth: whoever may see the evaluation may see them."""
    sees_games: bool
    faults: list[evaluations.FaultSection]
    worst: list[GameResult]
    command: str
    before: Pair | None
    """Over the version before, on common deals; ``None`` where there is nothing to compare."""
    audit: AuditSection | None
    """For staff only."""

    @property
    def fault_score(self) -> int:
        """What a game counts that the agent's fault ended, or that was not played after that."""
        return self.game.fault_scores[0]

    @property
    def nothing_played(self) -> bool:
        """Whether every game that was begun ended with a fault: there is no mean to speak of.

        Of a graded evaluation there is: points rest on it.
        """
        run = self.evaluation
        return run.verdict == Verdict.FAULTY and run.faults >= run.games_needed and not self.grade


def section_of(request: HttpRequest, evaluation: Evaluation) -> Section:
    """What this person may see of an evaluation. While it is being played that is its progress:
    what is replaced every second cannot be read or unfolded."""
    sees_games = permissions.may_see_games(request.user, evaluation)
    return Section(
        evaluation=evaluation,
        game=evaluation.assignment.rules,
        progress=evaluations.progress(evaluation) if evaluation.is_open else None,
        grade=grade_by(evaluation),
        sees_games=sees_games,
        faults=faults_of(evaluation, with_causes=sees_games),
        worst=worst_of(evaluation) if sees_games and not evaluation.is_open else [],
        command=evaluations.reproduce_command(evaluation),
        before=with_version_before(evaluation),
        audit=audit_of(request, evaluation),
    )


def audit_of(request: HttpRequest, evaluation: Evaluation) -> AuditSection | None:
    """What staff are told of its replay audit, once it is over."""
    over = evaluation.kind == Kind.GRADED and not evaluation.is_open
    if not over or not is_staff_of(request.user, evaluation.assignment.course):
        return None
    return audit_section(evaluation)


def faults_of(evaluation: Evaluation, *, with_causes: bool) -> list[evaluations.FaultSection]:
    """Its faults by kind, and by cause for who may see single games, once it is over."""
    if evaluation.is_open or not evaluation.faults:
        return []
    return evaluations.fault_sections(evaluation, with_causes=with_causes)


def worst_of(evaluation: Evaluation) -> list[GameResult]:
    """The games most worth looking at."""
    return evaluations.worst_games(evaluation, limit=5)


def state_of(submission: Submission) -> dict[str, Any]:
    """Its evaluations, latest of each kind, and whether anything is still under way."""
    row = next(
        row for row in selectors.history(submission.team) if row.submission.pk == submission.pk
    )
    found = [each for each in (row.graded, row.practice, row.smoke) if each is not None]
    return {
        "row": row,
        "evaluations": found,
        "is_live": row.is_under_way,
    }


def context_of(request: HttpRequest, submission: Submission) -> dict[str, Any]:
    """Everything on a submission's page."""
    assignment = submission.team.assignment
    state = state_of(submission)
    is_staff = is_staff_of(request.user, assignment.course)
    return {
        "submission": submission,
        "team": submission.team,
        "assignment": assignment,
        "course": assignment.course,
        "steps": steps_of(submission, state["evaluations"]),
        "sections": [section_of(request, each) for each in state["evaluations"]],
        "complaints": complaints(submission),
        "notes": notes(submission),
        "origin": "submission",
        "practice": practice_of(submission, is_staff=is_staff),
        "is_staff": is_staff,
        "nav": "home",
        **state,
    }


@dataclass(frozen=True, slots=True)
class Practice:
    """Whether this person may ask for practice now, and in words how often still."""

    allowed: bool
    words: str


def practice_of(submission: Submission, *, is_staff: bool) -> Practice:
    """As the service will decide it."""
    team, assignment = submission.team, submission.team.assignment
    if is_staff:
        return Practice(allowed=True, words="Staff: not limited")
    if timezone.now() > team.due_at and not assignment.practice_after_due:
        return Practice(allowed=False, words="Over since the due date")
    left = selectors.practice_left(team)
    words = f"{left} of {assignment.practice_per_day} today left"
    return Practice(allowed=left > 0, words=words)


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of the pipeline: a sign, a word, whether it is the present one."""

    sign: str
    words: str
    tint: str
    current: bool


def steps_of(submission: Submission, found: list[Evaluation]) -> list[Step]:
    """Upload, check, smoke test, practice: how far it has come."""
    order = (
        SubmissionStatus.RECEIVED,
        SubmissionStatus.CHECKED,
        SubmissionStatus.SMOKE_TESTED,
        SubmissionStatus.READY,
    )
    names = ("Stored", "Compiled", "Smoke-tested", "Ready")
    if submission.status == SubmissionStatus.REJECTED:
        reached = 2 if any(each.games_done for each in found) else 1
        done = [Step("✓", name, "good", current=False) for name in names[:reached]]
        return [*done, Step("✕", "Rejected", "bad", current=True)]
    at = order.index(SubmissionStatus(submission.status))
    return [
        Step("✓" if index <= at else "○", name, "good" if index <= at else "", index == at)
        for index, name in enumerate(names)
    ]


@login_required
@require_GET
def submission(request: HttpRequest, pk: int) -> HttpResponse:
    """Status, verdict, figures and evidence."""
    found = visible_submission(request, pk)
    return render(request, "submissions/submission.html", context_of(request, found))


@login_required
@require_GET
@never_cache
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The changing part of the page: asks for itself again until nothing is under way."""
    found = visible_submission(request, pk)
    return render(request, "submissions/_live.html", context_of(request, found))


@login_required
@require_POST
def practise(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for another practice evaluation."""
    found = visible_submission(request, pk)
    attempt(
        request,
        lambda: request_practice(submission=found, by=person(request)),
        done="The practice evaluation is queued.",
    )
    return redirect("submissions:submission", found.pk)


@login_required
@require_POST
def retest(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for another smoke test of a submission whose test failed or was cancelled."""
    found = visible_submission(request, pk)
    attempt(
        request,
        lambda: request_smoke_test(submission=found, by=person(request)),
        done="The smoke test is queued.",
    )
    return redirect("submissions:submission", found.pk)


@login_required
@require_GET
def archive(request: HttpRequest, pk: int) -> HttpResponse:
    """The upload, as it is stored."""
    found = visible_submission(request, pk)
    name = f"{found.team.alias}-{found.number}.zip"
    return attachment(selectors.archive(found), name=name, content_type="application/zip")
