"""``python -m grader.bench``: measure, interleaving what is compared, and print tables.

Arrangements take turns within every round, so that a noisy neighbour disturbs all of them; figures
are medians over the rounds with the lowest and highest in brackets, ratios are taken per round.
Without options it prints the figures that have goals, within five minutes: ``summary.py``.
``--all`` measures more, for longer: Firebox's own agents, on all cores; an agent of every
interface, on one; the rules alone, beside OpenSpiel where it is installed. What tournaments cost
and tell is measured with numbers instead of agents, and only when asked for; so is how strong the
house agents for Hearts are: ``--only ladder --output webapp/guide/measured/hearts.json``.
``--against REV`` compares this checkout with another revision, by turns.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Final

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from grader.bench import against, ladder, rules, runtime_tables, summary, tournament
from grader.bench.contenders import Arrangement, Contender, busy, house, light
from grader.bench.machine import Machine
from grader.bench.measure import Measurement, measure
from grader.bench.startup import container_seconds, round_trips_us
from grader.bench.tables import GAMES, SEATS, table_times
from grader.bench.words import spread
from grader.core.errors import SystemFault
from grader.core.records import to_json
from grader.worker.cores import cores_from_environment
from sandbox.errors import SandboxError

_STRONG: Final = "information"
"""One of the stronger house agents."""
_SETTLE_GAMES: Final = 40
_PARTS: Final = ("agents", "interfaces", "rules", "tournament", "ladder")

Rounds = dict[Arrangement, list[Measurement]]


def main() -> None:
    """Run everything and print it."""
    arguments = _arguments()
    console = Console(width=170)
    cores = cores_from_environment()
    os.sched_setaffinity(0, set(cores))
    asked = {"games": arguments.games, "rounds": arguments.rounds}
    machine = Machine.now(cores, **asked)
    console.print(f"{machine}; {arguments.games} games, {arguments.rounds} rounds")
    figures = _measured(console, arguments, cores)
    if figures is not None and arguments.output is not None:
        kept = {"machine": machine, "figures": figures}
        arguments.output.write_text(to_json(kept) + "\n", encoding="utf-8")
    console.print(f"load {os.getloadavg()[0]:.1f}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m grader.bench", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="games per figure (1000)")
    parser.add_argument("--rounds", type=int, default=3, help="repetitions (3)")
    parts = parser.add_mutually_exclusive_group()
    parts.add_argument(
        "--only",
        choices=_PARTS,
        help="Firebox's own agents on all cores, every interface on one, the rules alone,"
        " tournaments, or how strong the house agents for Hearts are",
    )
    parts.add_argument(
        "--all", action="store_true", help="agents, interfaces and rules, and not the summary"
    )
    parts.add_argument(
        "--against",
        metavar="REV",
        help="measure this checkout and a revision of its history, by turns",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="keep the figures as JSON")
    return parser.parse_args()


def _measured(console: Console, asked: argparse.Namespace, cores: Sequence[int]) -> object:
    """Measure and print what is asked for; return what is to be kept of it."""
    games, rounds = asked.games, asked.rounds
    if asked.against is not None:
        return _against(console, asked.against, games, rounds)
    if asked.only is None and not asked.all:
        return _summary(console, games, rounds, None)
    if asked.only == "tournament":
        _tournaments(console, rounds)
        return None
    if asked.only == "ladder":
        _ladder(console, games, asked.output)
        return None
    return _plays(console, asked.only, games, rounds, cores)


def _plays(
    console: Console, only: str | None, games: int, rounds: int, cores: Sequence[int]
) -> object:
    """Measure Firebox's own agents, all interfaces, the rules alone, or all of them."""
    figures = []
    if only in {None, "agents"}:
        figures += _agents(console, games, rounds, cores)
    if only in {None, "interfaces"}:
        figures += _interfaces(console, games, rounds, cores[0])
    if only in {None, "rules"}:
        figures += _rules(console, rounds)
    return figures


def _against(console: Console, revision: str, games: int, rounds: int) -> object:
    with against.checked_out(revision) as other:
        figures = _summary(console, games, rounds, (revision, other))
        with Progress(console=console, transient=True) as progress:
            steps = (rounds + 1) * len(against.SUBJECTS)
            task = progress.add_task("measuring", total=steps)
            compared = against.compare(
                other, against.SUBJECTS, games, rounds, lambda: progress.advance(task)
            )
    console.print(against.table(compared, revision))
    return {"summary": figures, "evaluations": compared}


