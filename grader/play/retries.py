"""Repeats what an infrastructure failure broke, and gives up when failures do not end."""

from collections.abc import Callable
from typing import Final, TypeVar

from grader.core.errors import SystemFault
from grader.play.slot import Slot
from sandbox.engine import await_engine
from sandbox.errors import SandboxError

_TRIES: Final = 3
_MAX_LOSSES: Final = 5
"""The number of failures of ours that a batch survives. Each restarts a game, and an agent that
could cause such failures would restart games until they go well."""
_RECOVERY_SECONDS: Final = 60.0
"""Wall time that Docker gets to come back after a failure."""

T = TypeVar("T")


class Retries:
    """The failures of ours in one batch."""

    def __init__(self, slot: Slot, close: Callable[[], None]) -> None:
        """``close`` closes the batch's sandboxes: after a failure, none of them is used again."""
        self._slot = slot
        self._close = close
        self.losses = 0

    def run(self, act: Callable[[], T]) -> T:
        """Run ``act``, up to three times. Raises SystemFault."""
        failures: list[Exception] = []
        while len(failures) < _TRIES and self.losses <= _MAX_LOSSES:
            try:
                if failures:
                    self._slot.require_confinement()
                return act()
            except (SandboxError, OSError) as error:
                failures.append(error)
                self.losses += 1
                self.recover(failures)
        raise self._gave_up(failures) from (failures[-1] if failures else None)

    def recover(self, failures: list[Exception]) -> None:
        """Close the sandboxes and wait until new ones can be opened; add errors to ``failures``."""
        try:
            self._close()
            if self._slot.sandboxes is not None and len(failures) > 1:
                self._slot.sandboxes.close_waiting()  # they may be what fails
            if self._slot.sandboxed:
                await_engine(_RECOVERY_SECONDS)
        except SandboxError as error:
            failures.append(error)

    def _gave_up(self, failures: list[Exception]) -> SystemFault:
        reasons = "; ".join(f"{type(error).__name__}: {error}" for error in failures)
        if self.losses > _MAX_LOSSES:
            reasons = f"failure {self.losses} in this batch: {reasons}"
        return SystemFault(reasons)
