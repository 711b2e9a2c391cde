"""Texts about a replay audit for instructors, on pages and in the command. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from grader.audit import Attempt, AuditEvidence, Cause, Conclusion, Pace, SeatAudit
from grader.core.words import counted

__all__ = ["CAUTION", "EXPLANATIONS", "attempts_in_words", "explanation", "headline"]

CAUTION: Final = (
    "A flag is a reason to look, never a verdict, and takes no points by itself. An agent that"
    " limits its search by a clock of its own acts by time and may be flagged honestly: read its"
    " sources where they ask for the time, or ask its authors."
)

EXPLANATIONS: Final = {
    Cause.PAUSES: (
        "Alone, and sent the same messages, the agent does one thing with the pauses that it had"
        " in the game and another with other pauses. So it acts on how long the others took: this"
        " is how two seats would talk by response time. It may also share out its thinking time"
        " by a clock that runs while others think."
    ),
    Cause.RECORD: (
        "Alone, and sent the same messages, the agent does the same in every run, whatever the"
        " pauses; but that is not what it did in the game. Either it acted on the time in a way"
        " that the recorded pauses do not bring back, or its search is cut off by a clock and got"
        " further then. Chance alone brings up to one suspect in 17 here."
    ),
    Conclusion.SAME: "Every move is repeated, whatever the pauses between messages.",
    Conclusion.NOT_AUDITABLE: (
        "Sent the same messages with the same pauses and the same seed, the agent does now this,"
        " now that: it is random by other means than its seed, or its search is cut off by a"
        " clock. Nothing can be said about response times."
    ),
    Conclusion.INCONCLUSIVE: (
        "Re-runs ended in faults that did not happen in the game, or time was over before a"
        " difference was confirmed. Nothing is known, and nothing is held against the agent."
    ),
    Conclusion.LEFT_OUT: (
        "Not looked at: the audit's time was over, enough had been found, or one process played all"
        " seats, which leaves nothing to find."
    ),
}
"""The meaning of each outcome, in a sentence or two."""

_NAMES: Final = {
    Pace.INSTANT: "without pauses",
    Pace.JITTERED: "with random pauses",
    Pace.RECORDED: "with the game's pauses",
}
_COUNTED: Final = {
    Conclusion.DIFFERS: "flagged",
    Conclusion.SAME: "repeated",
    Conclusion.NOT_AUDITABLE: "not auditable",
    Conclusion.INCONCLUSIVE: "inconclusive",
    Conclusion.LEFT_OUT: "left out",
}


def headline(seats: Sequence[SeatAudit]) -> str:
    """The whole audit in one line: ``10 games × 2 seats, all moves repeated``."""
    games = len({seat.index for seat in seats})
    n_seats = len({seat.seat for seat in seats})
    size = f"{counted(games, 'game')} × {counted(n_seats, 'seat')}"
    if len(seats) != games * n_seats:  # who sat where differed from game to game
        size = f"{counted(games, 'game')}, {counted(len(seats), 'seat')} in all"
    counts = Counter(seat.conclusion for seat in seats)
    if set(counts) == {Conclusion.SAME}:
        return f"{size}, all moves repeated"
    parts = [f"{counts[one]} {word}" for one, word in _COUNTED.items() if counts[one]]
    return f"{size}: {', '.join(parts)}"


def explanation(seat: SeatAudit) -> str:
    """Return the meaning of this seat's outcome."""
    return EXPLANATIONS[seat.conclusion if seat.cause is None else seat.cause]


def attempts_in_words(evidence: AuditEvidence) -> tuple[str, ...]:
    """Return the runs' actions in the flagged turn, a line per kind of run."""
    by_pace: dict[Pace, list[Attempt]] = {}
    for attempt in evidence.attempts:
        by_pace.setdefault(attempt.pace, []).append(attempt)
    return tuple(
        f"{_NAMES[pace]}: {_tally(attempts, evidence.words)}" for pace, attempts in by_pace.items()
    )


def _tally(attempts: Iterable[Attempt], words: Mapping[str, str]) -> str:
    did = Counter(_deed(attempt, words) for attempt in attempts)
    return "; ".join(f"{count}× {deed}" for deed, count in did.most_common())


def _deed(attempt: Attempt, words: Mapping[str, str]) -> str:
    if not attempt.action:
        return f"fault {attempt.fault}"
    return ", ".join(filter(None, (attempt.action, words.get(attempt.action, ""))))
