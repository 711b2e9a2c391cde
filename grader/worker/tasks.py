"""The grader's Celery application: takes requests from its queues and sends reports back.

It holds no database login and no secret but the broker's and the store's, because its machine runs
hostile code. It never imports the site; the two meet in the task names below and in ``records``.

Start one worker per machine with as many processes as cores are given to grading. Queues are served
in the order they are named: first tests before all others, audits when no games wait, ladders last.
A second worker serves only first tests, so that they never wait for a batch:

    celery --app grader.worker.tasks worker --queues smoke,graded,practice,audits,ladder \\
        --concurrency 2 --hostname games@%h
    celery --app grader.worker.tasks worker --queues smoke \\
        --concurrency 1 --hostname smoke@%h

A third one answers for agents that play with people. It keeps their processes, so it has only one
process itself:

    celery --app grader.worker.tasks worker --queues live \\
        --concurrency 1 --hostname live@%h
"""

import gc
import logging
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

import redis
from billiard.process import current_process
from celery import Task
from celery.exceptions import Reject
from celery.signals import (
    worker_init,
    worker_process_init,
    worker_process_shutdown,
    worker_ready,
    worker_shutdown,
)
from kombu.exceptions import OperationalError

from grader import compiled
from grader.audit import AuditReport, AuditRequest
from grader.broker.signing import Signer, fingerprint, key_path
from grader.broker.transport import is_admitted, is_withdrawn
from grader.core.errors import SystemFault
from grader.core.folder_check import CHECK_GAME, RECORD_CHECK, GameCheckReport, GameCheckRequest
from grader.core.health import GraderReport
from grader.core.live import ANSWER_SEAT, RECORD_ANSWER, SeatReport, SeatRequest
from grader.core.records import BatchReport, BatchRequest, from_json, to_json
from grader.play.build_cache import BuildCache
from grader.play.slot import Slot
from grader.uploads.store import ArtefactStore
from grader.worker.celery_app import app
from grader.worker.cores import cores_from_environment
from grader.worker.guard import Checks, Guard, failures
from grader.worker.hardening import drop_privileges
from grader.worker.live import LiveSeats
from grader.worker.node import Node, is_scaled_from_environment
from grader.worker.reporting import RESULTS_QUEUE, send_report
from grader.worker.requests import (
    answer_audit,
    answer_game_check,
    decline,
    is_for_others,
    occupy_core,
    play_request,
    where_played,
)
from grader.worker.sandbox_settings import sandbox_cache_from_environment
from sandbox.container import reap_containers
from sandbox.errors import SandboxError
from sandbox.scratch import reap_scratch

RESULTS_TASK: Final = "webapp.record_batch"
AUDIT_RESULTS_TASK: Final = "webapp.record_audit"
GRADER_TASK: Final = "webapp.record_grader"
VERDICTS_QUEUE: Final = "verdicts"
"""The queue for reports that people wait for, and for this worker's state; the site serves it
first."""
_SMOKE_QUEUE: Final = "smoke"
_BATCHES: Final = frozenset({"graded", "practice", "audits", "ladder"})
"""Queues of batches after which their agents soon play again."""
_REAP_EVERY_SECONDS: Final = 60.0
_ADMISSION_SECONDS: Final = 2.0
"""Time between two checks whether this grader is admitted."""

logger = logging.getLogger(__name__)
T = TypeVar("T")

_slot = Slot(core=None)
_signer: Signer
_admitted = threading.Event()
_ending = threading.Event()


@app.task(name="grader.play_batch", bind=True)
def play_batch(task: "Task[..., None]", request_json: str) -> None:
    """Play one ``BatchRequest``; raises RecordError for one that cannot be read."""
    _require_readiness()
    request = from_json(request_json, BatchRequest)
    if _is_withdrawn(request.batch):
        logger.info("passed over batch %s: nobody needs it any more", request.batch)
        return
    if is_for_others(request, _signer.public_key):
        decline(request, _slot, _sender(task))
    else:
        play_request(request, _store(), _slot, _sender(task), _waiting_reports)


@app.task(name="grader.audit_games")
def audit_games(request_json: str) -> None:
    """Answer one ``AuditRequest``; raises RecordError for one that cannot be read."""
    _require_readiness()
    request = from_json(request_json, AuditRequest)
    if is_for_others(request, _signer.public_key):
        report = AuditReport(audit=request.audit, declined=True, request=request.digest())
    else:
        report = answer_audit(request, _store(), _slot)
    _report(AUDIT_RESULTS_TASK, report)


