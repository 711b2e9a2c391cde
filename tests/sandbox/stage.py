"""Opens real seats for the programs in ``talkers``: what the tests of processes stand on."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from sandbox.container import ContainerSeat, open_container
from sandbox.limits import Limits
from sandbox.plain import PlainSeat, open_plain
from sandbox.program import Program

_LIMITS: Final[dict[str, Any]] = {
    "turn_seconds": 0.3,
    "turn_wall_seconds": 0.6,
    "start_seconds": 2.0,
    "memory_mib": 96,
    "reply_bytes": 4096,
    "stdout_bytes": 1 << 20,
    "stderr_bytes": 1 << 12,
}


def limits(**changes: Any) -> Limits:
    """Limits for tests: short."""
    return Limits(**{**_LIMITS, **changes})


def program(play: str, sources: Path, *, build: str = "build", **more: Any) -> Program:
    """One of the talkers as a seat's program."""
    return Program(
        **more,
        adapters=(Path(__file__).parent / "talkers",),
        play=f"talkers:{play}",
        build=f"talkers:{build}",
        preload=("talkers",),
        sources=sources,
    )


@contextmanager
def plain_seat(play: str, sources: Path, **changes: Any) -> Iterator[PlainSeat]:
    """A seat of an ordinary process."""
    with closing(open_plain(program(play, sources), limits(**changes), core=None)) as seat:
        yield seat


@contextmanager
def kept_seat(
    play: str, sources: Path, *, prepare: str = "for_many_games", **changes: Any
) -> Iterator[PlainSeat]:
    """A seat of an ordinary process that plays one game after the other."""
    kept = program(play, sources, keeps=True, prepare=f"talkers:{prepare}")
    with closing(open_plain(kept, limits(**changes), core=None)) as seat:
        yield seat


@contextmanager
def container_seat(
    play: str,
    sources: Path,
    *,
    core: int | None = None,
    how: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Iterator[ContainerSeat]:
    """A seat in a container; ``how`` changes the program, the others its limits."""
    opened = open_container(program(play, sources, **how or {}), limits(**changes), core=core)
    with closing(opened) as seat:
        yield seat
