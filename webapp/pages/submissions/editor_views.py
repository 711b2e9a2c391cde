"""The editor: the files of a submission, a starter kit or a draft, with what a try of them showed.

File names and texts are a student's: they reach the page only as escaped text and values of fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from webapp.base.errors import Refused, UploadRefused
from webapp.flow import pipeline
from webapp.grading.evaluations.models import Draft, Evaluation
from webapp.grading.evaluations.models.draft import DraftQuerySet
from webapp.grading.evaluations.selectors import worst_games
from webapp.grading.evaluations.services import drafts
from webapp.grading.evaluations.services.drafts import DraftOrigin, Saved, editable_texts
from webapp.grading.evaluations.services.tries import tries_left
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import uploads_left
from webapp.pages.addresses import editor_address, whole_number
from webapp.pages.causes import FaultCause, causes_of
from webapp.pages.confirming import Question, ask
from webapp.pages.http import assignment_context, chosen_id, current_user, signed_in
from webapp.pages.lookup import visible_assignment
from webapp.pages.submissions.completions import completions
from webapp.pages.submissions.verdicts import run_line
from webapp.pages.watching import Watch, answer, watch_state
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import require_participant
from webapp.teaching.courses.selectors import team_of

MODES: Final = {
    ".py": "python",
    **dict.fromkeys((".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx"), "c_cpp"),
    ".java": "java",
    ".hs": "haskell",
}
"""The editor's mode by the ending of a file; others are plain text."""
_POLL_SECONDS: Final = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedSource:
    """A draft in the editor, or the beginning of one."""

    origin: DraftOrigin
    draft: Draft | None
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedFile:
    """A file as the page shows it."""

    name: str
    text: str
    mode: str
    """Empty: plain text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorMark:
    """A message, at a line of a file that the editor has, if it is about one."""

    file: str
    """Empty if it is about none that the editor has."""
    line: int
    text: str
    cause: FaultCause | None = None
    """The cause of faults that it stands for; ``None``: it is of the check or the compiler."""


@signed_in("GET", "POST")
def editor(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Show the files; save, try or upload what was made of them."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    try:
        require_participant(current_user(request), assignment.course)
        opened = _opened(request, assignment)
        return _act(request, opened) if request.method == "POST" else _show(request, opened)
    except Refused as refusal:
        if _is_scripted(request):
            return render(request, "submissions/_tried.html", {"refusal": str(refusal)})
        messages.error(request, str(refusal))
        return redirect("courses:assignment", course_slug, assignment_slug)


@signed_in("GET")
@never_cache
def editor_live(
    request: HttpRequest, course_slug: str, assignment_slug: str, draft: int
) -> HttpResponse:
    """The last try alone, for the page that polls."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    shown = get_object_or_404(_drafts(current_user(request), assignment), pk=draft)
    context = tried_context(shown)
    return answer(
        request,
        context["watch"],
        lambda: render(request, "submissions/_tried.html", context),
        part="#tried",
    )


def _drafts(user: User, assignment: Assignment) -> DraftQuerySet:
    rows = Draft.objects.of(user).filter(assignment=assignment)
    return rows.select_related(
        "assignment__course", "origin__team", "author", "edited_by", "tried__assignment__course"
    )


def _opened(request: HttpRequest, assignment: Assignment) -> OpenedSource:
    """Return what the address or the form names. Raises Http404 for what is not the user's."""
    asked, user = request.POST or request.GET, current_user(request)
    own, key = _drafts(user, assignment), chosen_id(asked.get("draft", ""))
    draft: Draft | None
    if key is not None:
        draft = get_object_or_404(own, pk=key)
    else:
        origin = _origin(request, assignment, asked)
        draft = own.filter(origin=origin.submission, interface=origin.interface).first()
    if draft is None:
        return OpenedSource(origin=origin, draft=None, files=origin.files())
    origin = DraftOrigin(assignment=assignment, interface=draft.interface, submission=draft.origin)
    return OpenedSource(origin=origin, draft=draft, files=drafts.files_of(draft))


