"""Whether this host confines agents: probes of the host, and probes from inside a real container.

Every check says what was tried, what should have happened, what did happen, and how to mend the
host. A grading worker refuses to start when one of them fails.
"""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sandbox.clock import ProcessClock
from sandbox.container import ContainerSeat, open_container
from sandbox.errors import SandboxError
from sandbox.images import ensure_image
from sandbox.limits import Limits
from sandbox.process import Trouble
from sandbox.program import Program

_LIMITS: Final = Limits(
    turn_seconds=5.0,
    turn_wall_seconds=15.0,
    start_seconds=5.0,
    memory_mib=64,
    reply_bytes=1 << 16,
    stdout_bytes=1 << 20,
    stderr_bytes=1 << 16,
)
_RECIPE: Final = "this host's Docker or kernel does not apply our recipe; see sandbox/README.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The outcome of one probe."""

    name: str
    tried: str
    expected: str
    happened: str
    ok: bool
    fix: str
    """What to do if it is not ok."""


def run_checks() -> tuple[Check, ...]:
    """Probe the host and one real container. Takes about a second; raises nothing."""
    host = tuple(_host_checks())
    if not all(check.ok for check in host):
        return host
    return host + tuple(_container_checks())


def _host_checks() -> Iterator[Check]:
    yield _attempt(
        "image", "look for the sandbox image in Docker", ensure_image, "run: make images"
    )
    yield _attempt(
        "clock",
        "read this process's /proc/self/schedstat",
        _read_clock,
        "graders need a Linux kernel with CONFIG_SCHED_INFO, in the host's pid namespace",
    )


def _read_clock() -> str:
    with closing(ProcessClock("self")) as clock:
        usage = clock.read()
    if usage.ran <= 0:
        raise SandboxError("the kernel counts no run time")
    return f"{usage.ran / 1e6:.1f} ms run, {usage.waited / 1e6:.1f} ms waited"


def _attempt(name: str, tried: str, probe: Callable[[], object], fix: str) -> Check:
    try:
        happened, ok = str(probe()), True
    except (SandboxError, OSError) as error:
        happened, ok = str(error), False
    return Check(name=name, tried=tried, expected="it works", happened=happened, ok=ok, fix=fix)


def _container_checks() -> Iterator[Check]:
    with tempfile.TemporaryDirectory(prefix="firebox-check-") as sources:
        try:
            seat = _open(Path(sources))
        except (SandboxError, OSError) as error:
            yield Check(
                name="container",
                tried="start a hardened container",
                expected="its supervisor answers",
                happened=str(error),
                ok=False,
                fix="look at the Docker daemon's log; sandbox/README.md lists what it must support",
            )
            return
        with closing(seat):
            yield from _inside(seat)


def _open(sources: Path) -> ContainerSeat:
    program = Program(
        adapter=Path(__file__).parent / "probes",
        play="probes:play",
        build="probes:play",
        preload=("probes",),
        sources=sources,
    )
    return open_container(program, _LIMITS, core=None)


def _inside(seat: ContainerSeat) -> Iterator[Check]:
    """Have a confined process try what it must not, and compare."""
    process = seat.seat.start_game()
    answer = process.ask(b"probe\n", start=True)
    end = process.finish(None if isinstance(answer, Trouble) else b"")
    if isinstance(answer, Trouble):
        yield Check(
            name="probes",
            tried="run the probes in a confined process",
            expected="their outcome",
            happened=f"{answer.detail}; {end.describe()}; {end.stderr[-500:]}",
            ok=False,
            fix=_RECIPE,
        )
        return
    for name, tried, expected, happened, ok in json.loads(answer):
        yield Check(
            name=name, tried=tried, expected=expected, happened=happened, ok=ok, fix=_RECIPE
        )
