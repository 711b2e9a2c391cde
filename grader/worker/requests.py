"""A request on a grading machine: fetch the sources, play, report in parts.

Knows the store and the slots of this machine, but neither Celery nor a database: ``tasks`` hands
it requests and takes its reports.
"""

import logging
import os
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from grader.audit import AuditReport, AuditRequest
from grader.core.errors import GraderError
from grader.core.folder_check import GameCheckReport, GameCheckRequest
from grader.core.games import Game
from grader.core.games.versions import installed_versions
from grader.core.prints import apart
from grader.core.records import (
    AgentRef,
    BatchPhase,
    BatchReport,
    BatchRequest,
    GamePrints,
    GameResult,
    to_json,
)
from grader.interfaces import INTERFACES
from grader.play.batch import open_batch
from grader.play.build_cache import BuildCache
from grader.play.game_check import check_folder
from grader.play.sandbox_cache import SandboxCache
from grader.play.slot import Slot
from grader.results.prints import FIRST_GAMES, LowestGames
from grader.uploads.store import ArtefactStore, StoreUnavailable
from grader.worker.auditor import audit_games
from sandbox.container_spec import oci_runtime
from sandbox.errors import SandboxError
from sandbox.images import image_reference

logger = logging.getLogger(__name__)

_STORE_PAUSES: Final = (1.0, 2.0, 5.0, 10.0, *[20.0] * 10)
"""Seconds between tries while the store does not answer: about four minutes, as for the broker."""
_REPORT_SECONDS: Final = 1.0
"""A report is sent when this much time has passed since the last one, or more under load,"""
_LONGEST_REPORT_SECONDS: Final = 10.0
"""The longest time between reports: a fraction of the time after which a grader counts as dead."""
_SECONDS_A_REPORT: Final = 0.02
"""Delay of the next report for each report that waits for the site."""
_REPORT_GAMES: Final = 200
"""or when this many games are waiting to be reported,"""
_REPORT_BYTES: Final = 1 << 20
"""or when the text of agents in them fills this much."""
_WHOLE_EVIDENCES: Final = 20
"""Faulted games of a batch whose whole evidence is kept, as far as its limit goes,"""
_LATER_STDERR_CHARACTERS: Final = 20_000
"""of others this much of its end: the adapter's explanation and more."""

Report = Callable[[BatchReport], None]


def report_seconds(waiting: int) -> float:
    """Return the seconds between two reports, by the number of reports that wait for the site.

    Fewer, larger reports cost the site less; the end of a batch is reported immediately.
    """
    return min(_REPORT_SECONDS + waiting * _SECONDS_A_REPORT, _LONGEST_REPORT_SECONDS)


def occupy_core(
    core: int, builds: BuildCache | None = None, sandboxes: SandboxCache | None = None
) -> Slot:
    """Bind this process to a core and return the slot that it now is."""
    os.sched_setaffinity(0, {core})
    return Slot(core=core, builds=builds, sandboxes=sandboxes)


def play_request(
    request: BatchRequest,
    store: ArtefactStore,
    slot: Slot,
    report: Report,
    load: Callable[[], int] = lambda: 0,
) -> None:
    """Play a request to its end and report builds, games as they come, and the end.

    ``load`` counts the reports that wait for the site. Every failure of ours ends in a report too,
    so that the site never waits in vain. Exceptions of ``report`` propagate.
    """
    parts = _BatchReporter(request, slot, report, load)
    try:
        archives = [_fetched(store, agent.sha256) for agent in request.agents]
        folder = _fetched(store, request.game_folder) if request.game_folder else b""
        _play(request, archives, folder, slot, parts)
    except (GraderError, SandboxError, OSError) as error:  # the last: a full disk, for example
        parts.fail(f"{type(error).__name__}: {error}")


def is_for_others(request: BatchRequest | AuditRequest, public_key: str) -> bool:
    """Return whether the grader with this key must decline: others are asked to play, or it has no
    such version of the game."""
    if public_key in (request.not_by or ()):
        return True
    if isinstance(request, AuditRequest):
        game = request.games[0].record.game if request.games else ""
    elif request.game_folder:
        return False
    else:
        game = request.game
    return installed_versions().get(game, "") != (request.game_version or "")


def decline(request: BatchRequest, slot: Slot, report: Report) -> None:
    """Report that the request is for another grader."""
    _BatchReporter(request, slot, report, lambda: 0).send(BatchPhase.DECLINED)


def answer_audit(request: AuditRequest, store: ArtefactStore, slot: Slot) -> AuditReport:
    """Audit the games that a request names; a failure of ours is in the report."""
    try:
        report = audit_games(request, _fetched(store, request.agent.sha256), slot)
    except (GraderError, SandboxError, OSError) as error:
        fault = f"{type(error).__name__}: {error}"
        report = AuditReport(audit=request.audit, system_fault=fault)
    worker = where_played(slot, [request.agent])
    return replace(report, worker=worker, request=request.digest())


def answer_game_check(
    request: GameCheckRequest, store: ArtefactStore, slot: Slot
) -> GameCheckReport:
    """Check the folder of a game; a failure of ours is in the report."""
    try:
        facts, problems = check_folder(_fetched(store, request.folder), slot)
        report = GameCheckReport(check=request.check, facts=facts, problems=tuple(problems))
    except (GraderError, SandboxError, OSError) as error:
        fault = f"{type(error).__name__}: {error}"
        report = GameCheckReport(check=request.check, system_fault=fault)
    return replace(report, worker=where_played(slot, []), request=request.digest())