def _origin(request: HttpRequest, assignment: Assignment, asked: QueryDict) -> DraftOrigin:
    key = chosen_id(asked.get("submission", ""))
    if key is not None:
        mine = Submission.objects.filter(
            team__assignment=assignment, team__memberships__user=current_user(request)
        )
        submission = get_object_or_404(mine.select_related("team__assignment__course"), pk=key)
        return DraftOrigin(
            assignment=assignment, interface=submission.interface, submission=submission
        )
    interface = asked.get("kit", "") or assignment.interfaces[0]
    if interface not in assignment.interfaces:
        raise Http404("Agents of this assignment are not written for this interface.")
    return DraftOrigin(assignment=assignment, interface=interface)


# --- What the form sends ------------------------------------------------------------------------


def _act(request: HttpRequest, opened: OpenedSource) -> HttpResponse:
    act, draft = request.POST.get("act", "save"), opened.draft
    if act == "discard" and draft is not None:
        return _discard(request, opened, draft)
    try:
        saved = _save(request, opened, act)
    except Refused as refusal:
        return _show(request, opened, refusal=str(refusal), texts=_sent(request))
    result = _try_or_upload(request, saved.draft, act)
    if isinstance(result, HttpResponse):
        return result
    if result:
        messages.error(request, result)
    if saved.instead_of is not None:
        messages.warning(request, _kept_both(saved.instead_of))
    if _is_scripted(request):
        return _answer_form(request, opened, saved)
    shown = {
        "draft": saved.draft.pk,
        "file": request.POST.get("new") or request.POST.get("file", ""),
    }
    return redirect(editor_address(opened.origin.assignment, **shown))


def _is_scripted(request: HttpRequest) -> bool:
    """Return whether htmx sent the form, and swaps a part of the page for the answer."""
    return request.headers.get("HX-Request") == "true"


def _sent(request: HttpRequest) -> dict[str, str]:
    names, texts = request.POST.getlist("name"), request.POST.getlist("text")
    return dict(zip(names, texts, strict=False))


def _save(request: HttpRequest, opened: OpenedSource, act: str) -> Saved:
    files = drafts.edited(opened.files, _sent(request))
    if act == "add":
        files = drafts.with_new_file(files, request.POST.get("new", "").strip())
    return drafts.save_draft(
        draft=opened.draft,
        origin=opened.origin,
        files=files,
        revision=whole_number(request.POST.get("revision", ""), digits=9) or 0,
        user=current_user(request),
        at=timezone.now(),
    )


def _try_or_upload(request: HttpRequest, draft: Draft, act: str) -> HttpResponse | str:
    """Do what the button says; return the page that it leads to, or why it was refused."""
    user = current_user(request)
    try:
        if act == "try":
            pipeline.try_draft(draft=draft, user=user)
        elif act == "upload":
            submission = pipeline.upload_draft(draft=draft, user=user)
            return redirect("submissions:submission", submission.pk)
        elif act == "save" and not _is_scripted(request):
            messages.success(request, "The draft is saved.")
    except UploadRefused:
        return "It was not accepted: the reasons stand beside the text."
    except Refused as refusal:
        return str(refusal)
    return ""


def _kept_both(other: Draft) -> str:
    who, at = other.edited_by, timezone.localtime(other.edited_at, other.assignment.course.tz)
    return (
        f"{who} saved a newer edition at {at:%H:%M}. It stays, and yours is kept as a draft of its"
        " own: you see it here. Nothing was merged."
    )


def _discard(request: HttpRequest, opened: OpenedSource, draft: Draft) -> HttpResponse:
    assignment = opened.origin.assignment
    if "sure" not in request.POST:
        question = Question(
            title="Discard this draft?",
            effects=("Its text is deleted. Submissions stay as they are.",),
            button="Discard draft",
            back=editor_address(assignment, draft=draft.pk),
            values={"act": "discard", "sure": "yes", "draft": str(draft.pk)},
            assignment=assignment,
        )
        return ask(request, question)
    drafts.discard_draft(draft=draft, user=current_user(request))
    messages.success(request, "The draft is discarded.")
    return redirect("courses:assignment", assignment.course.slug, assignment.slug)


# --- The page -----------------------------------------------------------------------------------


