"""Output of the commands: results to standard output, warnings and progress to standard error.

What an agent wrote goes through ``printable``, and nothing through rich's markup.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from grader.cli.agents import NamedAgent
from grader.core.games import Game
from grader.core.games.outcomes import in_points, tally_of, value_words
from grader.core.records import BuildReport, Evidence, Record, to_json
from grader.core.words import printable, seat_words
from grader.results.evidence import OwnLine, own_line, shown_reply, without_other_threads
from grader.results.figures import Against
from grader.results.statistics import Estimate, Summary, binned

_BAR_COLUMNS = 40
_LABEL_COLUMNS = 10
_HISTOGRAM_LINES = 30
_MISSED: Final = re.compile(
    r"(?<![^\s'\"])([\w+-][\w./+-]{0,199}): No such file or directory"
    r"|symbol: +(?:class|variable) (\w{1,100})$",
    re.MULTILINE,
)
"""Messages about a missing included file in C++, or a missing class in Java."""


def say(text: str = "") -> None:
    """A line, or several, of the result."""
    print(text)


def warn(text: str, *, loud: bool = False) -> None:
    """A line on standard error; a loud one stands out."""
    console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True, emoji=False)
    console.print(text, style="bold red" if loud else None)


@contextmanager
def progress(total: int, game: Game | type[Game]) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, if that is a terminal, until the games are played.

    Yields what is to be called with the score of each game.
    """
    console = Console(stderr=True)
    bar = Progress(
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("mean {task.fields[mean]:.2f}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    task = bar.add_task("", total=total, mean=0.0)
    points = 0

    def count(score: int) -> None:
        nonlocal points
        points += score
        done = int(bar.tasks[0].completed) + 1
        bar.update(task, advance=1, mean=in_points(points / done, game.unit))

    with bar:
        yield count


@contextmanager
def doing() -> Iterator[Callable[[str], None]]:
    """Show the step that runs now, and its time, if standard error is a terminal.

    Yields a function that begins a step, which it takes in words.
    """
    console = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as line:
        task = line.add_task("")
        yield lambda words: line.reset(task, description=f"  {words}")


def facts(*pairs: tuple[str, str]) -> str:
    """Labelled lines, aligned."""
    return "\n".join(f"{label:<{_LABEL_COLUMNS}}{value}" for label, value in pairs)


def score_line(summary: Summary) -> str:
    """Return the mean, with its interval if there are enough games."""
    if summary.mean is None:
        return "no games"
    if summary.half_width is None:
        return f"{summary.mean:.2f} (one game)"
    return (
        f"{summary.mean:.3f} ± {summary.half_width:.3f}"
        f"   (95% interval {summary.low:.3f} to {summary.high:.3f}, sd {summary.sd:.2f})"
    )


def share_words(share: Estimate) -> str:
    """``56.3% ± 3.1 of the games``; a half of 100% or more tells nothing, and is left out."""
    if share.mean is None:
        return "no games"
    told = share.half_width is not None and share.half_width < 1
    reach = f" ± {100 * (share.half_width or 0):.1f}" if told else ""
    return f"{100 * share.mean:.1f}%{reach} of the games"


def opponent_lines(against: Against) -> Iterator[str]:
    """A table: opponent, games, share won, points a game; or games won, drawn and lost."""
    rows = [
        (
            opponent.name,
            str(opponent.games),
            share_words(opponent.won).partition(" of")[0],
            str(opponent.tally) if opponent.tally else _mean(opponent.mean),
        )
        for opponent in against.opponents
    ]
    is_tallied = any(opponent.tally for opponent in against.opponents)
    titles = ("against", "games", "won", "W–D–L" if is_tallied else "points")
    widths = [max(map(len, column)) for column in zip(titles, *rows, strict=True)]
    for row in (titles, *rows):
        first, *figures = row
        cells = [f"{text:>{width}}" for text, width in zip(figures, widths[1:], strict=True)]
        yield "  ".join([first.ljust(widths[0]), *cells])


def _mean(of: Estimate) -> str:
    if of.mean is None:
        return "–"
    return f"{of.mean:.2f}" + ("" if of.half_width is None else f" ± {of.half_width:.2f}")


def result_facts(summary: Summary, game: type[Game]) -> Iterator[tuple[str, str]]:
    """Yield the mean, after the games won, drawn and lost if that is what counts."""
    if (tally := tally_of(game, summary.histogram)) is None:
        yield "score", score_line(summary)
        return
    yield "results", tally.words
    yield "mean", f"{score_line(summary)}; wins less losses"


def histogram(summary: Summary, game: type[Game]) -> str:
    """Draw a line per score or bin, gaps included; empty where games are won, drawn or lost."""
    if tally_of(game, summary.histogram) is not None:
        return ""
    bars = binned(summary.histogram, most=_HISTOGRAM_LINES)
    most = max((bar.count for bar in bars), default=0)
    digits = len(str(most))
    return "\n".join(
        f"{bar.in_words(partial(value_words, game)):>8}  {bar.count:>{digits}}  "
        + "█" * -(-bar.count * _BAR_COLUMNS // most)
        for bar in bars
    )


def fault_report(record: Record, evidence: Evidence | None) -> str:
    """Return a fault with its evidence: the message, the answer, the output."""
    fault = record.fault
    if fault is None:
        return "no fault"
    when = "while starting" if fault.turn < 0 else f"in turn {fault.turn}"
    parts = [
        f"Fault: {fault.kind} of {seat_words(fault.seat)} {when}",
        f"  {printable(fault.detail)}",
    ]
    if evidence is not None:
        own = own_line(evidence.stderr)
        if own is not None and (where := location(own)) not in fault.detail:
            parts.append(f"  at {where}")
        parts += _evidence_parts(evidence)
    return "\n".join(parts)


def _evidence_parts(evidence: Evidence) -> list[str]:
    return [
        _section("Sent to it", evidence.sent),
        _section("It answered", shown_reply(evidence.received)),
        _section("It printed (stderr)", without_other_threads(evidence.stderr)),
        f"Its process: {printable(evidence.exit)}",
    ]


def said_report(evidence: Evidence | None) -> str:
    """Return the output of agents in a game that no fault ended."""
    return _section("They printed (stderr)", evidence.stderr if evidence is not None else "")


def location(own: OwnLine) -> str:
    """Return a line of the agent's code as text."""
    inside = own.function and own.function != "<module>"
    return printable(f"{own.file}:{own.line}" + (f", in {own.function}" if inside else ""))


def _section(title: str, text: str) -> str:
    if not text.strip():
        return f"{title}: nothing"
    lines = printable(text).rstrip("\n").split("\n")
    return "\n".join([f"{title}:", *(f"  {line}" for line in lines)])


def say_left_out(notes: Mapping[str, Sequence[str]]) -> None:
    """Print notes on files that were left out, by the agents' names, on standard error."""
    for name, texts in notes.items():
        for text in texts:
            warn(printable(f"{name}: {text}"))


def say_notes(programs: Sequence[NamedAgent], builds: Sequence[BuildReport]) -> None:
    """Print notes on the agents; none about files of the starter kit that nobody has changed."""
    for program, build in zip(programs, builds, strict=True):
        for message in build.messages:
            if message.file not in program.ours:
                note = complaint(message.file, message.line, message.text, column=message.column)
                warn(printable(f"{program.name}: {note}"))


def say_unbuildable(names: Sequence[str], builds: Sequence[BuildReport], *, as_json: bool) -> None:
    """Print the errors of sources that cannot be run, with file and line."""
    if as_json:
        say(to_json({"builds": builds}))
        return
    for name, build in zip(names, builds, strict=True):
        if not build.ok:
            say(f"{name} cannot be run:")
            for message in build.messages:
                where = message.file, message.line
                say("  " + complaint(*where, message.text, column=message.column))
            for line in build.log.splitlines():
                say(f"  {printable(line)}")
            for file in _left_beside(Path(name), build):
                say(f"{printable(file)} lies beside it: to play with all files, play the folder.")


def complaint(file: str, line: int, text: str, *, column: int = 0) -> str:
    """Return a complaint about sources with its place, ``agent.py:3:5: …``; 0 is not known."""
    location = ":".join(str(part) for part in (file, line, line and column) if part)
    return printable(f"{location}: {text}" if location else text)


def _left_beside(agent: Path, build: BuildReport) -> list[str]:
    if not agent.is_file() or agent.suffix.lower() == ".zip":
        return []
    complaints = "\n".join(message.text for message in build.messages)
    named = [file or f"{symbol}.java" for file, symbol in _MISSED.findall(complaints)]
    return [file for file in dict.fromkeys(named) if (agent.parent / file).is_file()]
