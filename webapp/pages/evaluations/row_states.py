"""The state of a row on the staff's page of an assignment: a word, a fact, and a link."""

from dataclasses import dataclass, replace

from django.urls import reverse
from django.utils import timezone

from grader.core.words import counted
from webapp.grading.evaluations.models import Evaluation, Status, Verdict
from webapp.grading.gradebook.faults import FAULTY_SHARE, is_mostly_lost
from webapp.grading.gradebook.work import TeamWork


@dataclass(frozen=True, slots=True, kw_only=True)
class RowState:
    """A row's state."""

    word: str
    sign: str
    tint: str = ""
    fact: str = ""
    button: str = ""
    """The label of the link to the page to check; empty if there is none."""
    address: str = ""
    may_remind: bool = False
    """True if a reminder helps: an upload is overdue."""


def state_of(row: TeamWork) -> RowState:
    """Return the state of a team, or of a student who is in none."""
    if row.run is not None and row.run.is_open:
        return _under_way(row.run)
    if row.run is not None and row.run.status == Status.FAILED:
        return RowState(word="failed", sign="!", tint="bad", fact="our machines failed")
    if row.is_graded and row.grade is not None:
        return _graded(row, row.grade.evaluation)
    if row.is_extended and not row.is_over:
        return _extended(row)
    if row.counted is not None:
        return _not_graded(row)
    return _nothing_counts(row)


def flagged_state(state: RowState, row: TeamWork, tournament: str) -> RowState:
    """Return the state of a team that a replay audit flagged: of a tournament, or of its grade.

    ``tournament``: the page of the tournament's audit; empty if that of the grade flagged it.
    """
    grade = "" if row.grade is None else _page_of(row.grade.evaluation)
    return replace(
        state, word="check", sign="!", tint="warn", fact="different moves in the replay audit",
        button="See audit", address=tournament or grade,
    )  # fmt: skip


def _under_way(run: Evaluation) -> RowState:
    if run.status == Status.QUEUED:
        return RowState(word="queued", sign="○", tint="busy")
    return RowState(word="playing", sign="▶", tint="busy")


def _graded(row: TeamWork, run: Evaluation) -> RowState:
    if run.verdict in (Verdict.FAULTY, Verdict.REJECTED):
        return _stopped(run)
    if run.faults:
        many = run.faults * FAULTY_SHARE >= run.n_games
        return RowState(
            word="faults" if many else "graded", sign="!", tint="warn", fact=_faulted(run),
            button="See faults" if many else "", address=_faults_of(run) if many else "",
        )  # fmt: skip
    if is_mostly_lost(run.lost, run.n_games):
        share = f"{(run.lost or 0) / run.n_games:.0%} of games lost"
        address = reverse("evaluations:games", args=[run.uuid])
        return RowState(
            word="check", sign="!", tint="warn", fact=share, button="See games", address=address
        )
    return RowState(word="graded", sign="✓", tint="good", fact=_choice(row))


def _stopped(run: Evaluation) -> RowState:
    fact = _faulted(run) if run.faults else "no game was played"
    see = ("See faults", _faults_of(run)) if run.faults else ("See why", _page_of(run))
    return RowState(word="faults", sign="!", tint="warn", fact=fact, button=see[0], address=see[1])


def _faulted(run: Evaluation) -> str:
    return f"{run.faults:,} of {counted(run.n_games, 'game')} faulted"


def _faults_of(run: Evaluation) -> str:
    return f"{reverse('evaluations:games', args=[run.uuid])}?show=faults"


def _page_of(run: Evaluation) -> str:
    return reverse("evaluations:evaluation", args=[run.uuid])


def _choice(row: TeamWork) -> str:
    """Say that an earlier upload counts than the last one."""
    if row.counted is None or row.counted.number == row.uploads.latest_number:
        return ""
    return f"submission {row.counted.number} counts"


def _extended(row: TeamWork) -> RowState:
    if row.team is None:
        return RowState(word="extension", sign="◷", fact="nothing uploaded")
    until = f"{timezone.localtime(row.due_at, row.assignment.course.tz):%a %-d %b, %H:%M}"
    return RowState(word="extension", sign="◷", fact=f"until {until}")


def _not_graded(row: TeamWork) -> RowState:
    fact = ""
    if row.grade is not None and row.grade.evaluation.submission is not None:
        fact = f"the grade is of submission {row.grade.evaluation.submission.number}"
    return RowState(word="not graded", sign="○", fact=fact)


def _nothing_counts(row: TeamWork) -> RowState:
    if row.testing is not None:
        fact = f"submission {row.testing.number} is still being tested"
        return RowState(word="in test", sign="◐", tint="busy", fact=fact)
    if not row.uploads.n_all and row.is_overdue:
        return RowState(
            word="no upload", sign="✕", tint="bad", fact="nothing uploaded", may_remind=True
        )
    if not row.uploads.n_all:
        return RowState(word="no upload yet", sign="–")
    if row.uploads.ends_rejected:
        address = reverse("submissions:submission", args=[row.uploads.latest])
        which = "only" if row.uploads.n_all == 1 else "last"
        return RowState(
            word="rejected", sign="✕", tint="bad", fact=f"the {which} upload was rejected",
            button="See why", address=address,
        )  # fmt: skip
    return RowState(word="late", sign="!", tint="warn", fact="no upload before the deadline")
