"""The referee's seat: a sandbox in which the rules of an uploaded folder run, as an agent does.

No network, limits on time, memory and bytes a message. Each play has a process of its own, so that
one play leaves nothing to the next. Whatever goes wrong in the rules is a GameFault: it names the
folder, and no agent is to blame. A failure of the host stays a SandboxError, which is retried.
"""

import hashlib
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from grader.core.errors import GameFault, SystemFault
from grader.core.words import printable
from grader.play.sandbox_cache import SandboxKey, sandbox_key
from grader.play.slot import Slot
from grader.uploads.archive import unpack
from sandbox.errors import HostError, SandboxError
from sandbox.exits import Exit, ExitKind
from sandbox.limits import Limits
from sandbox.open_sandbox import OpenSandbox
from sandbox.process import AgentProcess
from sandbox.program import Adapter, Program
from sandbox.scratch import make_scratch, remove_scratch
from sandbox.timeouts import AskFailure, AskFailureKind

LIMITS: Final = Limits(
    turn_seconds=2.0,
    turn_wall_seconds=10.0,
    start_seconds=10.0,
    memory_mib=512,
    reply_bytes=64 << 10,
    stdout_bytes=16 << 20,  # 27 times as much memory if it is all empty objects
    stderr_bytes=16 << 10,
)
"""For one answer of the rules; bytes are those of a whole play."""
PLAY_SECONDS: Final = 60.0
"""Charged time of the rules in one play."""
_WALL_FACTOR: Final = 4
"""Rules that sleep may take so many times as long."""
_DEEPEST: Final = 20
"""Levels of lists and objects in an answer."""
_GRADER: Final = Path(__file__).parent.parent
_ADAPTER: Final = Adapter(
    root=_GRADER.parent,
    paths=(_GRADER / "core", _GRADER / "conformance"),
    play="grader.conformance.served:play",
    build="grader.conformance.served:build",
    preload=("grader.conformance.served", "grader.core.games.joint", "grader.core.games.openings",
             "grader.core.games.fixed", "grader.core.games.outcomes"),
    readable=True,
)  # fmt: skip


class RulesProcess:
    """A process that serves the rules. Every answer is untrusted."""

    def __init__(
        self, process: AgentProcess, name: str, limits: Limits, play_seconds: float
    ) -> None:
        self._process = process
        self._name = name
        self._limits, self._play_seconds = limits, play_seconds
        self._charged_us, self._waited_seconds = 0, 0.0
        self._end: Exit | None = None

    def ask(self, act: str, *words: object, start: bool = False) -> Any:
        """Return the value of an answer. Raises GameFault, and HostError for a doubtful timeout."""
        line = msgspec.json.encode({"do": act, "with": words}) + b"\n"
        began = time.monotonic()
        answer = self._process.ask(line, start=start)
        self._charged_us += self._process.charged_us
        self._waited_seconds += time.monotonic() - began
        if isinstance(answer, AskFailure):
            if answer.doubtful:
                raise HostError(f"the host lost time while {self._name} answered")
            raise self.fault(f"{self._failure(answer)} (`{act}`)")
        is_slow = self._waited_seconds > _WALL_FACTOR * self._play_seconds
        if is_slow or self._charged_us > self._play_seconds * 1e6:
            raise self.fault(f"its rules took more than {self._play_seconds:g} s in one play")
        return self._value(act, answer)

    def fault(self, problem: str) -> GameFault:
        """Return the error that tells of a problem with the rules."""
        return GameFault(f"{self._name}: {printable(problem)[:600]}")

    def close(self) -> Exit:
        """End the process, once."""
        if self._end is None:
            self._end = self._process.finish(None)
        return self._end

    def _value(self, act: str, line: bytes) -> Any:
        try:
            answer = msgspec.json.decode(line)
            _require_flat(answer)
        except (msgspec.DecodeError, RecursionError, UnicodeError, ValueError) as error:
            raise self.fault(f"its answer to `{act}` is no JSON that is read: {error}") from error
        if isinstance(answer, dict) and answer.keys() == {"value"}:
            return answer["value"]
        if isinstance(answer, dict) and answer.keys() == {"error"}:
            raise self.fault(f"its rules fail in `{act}`: {answer['error']}")
        if isinstance(answer, dict) and answer.keys() == {"refused"}:
            raise self.fault(f"its rules refuse a legal action: {answer['refused']}")
        raise self.fault(f"its answer to `{act}` is none")

    def _failure(self, failure: AskFailure) -> str:
        if failure.kind is AskFailureKind.LONG_LINE:
            return f"its rules answered with more than {self._limits.reply_bytes >> 10} KiB"
        if failure.kind is AskFailureKind.QUOTA:
            return f"its rules wrote more than {self._limits.stdout_bytes >> 20} MiB in one play"
        if failure.kind in {AskFailureKind.TIMEOUT, AskFailureKind.IDLE}:
            return f"its rules hang: no answer, {failure.detail}"
        end = self.close()
        if end.kind is ExitKind.MEMORY:
            return f"its rules needed more memory than {self._limits.memory_mib} MiB"
        if end.kind is ExitKind.FORBIDDEN:
            return "its rules tried to start a thread, a process or another program"
        return f"its rules ended their process: {end.describe()}"


