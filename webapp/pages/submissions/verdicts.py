"""The one line on top of a submission's page: how it stands, and what that means."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone

from grader.core.words import counted
from webapp.grading.evaluations.models import Evaluation, Kind, Status, Verdict
from webapp.grading.evaluations.selectors import progress
from webapp.grading.submissions.models import Submission, SubmissionStatus
from webapp.grading.submissions.source import Complaint
from webapp.pages.addresses import editor_address
from webapp.pages.causes import FaultCause, causes_of
from webapp.pages.evaluation_parts import EvaluationPart

_SHORT: Final = 60
"""Characters of a complaint that fits into the headline."""
_KIND_WORDS = {
    Kind.GRADED: "graded", Kind.PRACTICE: "practice", Kind.SMOKE: "first test", Kind.TRY: "try"
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """A sign, a headline and a sentence."""

    tint: str
    """``good``, ``warn``, ``bad`` or ``busy``."""
    sign: str
    words: str
    sentence: str
    title: str
    """Begins the title of the browser's tab."""


def verdict_line(
    submission: Submission,
    run: Evaluation | None,
    complaints: Sequence[Complaint],
    causes: Sequence[FaultCause],
    *,
    counted_number: int | None = None,
) -> VerdictLine:
    """Say how a submission stands, by the evaluation that its page shows and the causes of its
    faults.

    ``counted_number`` is that of the team's submission that counts, if there is one.
    """
    if submission.status == SubmissionStatus.REJECTED:
        return _rejected(run, complaints, causes, counted_number)
    if run is None:
        return VerdictLine("busy", "▶", "Received", "It will be tested in a moment.", "Received")
    return run_line(run)


def run_line(run: Evaluation) -> VerdictLine:
    """Say how an evaluation stands."""
    return _live(run) if run.is_open else _over(run)


def _rejected(
    run: Evaluation | None,
    complaints: Sequence[Complaint],
    causes: Sequence[FaultCause],
    counted_number: int | None,
) -> VerdictLine:
    why = str(causes[0]) if causes else _complained(next(iter(complaints), None))
    words = f"Rejected: {why}" if why else "Rejected"
    faults = ""
    if causes and run is not None:
        faults = f"{counted(run.faults, 'game')} of the first test ended with a fault. "
    counts = "No submission counts yet."
    if counted_number is not None:
        counts = f"Submission {counted_number} still counts."
    return VerdictLine("bad", "✕", words, f"{faults}It does not count. {counts}", "Rejected")


def _complained(first: Complaint | None) -> str:
    if first is None or not first.file:
        return ""
    where = f"{first.file} line {first.line}" if first.line else first.file
    what, *more = first.text.splitlines() or [""]
    is_short = what and not more and len(what) <= _SHORT
    return f"{what}, {where}" if is_short else f"an error, {where}"


def _live(run: Evaluation) -> VerdictLine:
    now = progress(run)
    kind = _KIND_WORDS[Kind(run.kind)]
    if run.status == Status.QUEUED:
        ahead = now.games_ahead
        words = f"Waiting: {counted(ahead, 'game')} ahead of yours" if ahead else f"Waiting: {kind}"
        sentence = f"{now.why} You can leave this page.".strip()
        return VerdictLine("busy", "▶", words, sentence, "Waiting")
    sentence = "You can leave this page."
    words = f"Playing: {kind}"
    return VerdictLine("busy", "▶", words, sentence, f"Playing {kind}")


def _over(run: Evaluation) -> VerdictLine:
    kind = _KIND_WORDS[Kind(run.kind)]
    if run.status == Status.FAILED:
        who = "You" if run.kind == Kind.TRY else "Staff"
        sentence = f"{who} can start it again. This does not count against you."
        return VerdictLine("warn", "!", "Our fault: a grader failed", sentence, "Our fault")
    if run.status == Status.CANCELLED:
        return VerdictLine(
            "warn",
            "!",
            "Stopped" if run.kind == Kind.TRY else f"Stopped by staff: {kind}",
            "It does not count.",
            "Stopped",
        )
    return _played(run, kind)


def _played(run: Evaluation, kind: str) -> VerdictLine:
    games = counted(run.n_games, f"{kind} game") if run.kind != Kind.SMOKE else ""
    games = games or f"{counted(run.n_games, 'game')} of the first test"
    if run.verdict == Verdict.REJECTED:
        return VerdictLine("bad", "✕", "It cannot be played", "", "Rejected")
    if run.verdict == Verdict.FAULTY:
        words = f"Stopped: {counted(run.faults, 'game')} ended with a fault"
        return VerdictLine("bad", "✕", words, "", "Stopped")
    if run.faults:
        words = f"Accepted with faults: {run.faults} of {games}"
        sentence = "A faulted game gets the worst possible score."
        return VerdictLine("warn", "!", words, sentence, "Accepted with faults")
    words = f"Accepted: all {games} played, no faults"
    return VerdictLine("good", "✓", words, _times(run), "Accepted")