@app.task(name=ANSWER_SEAT)
def answer_seat(request_json: str) -> None:
    """Answer one ``SeatRequest``; raises RecordError for one that cannot be read."""
    _require_readiness()
    request = from_json(request_json, SeatRequest)
    report = _live_seats().answer(request)
    report = replace(report, worker=where_played(_slot, [request.agent]))
    _report(RECORD_ANSWER, report, queue=VERDICTS_QUEUE)


@app.task(name=CHECK_GAME)
def check_game(request_json: str) -> None:
    """Check one uploaded game; raises RecordError for a request that cannot be read."""
    _require_readiness()
    request = from_json(request_json, GameCheckRequest)
    report = answer_game_check(request, _store(), _slot)
    _report(RECORD_CHECK, report, queue=VERDICTS_QUEUE)


@cache
def _live_seats() -> LiveSeats:
    seats = LiveSeats(_slot, _store().get)
    threading.Thread(target=seats.watch, args=(_ending,), name="live seats", daemon=True).start()
    return seats


def _require_readiness() -> None:
    """Raise Reject, which requeues the message at the head, unless this worker may work.

    Celery may have fetched messages before the worker stopped taking work.
    """
    if not _guard.takes_work:
        raise Reject("no work until a check of this host has passed", requeue=True)
    if not _is_admitted():
        raise Reject("no work until an operator has admitted this grader", requeue=True)


def _is_withdrawn(batch: str) -> bool:
    return _ask(
        "whether a batch is still needed", lambda client: is_withdrawn(client, batch), default=False
    )


def _is_admitted() -> bool:
    """Return whether this grader may take work.

    True if the broker does not answer: the site decides about every report anyway.
    """
    key = _signer.public_key
    return _ask(
        "whether this grader is admitted", lambda client: is_admitted(client, key), default=True
    )


def _waiting_reports() -> int:
    return _ask("how many reports wait", lambda client: int(client.llen(RESULTS_QUEUE)), default=0)


def _ask(subject: str, question: Callable[[redis.Redis], T], *, default: T) -> T:
    """Return the answer of the broker; the default, and a warning, if it does not answer.

    ``subject`` completes the warning: "could not ask …".
    """
    try:
        with app.connection_or_acquire() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0)
            return question(connection.default_channel.client)
    except (OperationalError, redis.RedisError) as error:
        logger.warning("could not ask %s: %s", subject, error)
        return default


def _store() -> ArtefactStore:
    return ArtefactStore(os.environ.get("FIREBOX_STORE_URL", "var/store"))


def _build_cache() -> BuildCache | None:
    directory = Path(os.environ.get("FIREBOX_BUILD_CACHE", "var/builds"))
    try:
        return BuildCache(directory)
    except OSError as error:
        logger.warning("compiled agents are not kept in %s: %s", directory, error)
        return None


def _sender(task: "Task[..., None]") -> Callable[[BatchReport], None]:
    """Return the sender of a request's reports: ahead of others if an upload waits for them."""
    taken_from = (task.request.delivery_info or {}).get("routing_key")
    queue = VERDICTS_QUEUE if taken_from == _SMOKE_QUEUE else RESULTS_QUEUE
    return partial(_report, RESULTS_TASK, queue=queue)


def _report(
    task: str,
    report: BatchReport | AuditReport | GameCheckReport | GraderReport | SeatReport,
    *,
    queue: str = RESULTS_QUEUE,
    once: bool = False,
) -> None:
    """Sign a report and send it to the site. Raises OperationalError; see ``send_report``."""
    signed = to_json(_signer.sign(task, to_json(report)))
    send_report(app, task, signed, queue=queue, once=once)


def _on_report(checks: Checks, checked_at: datetime) -> None:
    """Report the state of this worker to the site; a lost report is repeated within minutes."""
    if _ending.is_set():
        return
    try:
        report = _node.report(checks, checked_at)
        _report(GRADER_TASK, report, queue=VERDICTS_QUEUE, once=True)
    except OperationalError as error:
        logger.warning("could not report to the site: %s", error)


def _on_change(fit: bool) -> None:  # noqa: FBT001 - the guard's callback has one argument
    _node.consume(fit and _admitted.is_set())


