"""``firebox hostile``: play programs that attack the sandbox and report whether it held."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import track

from grader.cli.command_line import argument
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.output import say
from grader.core.records import to_json
from grader.hostile import channels
from grader.hostile.hostile_programs import HostileProgram, SuiteError, default_suite, read_suite
from grader.hostile.pool import open_pool
from grader.hostile.report import HostileRow, report
from grader.worker.cores import bound_to, cores_from_environment

HELP: Final = "play programs that attack the sandbox and report whether it held"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostileArguments:
    """The command line of ``firebox hostile``."""

    directory: Path | None = argument(nargs="?", help="default: tests/hostile beside grader/")
    only: str = argument(
        "--only",
        metavar="TEXT",
        help="only programs with this text in their name, such as memory/",
    )
    repeats: int = argument(
        "--repeats", default=3, help="how many games each program attacks; default: 3"
    )
    channels: bool = argument(
        "--channels",
        help="instead, measure what two seats can tell each other outside the game: tests/channels",
    )
    json: bool = argument("--json", help="print the outcomes as JSON")


def run(arguments: HostileArguments) -> ExitStatus:
    """Play them all, on all of the grader's cores. A deviation is the exit status 3."""
    try:
        cores = cores_from_environment()
    except ValueError as error:
        raise UsageError(str(error)) from error
    if arguments.channels:
        return _measure_channels(arguments, cores[0])
    suite = read_suite(arguments.directory or default_suite())
    hostile_programs = [one for one in suite if arguments.only in one.name]
    if not hostile_programs or arguments.repeats < 1:
        raise SuiteError("no program to play: check --only and --repeats")
    rows = sorted(_played(hostile_programs, arguments.repeats), key=lambda row: row.name)
    say(to_json(rows) if arguments.json else "\n".join(report(rows)))
    return ExitStatus.HOST if any(row.deviations for row in rows) else ExitStatus.OK


def _measure_channels(arguments: HostileArguments, core: int) -> ExitStatus:
    """One after the other: they measure time, and the grader's other cores would disturb them."""
    known = channels.read_channels(arguments.directory or default_suite("channels"))
    chosen = [channel for channel in known if arguments.only in channel.name]
    if not chosen:
        raise SuiteError("no channel to measure: check --only")
    leaks, broken = [], []
    with bound_to(core):
        for one in _watched(chosen):
            try:
                leaks.append(channels.measure(one, channels=len(known), core=core))
            except SuiteError as error:
                broken.append(f"FAILED  {one.name}: {error}")
    say(to_json(leaks) if arguments.json else "\n".join([*channels.report(leaks), *broken]))
    if arguments.json and broken:
        raise SuiteError("; ".join(broken))
    return ExitStatus.OK if not broken and all(leak.kept for leak in leaks) else ExitStatus.HOST


def _played(hostile_programs: Sequence[HostileProgram], repeats: int) -> Iterator[HostileRow]:
    with open_pool() as pool:
        jobs = [pool.submit(hostile_program, repeats) for hostile_program in hostile_programs]
        for job in _watched(as_completed(jobs), len(jobs)):
            yield job.result()


def _watched(things: Iterable[T], count: int | None = None) -> Iterable[T]:
    console = Console(stderr=True)
    return track(
        things,
        "attacking",
        count,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
