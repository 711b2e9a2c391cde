"""Views of one submission: its page, tests and practice, the choice of it, its sources."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page

from webapp.base.errors import Refused
from webapp.flow import pipeline
from webapp.flow.emails import mark_verdict_seen
from webapp.grading.evaluations import history
from webapp.grading.evaluations.history import SubmissionRow
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.services import request_practice, request_smoke_test
from webapp.grading.evaluations.watching import latest_of_each_kind
from webapp.grading.gradebook.points import grade_of
from webapp.grading.submissions import selectors
from webapp.grading.submissions.changes import changes as changed_files
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.grading.submissions.services import choose_submission
from webapp.grading.submissions.source import complaints, source_file
from webapp.pages.evaluation_parts import EvaluationPart, part_of
from webapp.pages.http import (
    assignment_context,
    attachment,
    chosen_id,
    current_user,
    run_with_message,
    signed_in,
    viewer_of,
)
from webapp.pages.submissions.verdicts import editing_address, next_steps, steps_of, verdict_line
from webapp.pages.versions import full_from, practice_means, versions_chart
from webapp.pages.watching import Watch, answer, watch_evaluations
from webapp.teaching.courses.deadlines import DeadlineRule
from webapp.teaching.courses.releases import sees_grade

VERSIONS = 8


def visible_submission(request: HttpRequest, pk: int) -> Submission:
    """Return the submission with its assignment and course. Raises Http404."""
    submissions = Submission.objects.visible_to(current_user(request))
    return get_object_or_404(
        submissions.select_related("team__assignment__course", "uploaded_by"), pk=pk
    )


def watch_of(request: HttpRequest, pk: int, evaluations: Iterable[Evaluation]) -> Watch | None:
    """Say how the page of a submission is watched; ``None`` when nothing is under way."""
    address = reverse("submissions:live", args=[pk])
    return watch_evaluations(address, evaluations, current_user(request))


def _run_of(row: SubmissionRow, chosen: Evaluation | None) -> Evaluation | None:
    """Return the evaluation to show: by default the one under way, or else the most important."""
    if chosen is not None:
        return next(run for run in (*row.runs, *row.earlier) if run == chosen)
    under_way = [run for run in row.runs if run.is_open]
    return next(iter(under_way[-1:] + row.runs), None)


def _part_of(
    request: HttpRequest, submission: Submission, run: Evaluation | None
) -> EvaluationPart | None:
    """Return what to show of the run; ``None`` if the build rejected it before its first game."""
    is_rejected = submission.status == SubmissionStatus.REJECTED
    if run is None or (is_rejected and not run.games_done):
        return None
    return part_of(request, run)


def context_of(
    request: HttpRequest, submission: Submission, *, chosen: Evaluation | None = None
) -> dict[str, Any]:
    """Return the context of a submission's page, which shows one of its evaluations."""
    assignment, user = submission.team.assignment, current_user(request)
    row = history.row_of(submission, viewer=user)
    run, ends_at = _run_of(row, chosen), row.deadline.ends_at
    if not row.is_under_way:
        mark_verdict_seen(submission, by=user, at=timezone.now())
    is_staff = viewer_of(request, assignment.course).is_staff
    is_rejected = submission.status == SubmissionStatus.REJECTED
    part = _part_of(request, submission, run)
    causes = part.causes if part is not None and part.sees_games else []
    errors = complaints(submission, submission.messages)
    counted = _counted_number(submission)
    edits = may_edit(request, submission)
    until = None if is_staff or timezone.now() > ends_at else ends_at
    return {
        **assignment_context(assignment),
        "submission": submission,
        "edit_url": editing_address(submission) if edits else "",
        "team": submission.team,
        "row": row,
        "grade": grade_of(submission.team) if sees_grade(user, submission.team) else None,
        "run": run,
        "part": part,
        "steps": steps_of(submission, row.runs),
        "complaints": [] if is_rejected and causes else errors,
        "verdict": verdict_line(submission, run, errors, causes, counted_number=counted),
        "next_steps": next_steps(
            submission, part, row.practice, complaints=errors, edits=edits, upload_until=until
        ),
        "notes": complaints(submission, submission.notes),
        "watch": watch_of(request, submission.pk, row.runs),
        "versions": _versions(submission),
        "practice": practice_of(submission, ends_at, is_staff=is_staff),
        "is_staff": is_staff,
        "is_live": row.is_under_way,
        "is_choosable": assignment.counts == DeadlineRule.CHOICE and row.may_be_chosen,
    }


def may_edit(request: HttpRequest, submission: Submission) -> bool:
    """Return whether the reader may open the editor with this submission."""
    course, own = submission.team.assignment.course, submission.team.memberships
    if submission.sources_removed_at is not None or course.archived_at is not None:
        return False
    is_member = viewer_of(request, course).is_member
    return is_member and own.filter(user=current_user(request)).exists()