_node = Node()
_guard = Guard(on_change=_on_change, on_report=_on_report)


@worker_init.connect
def _refuse_unsafe_host(sender: Any, **_: Any) -> None:
    """Drop privileges, then end a worker that has no key or whose host cannot confine agents."""
    if forgotten := drop_privileges():
        logger.warning("a grader must not have these settings: %s", ", ".join(forgotten))
    _read_key()
    _read_settings()
    if complaint := compiled.complaint():
        logger.warning(complaint)
    _node.begin(sender)
    failed = failures(_guard.examine())
    if failed:
        raise SystemExit(f"{len(failed)} checks failed; `firebox check` explains them")


def _read_key() -> None:
    global _signer  # noqa: PLW0603 - one machine has one
    try:
        _signer = Signer.from_file(key_path())
    except (OSError, ValueError) as error:
        raise SystemExit(
            f"The key of this grader cannot be read: {error}. Set FIREBOX_GRADER_KEY to a file that"
            " the worker may write; delete the file if its content is damaged."
        ) from error


def _read_settings() -> None:
    try:
        cores_from_environment()
        sandbox_cache_from_environment()
        is_scaled_from_environment()
        _store()
    except SystemFault as error:
        raise SystemExit(f"FIREBOX_STORE_URL: {error}") from error
    except ValueError as error:
        raise SystemExit(str(error)) from error


@worker_ready.connect
def _begin_watching(sender: Any, **_: Any) -> None:
    _node.connect(sender)
    _guard.begin()
    logger.info("this grader's key is %s", fingerprint(_signer.public_key))
    for name, look, seconds in (
        ("orphans", _remove_orphans, _REAP_EVERY_SECONDS),
        ("admission", _Admission().look, _ADMISSION_SECONDS),
    ):
        threading.Thread(target=_repeat, args=(look, seconds), name=name, daemon=True).start()


@worker_shutdown.connect
def _end_watching(**_: Any) -> None:
    _ending.set()
    _guard.end()
    if is_scaled_from_environment():
        _say_goodbye()


def _say_goodbye() -> None:
    """Tell the site that this worker ends: without it, operators are told that it is silent."""
    try:
        report = _node.report((), datetime.now(UTC), is_leaving=True)
        _report(GRADER_TASK, report, queue=VERDICTS_QUEUE, once=True)
    except OperationalError as error:
        logger.warning("could not tell the site that this worker ends: %s", error)


def _repeat(look: Callable[[], None], seconds: float) -> None:
    """Look again and again until the worker ends. An error is logged and ends nothing."""
    while True:
        try:
            look()
        except Exception:
            logger.exception("the thread that looks for %s failed", threading.current_thread().name)
        if _ending.wait(seconds):
            return


class _Admission:
    """The admission of this grader by an operator: it takes work as long as it is admitted."""

    _known: bool | None = None

    def look(self) -> None:
        """Take work, or cease to, if that has changed since the last look."""
        admitted = _is_admitted()
        if admitted != self._known:
            _note_admission(admitted=admitted)
            self._known = admitted


def _note_admission(*, admitted: bool) -> None:
    if admitted:
        _admitted.set()
    else:
        _admitted.clear()
        logger.warning("no work until an operator has admitted this grader")
    _guard.repeat()


def _remove_orphans() -> None:
    try:
        orphans = reap_containers() + reap_scratch()
    except (SandboxError, OSError) as error:
        logger.warning("could not look for orphans: %s", error)
    else:
        if orphans:
            logger.info("removed %d containers and directories of dead processes", orphans)


@worker_process_init.connect
def _take_slot(**_: Any) -> None:
    global _slot  # noqa: PLW0603 - one process is one slot
    cores = cores_from_environment()
    core = cores[current_process().index % len(cores)]  # type: ignore[attr-defined]
    # After a first test, other workers play the agent's games.
    sandboxes = sandbox_cache_from_environment(few=_BATCHES.isdisjoint(_node.queues))
    threading.Thread(
        target=sandboxes.watch, args=(_ending,), name="open sandboxes", daemon=True
    ).start()
    _slot = occupy_core(core, _build_cache(), sandboxes)
    gc.freeze()


@worker_process_shutdown.connect
def _leave_slot(**_: Any) -> None:
    _ending.set()
    if _slot.sandboxes is not None:
        _slot.sandboxes.close()