def _fetched(store: ArtefactStore, sha256: str) -> bytes:
    """Fetch sources; wait while the store does not answer. Raises SystemFault.

    Such a failure would cost every batch of every grader its attempts within two minutes.
    """
    for pause in _STORE_PAUSES:
        try:
            return store.get(sha256)
        except StoreUnavailable as error:
            logger.warning("%s; next try in %g s", error, pause)
        time.sleep(pause)
    return store.get(sha256)


def _play(
    request: BatchRequest,
    archives: Sequence[bytes],
    folder: bytes,
    slot: Slot,
    parts: "_BatchReporter",
) -> None:
    with open_batch(request, archives, slot, folder) as batch:
        parts.choose_prints(PrintsChoice(request, batch.game))
        if request.check_first or not batch.playable:
            parts.send(BatchPhase.BUILT, builds=batch.builds)
        for result in batch.games():
            parts.add(result)
        parts.finish(stopped=batch.stopped)


class _BatchReporter:
    """The reports of one batch."""

    def __init__(
        self, request: BatchRequest, slot: Slot, report: Report, load: Callable[[], int]
    ) -> None:
        self._blank = BatchReport(
            evaluation=request.evaluation,
            batch=request.batch,
            phase=BatchPhase.PLAYING,
            worker=where_played(slot, request.agents),
            request=request.digest(),
        )
        self._report = report
        self._load = load
        self._every_seconds = _REPORT_SECONDS
        self._results: list[GameResult] = []
        self._sent_at = time.monotonic()
        self._whole = _WHOLE_EVIDENCES
        self._text_bytes = 0
        self._prints: list[GamePrints] = []
        self._choice: PrintsChoice | None = None

    def choose_prints(self, choice: "PrintsChoice") -> None:
        self._choice = choice

    def send(self, phase: BatchPhase, **fields: Any) -> None:
        self._report(replace(self._blank, phase=phase, **fields))
        self._every_seconds = report_seconds(self._load())
        self._sent_at = time.monotonic()

    def add(self, result: GameResult) -> None:
        result, printed = apart(result)
        self._text_bytes += len(result.drawn or "")
        self._results.append(self._kept(result))
        if printed and self._choice is not None and self._choice.keeps(result):
            self._keep_prints(GamePrints(index=result.index, printed=printed))
        waited = time.monotonic() - self._sent_at
        if (
            waited >= self._every_seconds
            or len(self._results) >= _REPORT_GAMES
            or self._text_bytes >= _REPORT_BYTES
        ):
            self.send(BatchPhase.PLAYING, **self._take())

    def finish(self, *, stopped: bool) -> None:
        self.send(BatchPhase.DONE, **self._take(), stopped=stopped)

    def fail(self, reason: str) -> None:
        self.send(BatchPhase.FAILED, **self._take(), system_fault=reason)

    def _keep_prints(self, prints: GamePrints) -> None:
        self._prints.append(prints)
        self._text_bytes += len(to_json(prints))

    def _kept(self, result: GameResult) -> GameResult:
        """Return a result with its evidence whole for the first faults, else only its end."""
        evidence = result.evidence
        if evidence is None:
            return result
        if not self._whole:
            evidence = replace(evidence, stderr=_end(evidence.stderr))
            result = replace(result, evidence=evidence)
        self._whole = max(0, self._whole - 1)
        self._text_bytes += len(to_json(evidence))
        return result

    def _take(self) -> dict[str, Any]:
        parts = {"results": tuple(self._results), "prints": tuple(self._prints)}
        self._results, self._prints, self._text_bytes = [], [], 0
        return parts


class PrintsChoice:
    """Chooses the games of a batch whose output is sent: at least those that the site keeps."""

    def __init__(self, request: BatchRequest, game: Game) -> None:
        self._seating = request.seating
        self._wanted = request.with_prints_of
        self._lowest = LowestGames(lower_is_better=game.lower_is_better)

    def keeps(self, result: GameResult) -> bool:
        """Return whether the output of this game is sent; asked once for each, in any order."""
        if result.record.fault is not None or result.index < FIRST_GAMES:
            return True
        seating = result.seating or self._seating
        seat = next(seat for seat, agent in enumerate(seating) if agent in self._wanted)
        return self._lowest.add(result.record.scores[seat])


def _end(text: str) -> str:
    if len(text) <= _LATER_STDERR_CHARACTERS:
        return text
    end = text[-_LATER_STDERR_CHARACTERS:]
    end = end.partition("\n")[2] or end
    return f"[… {len(text) - len(end)} characters left out …]\n{end}"


def where_played(slot: Slot, agents: Sequence[AgentRef]) -> str:
    """Return machine, core, images and versions that play these agents."""
    return _signature(slot.core, *_images(agents))


def _images(agents: Sequence[AgentRef]) -> list[str]:
    interfaces = [INTERFACES.get(agent.interface) for agent in agents]
    return sorted(
        {runtime for interface in interfaces if interface for runtime in interface.images}
    )


@cache
def _signature(core: int | None, *runtimes: str) -> str:
    where = f"{socket.gethostname()} core {core}"
    images = ", ".join(map(image_reference, runtimes))
    return f"{where}, {images}, {oci_runtime()}, firebox {version('firebox')}"
