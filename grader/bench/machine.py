"""The machine on which figures were taken, without which they say little."""

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

__all__ = ["Machine"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Hardware and software that figures depend on."""

    processor: str
    cores: int
    """Cores used by the measurement."""
    memory_gib: float
    linux: str
    python: str
    load: float
    """Mean of the last minute before: a busy machine's figures are worthless."""
    options: dict[str, int | str] = field(default_factory=dict)
    """Options of the measurement: games and rounds."""

    @classmethod
    def now(cls, cores: Sequence[int], **options: int | str) -> Self:
        """Describe this one."""
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return cls(
            processor=_processor(),
            cores=len(cores),
            memory_gib=round(memory / (1 << 30), 1),
            linux=platform.release(),
            python=platform.python_version(),
            load=round(os.getloadavg()[0], 1),
            options=options,
        )

    def __str__(self) -> str:
        return (
            f"{self.processor}, {self.cores} cores, {self.memory_gib:g} GiB, Linux {self.linux}, "
            f"Python {self.python}, load {self.load:g}"
        )


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
