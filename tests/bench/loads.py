"""Other loads of a host while an agent thinks: bounded, and ended on the way out."""

import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn

_MEMORY_BYTES: Final = 512 << 20
_FILE_BYTES: Final = 32 << 20
_PAGE: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Processes of one kind on the agent's own core."""

    name: str
    processes: int
    body: Callable[[Path], NoReturn]

    @contextmanager
    def on(self, core: int) -> Iterator[None]:
        context = multiprocessing.get_context("fork")
        with tempfile.TemporaryDirectory(prefix="firebox-load-") as directory:
            rivals = [
                context.Process(target=self._run, args=(core, Path(directory)), daemon=True)
                for _ in range(self.processes)
            ]
            for rival in rivals:
                rival.start()
            try:
                yield
            finally:
                for rival in rivals:
                    rival.kill()
                    rival.join()

    def _run(self, core: int, directory: Path) -> NoReturn:
        os.setsid()  # processes of one session share one share of the processor
        os.sched_setaffinity(0, {core})
        self.body(directory)


def _compute(_: Path) -> NoReturn:
    while True:
        pass


def _thrash_memory(_: Path) -> NoReturn:
    """Take memory, touch every page of it, give it back: page faults and cold caches for all."""
    while True:
        memory = bytearray(_MEMORY_BYTES)
        for position in range(0, _MEMORY_BYTES, _PAGE):
            memory[position] = 1
        del memory


def _write_files(directory: Path) -> NoReturn:
    block = os.urandom(1 << 20)
    path = directory / str(os.getpid())
    while True:
        with path.open("wb", buffering=0) as file:
            for _ in range(_FILE_BYTES // len(block)):
                file.write(block)
            os.fsync(file.fileno())
        path.read_bytes()


LOADS: Final = (
    Load(name="idle", processes=0, body=_compute),
    Load(name="3 × oversubscribed", processes=2, body=_compute),
    Load(name="8 × oversubscribed", processes=7, body=_compute),
    Load(name="memory taken and given back", processes=2, body=_thrash_memory),
    Load(name="disk load", processes=2, body=_write_files),
)
