"""Decides whether this worker takes work: only while its host confines agents.

The host is checked when the worker starts, whenever Docker has been away or does not answer, every
hour, and more often while a check fails. Processes that play read ``takes_work`` first, from memory
shared by all processes of the worker, so that messages that were already fetched are given back
too.

It knows neither Celery nor the site: ``tasks`` acts on its decisions.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from multiprocessing.sharedctypes import RawValue
from typing import Final, TypeAlias

from grader.broker.liveness import touch_alive_file
from grader.core.health import REPORT_SECONDS, RETRY_SECONDS
from sandbox.check import HostCheck, run_checks
from sandbox.engine import await_engine, await_engine_loss
from sandbox.errors import HostError

_CHECK_SECONDS: Final = 3600.0
_RECONNECT_SECONDS: Final = 0.5

logger = logging.getLogger(__name__)

Checks: TypeAlias = Sequence[HostCheck]


class Guard:
    """One per worker; lives in its main process."""

    def __init__(
        self,
        *,
        on_change: Callable[[bool], None],
        on_report: Callable[[Checks, datetime], None],
        check: Callable[[], Checks] = run_checks,
    ) -> None:
        """``on_change`` starts or stops taking work; it may be called again with the same decision.

        ``on_report`` receives the outcome and time of the latest check.
        """
        self._on_change = on_change
        self._on_report = on_report
        self._check = check
        self._fit = RawValue("b", 0)  # without a lock, which a killed process would keep
        self._recheck = threading.Event()
        self._over = threading.Event()
        self._deciding = threading.Lock()
        self._checks: Checks = ()
        self._checked_at = datetime.now(UTC)
        self._checked = self._reported = time.monotonic()

    @property
    def takes_work(self) -> bool:
        """True if the latest check passed, and Docker has been there since. Any process may ask."""
        return bool(self._fit.value)

    def examine(self) -> Checks:
        """Check the host, decide, and report."""
        self._recheck.clear()
        self._checks, self._checked_at = self._check(), datetime.now(UTC)
        self._checked = time.monotonic()
        failed = failures(self._checks)
        for check in failed:
            logger.error("check failed: %s: %s; %s", check.name, check.happened, check.fix)
        with self._deciding:
            self._decide(fit=not failed and not self._recheck.is_set())
        self._report()
        return self._checks

    def suspend(self) -> None:
        """Stop taking work until a check that begins after now has passed."""
        with self._deciding:
            self._recheck.set()
            self._decide(fit=False)

    def repeat(self) -> None:
        """Apply the last decision again.

        The connection to the broker may be a new one, or ``on_change`` may know more by now.
        """
        with self._deciding:
            self._on_change(self.takes_work)

    def begin(self) -> None:
        """Start watching, in threads of this process."""
        for watch in (self._watch_engine, self._watch):
            name = watch.__name__
            threading.Thread(target=self._keep, args=(watch,), name=name, daemon=True).start()

    def end(self) -> None:
        """Stop watching."""
        self._over.set()
        self._recheck.set()

    def _keep(self, watch: Callable[[], None]) -> None:
        """Watch without end: a worker whose watching failed would take work unwatched."""
        while not self._over.is_set():
            try:
                watch()
            except Exception:
                logger.exception("watching this host failed; no work until a check has passed")
                self._give_back()
                self._over.wait(_RECONNECT_SECONDS)

    def _give_back(self) -> None:
        """Stop taking work. Errors are only logged: the callback may be what failed."""
        try:
            self.suspend()
        except Exception:
            logger.exception("could not stop taking messages; they are refused one by one")

    def _watch(self) -> None:
        while not self._over.is_set():
            self._recheck.wait(RETRY_SECONDS)
            touch_alive_file()
            if self._over.is_set():
                return
            if self._recheck.is_set() or not self.takes_work or self._is_older(_CHECK_SECONDS):
                self._await_engine()
                if not self._over.is_set():
                    self.examine()
            elif self._engine_answers():
                self.repeat()
            elif not self._over.is_set():
                self.suspend()
                self.examine()
            if time.monotonic() - self._reported >= REPORT_SECONDS:
                self._report()

    def _watch_engine(self) -> None:
        """Stop taking work when Docker goes away, until a check has passed."""
        while not self._over.is_set():
            await_engine_loss()
            if not self._over.is_set():
                self.suspend()
            self._over.wait(_RECONNECT_SECONDS)

    def _await_engine(self) -> None:
        """Wait while Docker restarts; if it takes longer, the check reports it."""
        with suppress(HostError):
            await_engine(RETRY_SECONDS)

    def _engine_answers(self) -> bool:
        try:
            await_engine(0)
        except HostError:
            return False
        return True

    def _decide(self, *, fit: bool) -> None:
        if fit and not self.takes_work:
            logger.info("this host confines agents: taking work")
        elif self.takes_work and not fit:
            logger.error("no more work is taken until a check of this host has passed")
        self._fit.value = fit
        self._on_change(fit)

    def _report(self) -> None:
        self._reported = time.monotonic()
        self._on_report(self._checks, self._checked_at)

    def _is_older(self, seconds: float) -> bool:
        return time.monotonic() - self._checked >= seconds


def failures(checks: Checks) -> Checks:
    """Return the checks that did not pass."""
    return [check for check in checks if not check.ok]