def _times(run: Evaluation) -> str:
    if not run.turn_ms:
        return ""
    limit = 1000 * float(run.spec["limits"]["turn_seconds"])
    median, slowest = run.turn_ms["median"], run.turn_ms["max"]
    return (
        f"Half of its turns took under {_ms(median)}; the slowest took {_ms(slowest)}"
        f" of the {limit:,.0f} ms allowed."
    )


def _ms(milliseconds: float) -> str:
    return f"{milliseconds:.2g} ms" if milliseconds < 100 else f"{milliseconds:.0f} ms"


@dataclass(frozen=True, slots=True)
class VerdictStep:
    """One stage of the pipeline: a sign, a word, a fact, whether it is the present one."""

    sign: str
    words: str
    fact: str
    tint: str
    current: bool


def steps_of(submission: Submission, evaluations: Sequence[Evaluation]) -> list[VerdictStep]:
    """Tell how far a submission has come: received, built, tested, practised, judged.

    The verdict is that of the headline: of the most important evaluation, which comes first.
    """
    runs = {evaluation.kind: evaluation for evaluation in evaluations}
    of = {"First test": runs.get(Kind.SMOKE), "Practice": runs.get(Kind.PRACTICE)}
    return [_marked(step, of.get(step.words)) for step in _steps(submission, evaluations, runs)]


def _marked(step: VerdictStep, run: Evaluation | None) -> VerdictStep:
    """Return the step; not in green if its games had faults, or were not all played."""
    if step.tint != "good" or run is None:
        return step
    if run.status == Status.FAILED:
        return replace(step, sign="!", tint="warn", fact="failed on our side")
    if run.status == Status.CANCELLED:
        return replace(step, sign="!", tint="warn", fact="stopped by staff")
    return replace(step, sign="!", tint="warn") if run.faults else step


def _steps(
    submission: Submission, evaluations: Sequence[Evaluation], runs: Mapping[str, Evaluation]
) -> list[VerdictStep]:
    practice = runs.get(Kind.PRACTICE)
    steps = [
        ("Received", f"{submission.size_bytes / 1024:.1f} KiB"),
        ("Built", ""),
        ("First test", _games(runs.get(Kind.SMOKE))),
    ]
    if practice is not None or submission.status != SubmissionStatus.READY:
        steps.append(("Practice", _games(practice)))
    if submission.status == SubmissionStatus.REJECTED:
        reached = 2 if any(evaluation.games_done for evaluation in evaluations) else 1
        return _stopped_at(reached, [*steps, ("Verdict", "")])
    if submission.status == SubmissionStatus.READY and (practice is None or not practice.is_open):
        *rest, last = _gone_to(len(steps), [*steps, ("Verdict", "")])
        over = (run for run in evaluations if run.status == Status.FINISHED)
        sign, fact, tint = _judged(next(over, None))
        return [*rest, replace(last, sign=sign, fact=fact, tint=tint)]
    at = _ORDER.index(SubmissionStatus(submission.status))
    so_far = _gone_to(at, [*steps, ("Verdict", "")])
    if practice is not None and practice.is_open:
        so_far[at] = replace(so_far[at], sign=str(at + 1), tint="busy")
    return so_far


_ORDER: Final = (
    SubmissionStatus.RECEIVED,
    SubmissionStatus.CHECKED,
    SubmissionStatus.SMOKE_TESTED,
    SubmissionStatus.READY,
)
"""A submission that is ready is practised with."""


def _gone_to(at: int, steps: Sequence[tuple[str, str]]) -> list[VerdictStep]:
    return [
        VerdictStep(
            "✓" if index <= at else str(index + 1),
            *step,
            tint="good" if index <= at else "",
            current=index == at,
        )
        for index, step in enumerate(steps)
    ]


def _stopped_at(at: int, steps: Sequence[tuple[str, str]]) -> list[VerdictStep]:
    done = _gone_to(at, steps[: at + 1])
    done[at] = VerdictStep("✕", steps[at][0], "rejected", tint="bad", current=True)
    return done + [
        VerdictStep(str(index + 1), steps[index][0], "not reached", tint="", current=False)
        for index in range(at + 1, len(steps))
    ]


def _judged(run: Evaluation | None) -> tuple[str, str, str]:
    if run is not None and run.verdict == Verdict.FAULTY:
        return "✕", "stopped after faults", "bad"
    if run is not None and run.faults:
        return "!", "accepted, with faults", "warn"
    return "✓", "accepted", "good"


