"""Splits an agent's output by the turns in which it was written."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from grader.core.prints import MAX_CHARACTERS, bounded
from grader.core.records import Printed
from grader.core.referee import BEFORE_FIRST_TURN, END, Turn
from sandbox.exits import StderrDrain


class TurnMarks:
    """Notes how much a process had printed when each of its turns began.

    What it prints when it was told of the end belongs to the last turn, and what it prints between
    its turns to the next.
    """

    def __init__(self, drain: StderrDrain) -> None:
        self._drain = drain
        self._turn: Turn | None = None
        self._number = BEFORE_FIRST_TURN
        """The turn to which what is printed now belongs."""
        self._began_at = 0
        # One mark for each earlier turn that printed: the bytes received when it began, its number,
        # its seat.
        self._marks: list[tuple[int, int, int]] = []

    def begin(self, turn: Turn) -> None:
        """Note that a message goes to a seat of this process."""
        if self._drain.received_bytes != self._began_at:
            self._marks = self._all_marks()
            self._began_at = self._drain.received_bytes
        # The end of a game has the number of the next turn, or of the one that failed.
        is_over = turn.kind is END
        self._number = max(turn.number - 1, self._number) if is_over else turn.number
        self._turn = turn

    def _all_marks(self) -> list[tuple[int, int, int]]:
        turn = self._turn
        if turn is None:
            return self._marks
        return [*self._marks, (self._began_at, self._number, turn.seat)]

    def printed(self) -> Iterator[Printed]:
        """The end of the output by turn, once the process has ended. Bytes that are no text are
        shown as escapes."""
        end = self._drain.end(at_most_bytes=MAX_CHARACTERS)
        missing = self._drain.received_bytes - len(end)
        last = (self._drain.received_bytes, 0, 0)
        for (start, turn, seat), (stop, _, _) in pairwise([*self._all_marks(), last]):
            if part := end[max(start - missing, 0) : max(stop - missing, 0)]:
                yield Printed(turn=turn, seat=seat, text=part.decode("utf-8", "backslashreplace"))

    @property
    def is_cut(self) -> bool:
        """True if there was more output than is returned."""
        return self._drain.received_bytes > len(self._drain.end(at_most_bytes=MAX_CHARACTERS))


def printed_by(processes: Iterable[TurnMarks]) -> tuple[Printed, ...]:
    """The output of some processes of a game in the order of its turns, bounded."""
    marks = list(processes)
    printed = [printed for process in marks for printed in process.printed()]
    is_cut = any(process.is_cut for process in marks)
    return bounded(sorted(printed, key=lambda printed: (printed.turn, printed.seat)), is_cut=is_cut)