def _summary(
    console: Console, games: int, rounds: int, other: tuple[str, Path] | None
) -> dict[str, object]:
    seconds = summary.SECONDS * (1 if other is None else 2)
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("measuring", total=rounds * len(summary.GROUPS))
        found = summary.measure_rounds(
            max(2, games // 2), rounds, seconds, other, lambda: progress.advance(task)
        )
    console.print(summary.table(found))
    return found._asdict()


def _tournaments(console: Console, rounds: int) -> None:
    console.print(tournament.plans())
    console.print(tournament.skills(rounds))
    console.print(tournament.stopping(1000 * rounds))


def _ladder(console: Console, games: int, output: Path | None) -> None:
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("measuring", total=ladder.STEPS)
        report = ladder.measure_ladder("standard", games, lambda: progress.advance(task))
    for grid in report.grids:
        console.print(ladder.table(grid))
    if output is not None:
        output.write_text(to_json(report), encoding="utf-8")


def _interfaces(console: Console, games: int, rounds: int, core: int) -> list[object]:
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("measuring", total=rounds * runtime_tables.STEPS)
        figures = runtime_tables.play_rounds(games, rounds, core, lambda: progress.advance(task))
    console.print(runtime_tables.throughput(figures))
    console.print(runtime_tables.once(figures))
    return [
        {"interface": runtime.name, "alone": alone, "sandboxed": boxed}
        for runtime, runs in figures.items()
        for alone, boxed in runs
    ]


def _rules(console: Console, rounds: int) -> list[object]:
    figures = {game: rules.play_rounds(game, rounds) for game in rules.GAMES}
    console.print(rules.table(figures))
    return [
        {"rules": game, "engine": engine, "random games": played}
        for game, engines in figures.items()
        for engine, runs in engines.items()
        for played in runs
    ]


def _agents(console: Console, most_games: int, rounds: int, cores: Sequence[int]) -> list[object]:
    plans = [
        (light(), 2, 1.0),
        (light(), 5, 1.0),
        (house(_STRONG), 2, 1.0),
        (house(_STRONG), 5, 1.0),
        (busy(200), 2, 0.3),
        (busy(1000), 2, 0.1),
    ]
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("measuring", total=len(plans) * rounds * 3)
        figures = [
            (contender, players, _rounds(contender, players, games, rounds, cores,
                                         lambda: progress.advance(task)))
            for contender, players, share in plans
            if (games := max(2 * len(cores), int(most_games * share)))
        ]  # fmt: skip
    console.print(_throughput(figures))
    console.print(_shares(figures))
    console.print(_once(cores[0], rounds))
    return [
        {"agent": contender.name, "players": players, "arrangement": kind, "measured": measured}
        for contender, players, runs in figures
        for kind, measurements in runs.items()
        for measured in measurements
    ]


def _rounds(
    contender: Contender,
    players: int,
    games: int,
    rounds: int,
    cores: Sequence[int],
    advance: Callable[[], None],
) -> Rounds:
    figures: Rounds = {arrangement: [] for arrangement in Arrangement}
    measure(contender, Arrangement.FORKED, players, min(games, _SETTLE_GAMES), cores)
    for _ in range(rounds):
        for arrangement in Arrangement:
            figures[arrangement].append(measure(contender, arrangement, players, games, cores))
            advance()
    return figures


def _throughput(figures: Sequence[tuple[Contender, int, Rounds]]) -> Table:
    table = Table(title="Games per second, all cores", title_justify="left")
    for heading in ("agent", "seats", "games", "turns/game"):
        table.add_column(heading, justify="left" if heading == "agent" else "right")
    for heading in ("(a) direct", "(b) forked", "(c) sandboxed", "(b)/(c)", "(a)/(c)"):
        table.add_column(heading, justify="right")
    for contender, players, rounds in figures:
        speeds = {kind: [m.games_per_second for m in runs] for kind, runs in rounds.items()}
        direct, forked, boxed = (speeds[kind] for kind in Arrangement)
        first = rounds[Arrangement.SANDBOXED][0]
        table.add_row(
            contender.name,
            str(players),
            str(first.games),
            f"{first.turns / first.games:.0f}",
            spread(direct, ".0f"),
            spread(forked, ".0f"),
            spread(boxed, ".0f"),
            spread([b / c for b, c in zip(forked, boxed, strict=True)], ".2f"),
            spread([a / c for a, c in zip(direct, boxed, strict=True)], ".2f"),
        )
    return table


def _shares(figures: Sequence[tuple[Contender, int, Rounds]]) -> Table:
    table = Table(title="Where the processor time of the sandbox goes", title_justify="left")
    table.add_column("agent")
    for heading in (
        "seats", "agents", "referee, runner", "supervisors", "runner ms/game", "all ms/game",
        "(c)/(b)", "median turn µs", "cores busy",
    ):  # fmt: skip
        table.add_column(heading, justify="right")
    for contender, players, rounds in figures:
        runs = rounds[Arrangement.SANDBOXED]
        total = [m.cpu_seconds for m in runs]
        forked = [m.cpu_seconds for m in rounds[Arrangement.FORKED]]
        parts = (
            [m.agents_seconds for m in runs],
            [m.runner_seconds for m in runs],
            [m.supervisors_seconds for m in runs],
        )
        table.add_row(
            contender.name,
            str(players),
            *(f"{median(p / t for p, t in zip(part, total, strict=True)):.0%}" for part in parts),
            spread([1000 * m.runner_seconds / m.games for m in runs], ".2f"),
            spread([1000 * t / m.games for t, m in zip(total, runs, strict=True)], ".2f"),
            spread([c / b for b, c in zip(forked, total, strict=True)], ".2f"),
            spread([m.median_turn_us for m in runs], ".0f"),
            spread([m.busy_share for m in runs], ".0%"),
        )
    return table


def _once(core: int, rounds: int) -> Table:
    table = Table(title="Paid once", title_justify="left")
    table.add_column("what")
    table.add_column("figure", justify="right")
    for players in (2, 5):
        seconds = [container_seconds(light(), players, core) for _ in range(rounds)]
        table.add_row(f"open {players} sandboxes and build the agent, s", spread(seconds, ".2f"))
    times = table_times(core, rounds)
    played = f"play {GAMES} games of {SEATS} agents, s:"
    table.add_row(
        f"{played} sandboxes opened for them", spread([taken.opened for taken in times], ".2f")
    )
    table.add_row(f"{played} sandboxes kept open", spread([taken.kept for taken in times], ".2f"))
    ratios = [taken.kept / taken.opened for taken in times]
    table.add_row(f"{played} kept / opened", spread(ratios, ".2f"))
    trips = round_trips_us(core)
    middle = f"{median(trips):.1f} (p99 {trips[len(trips) * 99 // 100]:.1f})"
    table.add_row("round trip of a line over the pipes, µs", middle)
    return table


if __name__ == "__main__":
    try:
        main()
    except (SystemFault, SandboxError) as error:
        sys.exit(f"the benchmark was given up: {error}")