def _games(run: Evaluation | None) -> str:
    if run is None:
        return ""
    if run.mean is None:
        return counted(run.n_games, "game")
    faults = f", {counted(run.faults, 'fault')}" if run.faults else ""
    mean = run.assignment.scheme.mean_in_words(run.mean)
    return f"{counted(run.n_games, 'game')}, mean {mean}{faults}"


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """A suggested next action."""

    title: str
    words: str
    button: str
    address: str
    is_primary: bool = False


def next_steps(
    submission: Submission,
    part: EvaluationPart | None,
    practice: Evaluation | None,
    *,
    complaints: Sequence[Complaint] = (),
    edits: bool = False,
    upload_until: datetime | None,
) -> list[NextStep]:
    """Return the next steps of a submission's reader, once no game is being played.

    ``complaints``: of the build that rejected it. ``edits``: the reader may edit its files.
    ``practice``: its games are watched where those of the part are secret. ``upload_until``: the
    end of uploads that count, for people who may upload.
    """
    if part is not None and part.evaluation.is_open:
        return []
    steps: list[NextStep] = []
    if part is None and edits:
        steps = list(_to_mend(submission, complaints))
    elif part is not None and part.sees_games:
        steps = [
            *_to_fix(submission, part.causes, edits=edits),
            *_to_watch(part.evaluation, part.causes),
        ]
    elif practice is not None and not practice.is_open:
        steps = list(_to_watch(practice, causes_of(practice, sees_games=True)))
    if upload_until is not None:
        assignment = submission.team.assignment
        page = reverse("courses:assignment", args=[assignment.course.slug, assignment.slug])
        steps.append(
            NextStep(
                title="Upload again",
                words=f"Uploads count until {_local(upload_until, assignment.course.tz)}.",
                button="Upload a new version",
                address=f"{page}#upload",
                is_primary=True,
            )
        )
    return steps


def _to_mend(submission: Submission, complaints: Sequence[Complaint]) -> Iterator[NextStep]:
    """The line of the first complaint that has one."""
    first = next((each for each in complaints if each.line), None)
    if first is not None and submission.sources_removed_at is None:
        yield NextStep(
            title=f"Fix line {first.line}",
            words=f"{_complained(first)}.",
            button=f"Fix line {first.line}",
            address=editing_address(submission, first.file, first.line),
        )


def editing_address(submission: Submission, file: str = "", line: int = 0) -> str:
    """Return the address of the editor for a submission, at a line of one of its files."""
    where = {"file": file, "line": line} if file else {}
    return editor_address(submission.team.assignment, submission=submission.pk, **where)


def _to_fix(
    submission: Submission, causes: Sequence[FaultCause], *, edits: bool
) -> Iterator[NextStep]:
    """The line of the most frequent cause."""
    cause = next(iter(causes), None)
    if cause is None or cause.place is None or submission.sources_removed_at is not None:
        return
    place = cause.place
    page = reverse("submissions:source", args=[submission.pk])
    yield NextStep(
        title=f"Fix line {place.line}",
        words=f"{cause.words[:1].upper()}{cause.words[1:]}, in {place.file}.",
        button=f"{'Fix' if edits else 'Show'} line {place.line}",
        address=editing_address(submission, place.file, place.line)
        if edits
        else f"{page}?{urlencode({'file': place.file})}#line-{place.line}",
    )


def _to_watch(run: Evaluation, causes: Sequence[FaultCause]) -> Iterator[NextStep]:
    """A faulted game, and the worst of the others from its costliest turn."""
    game = "practice game" if run.kind == Kind.PRACTICE else "game"
    if causes:
        index = causes[0].fault.group.games[0]
        yield NextStep(
            title=f"Watch it fail in {game} {index}",
            words="The game opens at the turn of the fault, with what your program printed there.",
            button=f"Watch {game} {index}",
            address=reverse("evaluations:game", args=[run.uuid, index]),
        )
    insights = run.parsed_insights
    if insights is not None and (watch := insights.watch) is not None:
        address = reverse("evaluations:game", args=[run.uuid, watch.index])
        yield NextStep(
            title=f"Watch {game} {watch.index}",
            words=f"It scored {watch.score}. {watch.words} in turn {watch.turn},"
            f" which costs {counted(watch.points, 'point')}.",
            button=f"Watch from turn {watch.turn}",
            address=f"{address}?turn={watch.turn}",
        )


def _local(moment: datetime, zone: ZoneInfo) -> str:
    local = timezone.localtime(moment, zone)
    return f"{local:%a} {local.day} {local:%b, %H:%M}"
