"""An open sandbox, with a container around it or without."""

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.control import ControlSocket, Sandbox
from sandbox.directory import SandboxDirectory


@dataclass(slots=True)
class OpenSandbox(ABC):
    """A supervisor that serves one seat until it is closed."""

    sandbox: Sandbox
    hello: dict[str, object]
    image: str
    directory: SandboxDirectory
    _control: ControlSocket
    opened_at: float = field(default_factory=time.monotonic, kw_only=True)
    """The time on the monotonic clock at which it was opened, or got its agent."""

    @property
    def is_ready(self) -> bool:
        """True if its supervisor is connected and has nothing left to report, and its files are
        there."""
        return self._control.is_quiet and self.directory.is_whole

    def put_sources(self, sources: Path) -> None:
        """Give it an agent, if it was opened without one. Its age counts from now on."""
        self.directory.put_sources(sources)
        self.opened_at = time.monotonic()

    def put_artefact(self, artefact: bytes) -> None:
        """Make the outcome of a build step available to later games."""
        self.directory.put_artefact(artefact)

    @abstractmethod
    def close(self) -> None:
        """End the supervisor and remove everything it used. Raises HostError."""
