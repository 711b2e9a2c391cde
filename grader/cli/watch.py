"""``firebox watch``: plays a few games whenever a file of the agent is saved."""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grader.cli.arguments import (
    AgentArguments,
    DealArguments,
    OutputArguments,
    RulesArguments,
    cores_of,
)
from grader.cli.command_line import argument
from grader.cli.compare import comparison_of
from grader.cli.evaluate import EvaluateArguments, again_of, export_of, job_of, play
from grader.cli.exits import ExitStatus, UsageError
from grader.cli.output import say, say_left_out, say_unbuildable, score_line, warn
from grader.cli.slots import OpponentFaultError
from grader.cli.summary import answer_of, fault_lines
from grader.core.errors import GraderError, SystemFault
from grader.core.games import Game
from grader.core.words import counted, printable
from grader.results.comparison import sentence
from grader.results.export import EvaluationExport
from grader.uploads.clutter import is_clutter

HELP: Final = "play a few games at each save, and print how the mean changed"

_POLL_SECONDS: Final = 0.25


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchArguments:
    """The command line of ``firebox watch``."""

    agents: AgentArguments
    rules: RulesArguments
    deals: DealArguments
    against: tuple[str, ...] = argument(
        "--against", metavar="AGENT", help="an opponent, as for evaluate; may be repeated"
    )
    games: int = argument(
        "--games",
        default=100,
        metavar="N",
        help="games at each save, always on the same deals; default: 100",
    )
    slots: int | None = argument(
        "--slots", metavar="N", help="processor cores to play on; default: all"
    )


def run(arguments: WatchArguments) -> ExitStatus:
    """Play now and at each save, until Ctrl-C. What is wrong with the agent is only shown."""
    paths = [Path(name) for name in arguments.agents.names if Path(name).exists()]
    if not paths:
        raise UsageError(f"there is no file or folder {arguments.agents.names[0]}")
    evaluation = EvaluateArguments(
        agents=arguments.agents,
        rules=arguments.rules,
        deals=arguments.deals,
        against=arguments.against,
        games=arguments.games,
        half_width=None,
        output=OutputArguments(slots=arguments.slots, json=False, output=None),
    )
    cores = cores_of(arguments.slots)
    version: EvaluationExport | None = None
    try:
        for _ in _saves(paths):
            version = _play(evaluation, cores, version) or version
            say(f"Watching {', '.join(map(str, paths))}: save a file to play again, Ctrl-C ends.")
            sys.stdout.flush()
    except KeyboardInterrupt:
        say()
    return ExitStatus.OK


def _play(
    arguments: EvaluateArguments, cores: Sequence[int], before: EvaluationExport | None
) -> EvaluationExport | None:
    try:
        return _played(arguments, cores, before)
    except SystemFault:
        raise
    except OpponentFaultError as error:
        warn(f"firebox: an opponent failed in game {error.result.index}: nothing is measured.")
    except GraderError as error:  # files that are half saved, or rules that it cannot play by
        warn(printable(f"firebox: {error}"))
    return None


def _played(
    arguments: EvaluateArguments, cores: Sequence[int], before: EvaluationExport | None
) -> EvaluationExport | None:
    job, table, game = job_of(arguments)
    if before is not None and (before.agents, before.spec) == (job.agents, job.spec):
        say("Nothing that the agent uses has changed.")
        return before
    say_left_out(table.notes)
    began = time.monotonic()
    outcome = play(job, game, cores)
    if not outcome.built:
        say_unbuildable(table.program_names, outcome.builds, as_json=False)
        return None
    version = export_of(job, outcome, title=table.names)
    seconds = time.monotonic() - began
    games = f"{counted(len(version.results), 'game')} in {seconds:.1f} s"
    say(f"{games}: mean {score_line(version.summary)}")
    if before is not None:
        say(_change(version, before, game))
    answer = answer_of(version, agents=table.program_names, seconds=seconds)
    for group in answer.faults[:1]:
        command = again_of(arguments, game).line(job.spec, group.games[0])
        say("\n".join(fault_lines(group, command)))
    return version


def _change(version: EvaluationExport, before: EvaluationExport, game: Game) -> str:
    rules = (version.spec.game, version.spec.options, version.spec.opponents)
    if rules != (before.spec.game, before.spec.options, before.spec.opponents):
        return "The rules changed: it is not compared with the version before."
    return sentence(comparison_of(version, before, game), a="This version", b="the version before")


# --- Saves -----------------------------------------------------------------------------------


def _saves(paths: Sequence[Path]) -> Iterator[None]:
    """Yield now, and when a file has changed and none is being written any more."""
    played: frozenset[tuple[object, ...]] | None = None
    while True:
        stamps = frozenset(_stamps(paths))
        if stamps != played:
            time.sleep(_POLL_SECONDS)  # editors write several files, or one in several steps
            if stamps == frozenset(_stamps(paths)):
                played = stamps
                yield
        else:
            time.sleep(_POLL_SECONDS)


def _stamps(paths: "Sequence[Path | os.DirEntry[str]]") -> Iterator[tuple[object, ...]]:
    for path in paths:
        try:
            if path.is_dir():
                with os.scandir(path) as entries:
                    yield from _stamps([entry for entry in entries if not _is_left_out(entry)])
            else:
                status = path.stat()
                yield os.fspath(path), status.st_mtime_ns, status.st_size, status.st_ino
        except OSError:  # it has just been removed, or written anew
            continue


def _is_left_out(entry: "os.DirEntry[str]") -> bool:
    is_folder = entry.is_dir(follow_symlinks=False)
    return (
        entry.name.startswith(".")
        or entry.is_symlink()
        or is_clutter(entry.name, is_folder=is_folder)
    )