def _show(
    request: HttpRequest,
    opened: OpenedSource,
    *,
    refusal: str = "",
    texts: Mapping[str, str] | None = None,
) -> HttpResponse:
    """Render the page; with a refusal and the texts that were sent, so that none is lost."""
    if refusal and _is_scripted(request):
        return render(request, "submissions/_tried.html", {"refusal": refusal})
    editable = editable_texts(opened.files)
    files = [
        EditedFile(name=name, text=(texts or {}).get(name, editable[name]), mode=_mode(name))
        for name in sorted(editable, key=lambda name: (not _mode(name), name))
    ]  # sources first: the first one is shown
    context = {
        **_state_context(request, opened.origin, opened.draft),
        **(tried_context(opened.draft) if opened.draft is not None else {}),
        "files": files,
        "modes": sorted({file.mode for file in files} - {""}),
        "kept_files": [name for name in opened.files if name not in editable],
        "words": completions(opened.origin.interface, opened.origin.assignment.game),
        "refusal": refusal,
        "asked_file": request.GET.get("file", "") or request.POST.get("file", ""),
        "asked_line": whole_number(request.GET.get("line", "")) or 0,
    }
    return render(request, "submissions/editor.html", context, status=422 if refusal else 200)


def _mode(name: str) -> str:
    return MODES.get(PurePosixPath(name).suffix.lower(), "")


def _answer_form(request: HttpRequest, opened: OpenedSource, saved: Saved) -> HttpResponse:
    """Answer the page's own request: the last try, and which draft it goes on from."""
    draft = get_object_or_404(
        _drafts(current_user(request), opened.origin.assignment), pk=saved.draft.pk
    )
    context = {
        **_state_context(request, opened.origin, draft),
        **tried_context(draft),
        "swaps_state": True,
    }
    return render(request, "submissions/_tried.html", context)


def _state_context(
    request: HttpRequest, origin: DraftOrigin, draft: Draft | None
) -> dict[str, Any]:
    user, assignment = current_user(request), origin.assignment
    team = team_of(user, assignment)
    return {
        **assignment_context(assignment),
        "origin": origin,
        "draft": draft,
        "is_author": draft is not None and draft.author_id == user.pk,
        "others": _drafts(user, assignment).exclude(pk=0 if draft is None else draft.pk),
        "number": 1 if team is None else team.submissions.count() + 1,
        "uploads_left": assignment.uploads_per_day if team is None else uploads_left(team),
        "tries_left": tries_left(user, assignment),
    }


def tried_context(draft: Draft) -> dict[str, Any]:
    """Return the values of ``submissions/_tried.html``: how the last try stands, its marks."""
    run, assignment = draft.tried, draft.assignment
    causes = [] if run is None else causes_of(run, sees_games=True)
    names = drafts.files_of(draft)
    is_over = run is not None and not run.is_open
    return {
        **assignment_context(assignment),
        "draft": draft,
        "run": run,
        "verdict": None if run is None else run_line(run),
        "marks": [*_of_messages(draft, names), *_of_causes(causes, names)],
        "printed": _printed_at_fault(causes[0]) if causes else [],
        "mean": ""
        if run is None or run.mean is None
        else assignment.scheme.mean_in_words(run.mean),
        "worst": worst_games(run, limit=1) if run is not None and is_over else [],
        "is_older": draft.tried_revision not in (0, draft.revision),
        "watch": _watch(draft, run),
    }


def _watch(draft: Draft, run: Evaluation | None) -> Watch | None:
    if run is None or not run.is_open:
        return None
    assignment = draft.assignment
    address = reverse(
        "submissions:editor_live", args=[assignment.course.slug, assignment.slug, draft.pk]
    )
    state = (run.pk, run.status, run.games_done, run.faults)
    return watch_state(address, state, seconds=_POLL_SECONDS, part="#tried")


def _of_messages(draft: Draft, names: Mapping[str, bytes]) -> list[ErrorMark]:
    return [
        ErrorMark(
            file=_known(str(each["file"]), names), line=int(each["line"]), text=str(each["text"])
        )
        for each in draft.messages
    ]


def _of_causes(causes: list[FaultCause], names: Mapping[str, bytes]) -> list[ErrorMark]:
    return [
        ErrorMark(
            file="" if cause.place is None else _known(cause.place.file, names),
            line=0 if cause.place is None else cause.place.line,
            text=cause.words,
            cause=cause,
        )
        for cause in causes
    ]


def _known(file: str, names: Mapping[str, bytes]) -> str:
    """Return the file's name in the editor; stack traces may tell only its last part."""
    found = [file] if file in names else [name for name in names if name.endswith(f"/{file}")]
    return found[0] if len(found) == 1 else ""


def _printed_at_fault(cause: FaultCause) -> list[str]:
    game = cause.fault.first
    return [each.text for each in game.printed if each.turn == game.fault_turn]
