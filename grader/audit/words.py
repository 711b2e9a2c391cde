"""Texts about a replay audit for instructors, on pages and in the command. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from grader.audit import Attempt, AuditCause, AuditEvidence, Conclusion, Pace, SeatAudit
from grader.core.words import counted

CAUTION: Final = (
    "A flag is a reason to look, never a verdict, and costs no points. An honest agent that"
    " limits its search by a clock may be flagged, since its moves depend on time: look for calls"
    " to a clock in its sources, or ask its authors."
)

EXPLANATIONS: Final = {
    AuditCause.PAUSES: (
        "Played alone, with the same messages, the agent makes one move with the pauses of the"
        " game and another with different pauses. So its moves depend on how long the others took,"
        " which is how two seats could communicate by response time. Another explanation is an"
        " agent that plans its time by a clock that also runs while others think."
    ),
    AuditCause.RECORD: (
        "Played alone, with the same messages, the agent makes the same move in every run, with"
        " any pauses; but in the game it made another one. Either its move depended on time in a"
        " way that the recorded pauses do not reproduce, or a clock ends its search, and the"
        " search got further in the game. Here chance alone flags up to one suspect in 17."
    ),
    Conclusion.SAME: "Every move was repeated, with any pauses between messages.",
    Conclusion.NOT_AUDITABLE: (
        "With the same messages, pauses and seed, the agent makes different moves from run to run:"
        " it uses randomness other than its seed, or a clock ends its search. Nothing can be said"
        " about response times."
    ),
    Conclusion.INCONCLUSIVE: (
        "The runs ended with faults that the game did not have, or time ran out before a"
        " difference was confirmed. This says nothing about the agent."
    ),
    Conclusion.LEFT_OUT: (
        "Not audited: time ran out, enough seats had been flagged, or one process played all seats,"
        " which then need no channel."
    ),
}

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
