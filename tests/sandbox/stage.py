"""Opens real sandboxes for the programs in ``talkers``: what the tests of processes stand on."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from sandbox.container import ContainerSandbox, open_container
from sandbox.limits import Limits
from sandbox.plain import PlainSandbox, open_plain
from sandbox.program import Adapter, Program, Runtime

_LIMITS: Final[dict[str, Any]] = {
    "turn_seconds": 5.0,
    "turn_wall_seconds": 10.0,
    "start_seconds": 20.0,
    "memory_mib": 96,
    "reply_bytes": 4096,
    "stdout_bytes": 1 << 20,
    "stderr_bytes": 1 << 12,
}


IMPATIENT: Final = {"turn_seconds": 0.3, "turn_wall_seconds": 0.6}
"""Limits of time for programs that must run out of it; others have more than they need."""


def limits(**changes: Any) -> Limits:
    """Limits for tests: small, but of time, which a busy host must not use up."""
    return Limits(**{**_LIMITS, **changes})


def program(
    play: str, sources: Path, *, build: str = "build", reusable: bool = False, **more: Any
) -> Program:
    """One of the talkers as a sandbox's program."""
    adapter = Adapter(
        paths=(Path(__file__).parent / "talkers",),
        play=f"talkers:{play}",
        build=f"talkers:{build}",
        preload=("talkers",),
        reusable=reusable,
    )
    return Program(**more, adapter=adapter, sources=sources)


@contextmanager
def plain_sandbox(play: str, sources: Path, **changes: Any) -> Iterator[PlainSandbox]:
    with closing(open_plain(program(play, sources), limits(**changes), core=None)) as opened:
        yield opened


@contextmanager
def kept_sandbox(
    play: str, sources: Path, *, start: str = "for_many_games", **changes: Any
) -> Iterator[PlainSandbox]:
    """A sandbox of an ordinary process that plays one game after the other."""
    runtime = Runtime(start=f"talkers:{start}")
    kept = program(play, sources, reusable=True, runtime=runtime)
    with closing(open_plain(kept, limits(**changes), core=None)) as opened:
        yield opened


@contextmanager
def container_sandbox(
    play: str,
    sources: Path,
    *,
    core: int | None = None,
    how: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Iterator[ContainerSandbox]:
    """A sandbox in a container; ``how`` changes the program, the others its limits."""
    wanted = program(play, sources, **how or {})
    with closing(open_container(wanted, limits(**changes), core=core)) as opened:
        yield opened