def _counted_number(submission: Submission) -> int | None:
    if submission.status != SubmissionStatus.REJECTED:
        return None
    submission_that_counts = selectors.counted_submission(submission.team)
    return None if submission_that_counts is None else submission_that_counts.number


def _versions(submission: Submission) -> SafeString:
    team = submission.team
    means = practice_means(team, limit=VERSIONS)
    return (
        versions_chart(
            means,
            full_from=full_from(team.assignment),
            shown=team.assignment.scheme.mean_in_words,
        )
        if len(means) > 1
        else SafeString()
    )


@dataclass(frozen=True, slots=True)
class Practice:
    """The person's right to start practice now, and a sentence on how often."""

    allowed: bool
    words: str


def practice_of(submission: Submission, ends_at: datetime, *, is_staff: bool) -> Practice:
    """Return the person's right to practice, decided as the service will."""
    team, assignment = submission.team, submission.team.assignment
    if is_staff:
        return Practice(allowed=True, words="Staff: not limited")
    if history.practice_is_over(submission, ends_at, timezone.now()):
        return Practice(allowed=False, words="Ended at the due date")
    left = history.practice_left(team)
    words = f"{left} of {assignment.practice_per_day} left today"
    return Practice(allowed=left > 0, words=words)


@signed_in("GET")
def submission(request: HttpRequest, pk: int) -> HttpResponse:
    """Status, verdict, figures and evidence."""
    submission = visible_submission(request, pk)
    return render(request, "submissions/submission.html", context_of(request, submission))


@signed_in("GET")
@never_cache
def live(request: HttpRequest, pk: int) -> HttpResponse:
    """The changing part of the page: asks for itself again until nothing is under way."""

    def whole() -> HttpResponse:
        submission = visible_submission(request, pk)
        return render(request, "submissions/_live.html", context_of(request, submission))

    evaluations = latest_of_each_kind(current_user(request), pk)
    return answer(request, watch_of(request, pk, evaluations), whole)


@signed_in("POST")
def practise(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for another practice evaluation."""
    return evaluate(request, pk, request_practice, "The practice evaluation is queued.")


@signed_in("POST")
def retest(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for another first test of a submission whose test failed or was cancelled."""
    return evaluate(request, pk, request_smoke_test, "The first test is queued.")


def evaluate(
    request: HttpRequest, pk: int, service: Callable[..., object], done: str
) -> HttpResponse:
    """Ask for an evaluation of a submission, and show its page."""
    submission = visible_submission(request, pk)
    run_with_message(
        request, lambda: service(submission=submission, by=current_user(request)), done=done
    )
    return redirect("submissions:submission", submission.pk)


@signed_in("POST")
def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose this upload as the one that counts, if teams choose."""
    submission = visible_submission(request, pk)
    by, now = current_user(request), timezone.now()
    run_with_message(
        request,
        lambda: pipeline.change_dates(
            course=submission.team.assignment.course,
            by=by,
            change=lambda: choose_submission(submission=submission, by=by, at=now),
        ),
        done=f"Submission {submission.number} counts now.",
        undo=True,
    )
    return redirect("submissions:submission", submission.pk)


@signed_in("GET")
def source(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a file of the upload, its lines with anchors."""
    submission = visible_submission(request, pk)
    if submission.sources_removed_at is not None:
        raise Http404("The sources of this submission have been deleted, as the course decided.")
    file = source_file(submission, request.GET.get("file", ""))
    if file is None:
        raise Http404("This submission has no such file.")
    context = {
        **assignment_context(submission.team.assignment),
        "submission": submission,
        "file": file,
        "edit_url": editing_address(submission) if may_edit(request, submission) else "",
    }
    return render(request, "submissions/source.html", context)


@signed_in("GET")
@gzip_page
def changes(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what changed since another submission, ``since``, or else the team's one before."""
    later = visible_submission(request, pk)
    since = chosen_id(request.GET.get("since", ""))
    before = later.team.submissions.filter(number=later.number - 1)
    earlier = before.first() if since is None else visible_submission(request, since)
    files, refusal = None, ""
    try:
        files = changed_files(earlier, later) if earlier is not None else None
    except Refused as error:
        refusal = str(error)
    context = {
        **assignment_context(later.team.assignment),
        "submission": later,
        "earlier": earlier,
        "files": files,
        "refusal": refusal,
    }
    return render(request, "submissions/changes.html", context)


@signed_in("GET")
def archive(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the stored upload."""
    submission = visible_submission(request, pk)
    data = run_with_message(request, lambda: selectors.archive(submission))
    if data is None:
        return redirect("submissions:submission", pk)
    return attachment(data, name=f"{submission.team.alias}-{submission.number}.zip")
