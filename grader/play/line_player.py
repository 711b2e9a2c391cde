"""A program in a process that speaks the lines which its game declares."""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from grader.core.line_wire import LineWire, Step
from grader.core.records import FaultKind
from grader.core.referee import END, START, PlayerFailure, Reply, Turn
from grader.core.wire import WireError
from grader.play.players import ProcessPlayer, shortened
from sandbox.process import AgentProcess
from sandbox.timeouts import AskFailure

_GREETING: Final = Step("\n", "ready")


class LinePlayer(ProcessPlayer):
    """As its base, with lines in the place of messages. All lines of a turn share its time."""

    def __init__(
        self, process: AgentProcess, memory_mib: int, wire: LineWire, *, greets: bool = False
    ) -> None:
        """``greets``: its adapter answers an empty line first."""
        super().__init__(process, memory_mib)
        self._wire, self._greets = wire, greets
        self._unsent = ""
        """Lines without an answer. They are sent together with the next that have one."""
        self._has_answered = False

    def take(self, turn: Turn) -> Reply | PlayerFailure | None:
        """Send the lines; read, check and time the answers."""
        self.prints.begin(turn)
        if turn.kind is END:
            was_started = bool(self.sent)
            self.close((self._unsent + self._wire.end()).encode() if was_started else None)
            return None
        if turn.kind is START:
            greeting = [_GREETING] if self._greets else []
            return self._talk(chain(greeting, self._wire.start(turn.message)), 0)
        before_us = self._before_us if turn.continued else 0
        return self._talk(self._wire.turn(turn.message), before_us)

    def _talk(self, steps: Iterator[Step], before_us: int) -> Reply | PlayerFailure:
        """Take the steps. A program that has answered nothing yet may still be loading."""
        starts, charged_us, action = not self._has_answered, before_us, None
        for step in steps:
            self._unsent += step.sent
            if not step.answer and not step.asks_for_move:
                continue
            answer, charged_us = self._ask(charged_us, starts=starts)
            self._before_us = charged_us
            if isinstance(answer, AskFailure):
                return self._failed(answer, charged_us)
            self._has_answered = True
            try:
                action = self._wire.read(answer, step)
            except WireError as error:
                return PlayerFailure(FaultKind.MALFORMED, shortened(str(error)), charged_us)
        if action is not None:
            self.max_charged_us = max(self.max_charged_us, charged_us)
        return Reply(action, charged_us - before_us)

    def _ask(self, charged_us: int, *, starts: bool) -> tuple[bytes | AskFailure, int]:
        lines, self._unsent = self._unsent.encode(), ""
        self.sent = lines
        while True:
            answer = self._process.ask(lines, start=starts, before_us=charged_us)
            charged_us = self._process.charged_us
            if isinstance(answer, AskFailure):
                return answer, charged_us
            self.received = answer
            if self._wire.is_answer(answer):
                return answer, charged_us
            lines = b""