def _require_flat(value: object) -> None:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for each in level
            if isinstance(each, dict | list)
            for inner in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise ValueError(f"it is nested more than {_DEEPEST} levels deep")


class RulesSeat:
    """The sandbox of one folder's rules, opened when it is needed, and again when it was lost."""

    def __init__(
        self, program: Program, key: SandboxKey, slot: Slot, name: str, play_seconds: float
    ) -> None:
        self._program, self._key, self._slot = program, key, slot
        self._name, self._play_seconds = name, play_seconds
        self._opened: OpenSandbox | None = None

    @contextmanager
    def process(self) -> Iterator[RulesProcess]:
        """Yield a fresh process that has loaded the game. Raises GameFault and SandboxError."""
        try:
            started = self._sandbox().sandbox.start_process()
            process = RulesProcess(started, self._name, self._key.limits, self._play_seconds)
            try:
                process.ask("load", start=True)
                yield process
            finally:
                process.close()
        except SandboxError:
            self.close()
            raise

    def _sandbox(self) -> OpenSandbox:
        if self._opened is None:
            cache, sources = self._slot.sandboxes, self._program.sources
            assert sources is not None  # noqa: S101 - given above
            waiting = None if cache is None else cache.take(self._key, sources, b"")
            self._opened = waiting or self._slot.open_sandbox(self._program, self._key.limits)
        return self._opened

    def give_back(self) -> None:
        """Leave the sandbox to later batches, if the slot keeps any."""
        opened, self._opened = self._opened, None
        if opened is not None and self._slot.sandboxes is not None:
            self._slot.sandboxes.give_back(self._key, opened)
        elif opened is not None:
            opened.close()

    def close(self) -> None:
        """Close the sandbox."""
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()


@contextmanager
def rules_seat(
    archive: bytes,
    slot: Slot,
    name: str,
    limits: Limits = LIMITS,
    *,
    play_seconds: float = PLAY_SECONDS,
) -> Iterator[RulesSeat]:
    """Unpack a stored folder; yield the seat of its rules, and free everything on leaving.

    Raises SystemFault where nothing confines them: uploaded rules run in no other way.
    """
    if not slot.sandboxed:
        raise SystemFault("uploaded rules run in a sandbox alone")
    folder = make_scratch("rules")
    try:
        unpack(archive, folder)
        program = Program(adapter=_ADAPTER, sources=folder)
        key = sandbox_key(program, hashlib.sha256(archive).digest(), (), limits, slot.core)
        seat = RulesSeat(program, key, slot, name, play_seconds)
        try:
            yield seat
        finally:
            seat.close()
    finally:
        remove_scratch(folder)
