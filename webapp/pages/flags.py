"""The page on which staff mark the flags of a replay audit as seen, or as not seen again."""

from typing import Final

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from grader.core.words import counted
from webapp.grading.audits.flags import mark_flags
from webapp.grading.audits.jobs import audit_jobs_of
from webapp.grading.evaluations.models import AuditRun
from webapp.pages.confirming import Question, ask_with_form
from webapp.pages.http import current_user, viewer_of
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import require_right_for
from webapp.teaching.courses.rights import Right

_MARK: Final = "mark"
"""The field with the requested state: another staff member may have marked them meanwhile."""


class NoteForm(forms.Form):
    """The note on flags."""

    note = forms.CharField(
        label="Note",
        max_length=200,
        help_text="What you found out. Staff can see it, and the audit log keeps it.",
    )


def ask_about_flags(
    request: HttpRequest, audit: AuditRun | None, *, agent: str, assignment: Assignment, back: str
) -> HttpResponse:
    """Ask for a note, and mark the flags. Raises Http404 without flags, and NotAllowed."""
    by = current_user(request)
    # First: others must not learn whether there are flags.
    viewer_of(request, assignment.course).require_staff()
    if audit is None or not audit.flags:
        raise Http404("No flags.")
    flagged = audit
    require_right_for(by, audit_jobs_of(audit).team_of(audit), Right.INTEGRITY)
    is_seen = _wants_seen(request, audit)
    state = _state(is_seen=is_seen)
    question = Question(
        title=f"Mark the flags of {agent} as {state}?",
        effects=_effects(audit, is_seen=is_seen),
        undoing="You can change it at any time.",
        button=f"Mark as {state}",
        values={_MARK: state},
        back=back,
        assignment=assignment,
    )
    return ask_with_form(
        request,
        question,
        NoteForm(request.POST or None),
        act=lambda values: mark_flags(audit=flagged, by=by, is_seen=is_seen, **values),
        done=lambda _: f"The flags of {agent} are marked as {state}.",
    )


def _wants_seen(request: HttpRequest, audit: AuditRun) -> bool:
    asked = request.POST.get(_MARK)
    return audit.seen_at is None if asked is None else asked == _state(is_seen=True)


def _state(*, is_seen: bool) -> str:
    return "seen" if is_seen else "not seen"


def _effects(audit: AuditRun, *, is_seen: bool) -> tuple[str, ...]:
    if is_seen:
        return (
            f"{counted(audit.flags, 'seat')} made different moves when games were played again.",
            "“To check” no longer lists these flags. The audit does not change.",
        )
    earlier = () if audit.seen_at is None else (_seen_words(audit),)
    return (*earlier, "“To check” lists these flags again.")


def _seen_words(audit: AuditRun) -> str:
    at = timezone.localtime(audit.seen_at)
    return f"{audit.seen_by} marked them as seen on {at:%-d %b %Y, %H:%M}: {audit.seen_note}"
