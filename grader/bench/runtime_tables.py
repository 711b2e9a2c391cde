"""The tables of ``runtimes``: rounds in which every interface has its turn, and their figures."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rich.table import Table

from grader.bench.runtimes import RUNTIMES, Alone, Boxed, Runtime, play_alone, play_boxed
from grader.bench.words import spread

__all__ = ["STEPS", "Figures", "once", "play_rounds", "throughput"]

STEPS: Final = 2 * len(RUNTIMES)
"""Advances of the progress bar in a round."""

Figures = Mapping[Runtime, Sequence[tuple[Alone, Boxed]]]
"""By runtime, both figures of each round."""


def play_rounds(games: int, rounds: int, core: int, advance: Callable[[], None]) -> Figures:
    """Measure all runtimes, one after the other within every round."""
    figures: dict[Runtime, list[tuple[Alone, Boxed]]] = {runtime: [] for runtime in RUNTIMES}
    for _ in range(rounds):
        for runtime in RUNTIMES:
            alone = play_alone(runtime, games, core)
            advance()
            figures[runtime].append((alone, play_boxed(runtime, games, core)))
            advance()
    return figures


def throughput(figures: Figures) -> Table:
    """Return a table of a light agent's games per second, with the cost of a game."""
    table = _table("Light agent, two seats, one core: games per second")
    for heading in (
        "games",
        "turns/game",
        "alone",
        "sandboxed",
        "alone/sandboxed",
        "ms a game",
        "CPU ms a game",
    ):
        table.add_column(heading, justify="right")
    for runtime, runs in figures.items():
        boxed = [box for _, box in runs]
        table.add_row(
            runtime.name,
            str(boxed[0].games),
            f"{boxed[0].turns / boxed[0].games:.0f}",
            spread([alone.games_per_second for alone, _ in runs], ".0f"),
            spread([box.games_per_second for box in boxed], ".0f"),
            spread([alone.games_per_second / box.games_per_second for alone, box in runs], ".1f"),
            spread([box.game_ms for box in boxed], ".2f"),
            spread([1000 * box.cpu_seconds / box.games for box in boxed], ".2f"),
        )
    return table


def once(figures: Figures) -> Table:
    """Return the table of costs that are paid once a batch or a seat."""
    table = _table("Once a batch, and memory of a seat")
    headings = (
        "opened, new, s", "opened, known, s", "first game, ms", "start-up share", "process, MiB",
        "container, MiB",
    )  # fmt: skip
    for heading in headings:
        table.add_column(heading, justify="right")
    for runtime, runs in figures.items():
        boxed = [box for _, box in runs]
        table.add_row(
            runtime.name,
            spread([box.opened_new_seconds for box in boxed], ".2f"),
            spread([box.opened_kept_seconds for box in boxed], ".2f"),
            spread([box.first_game_ms for box in boxed], ".0f"),
            spread([box.start_share for box in boxed], ".1%"),
            spread([box.process_mib for box in boxed], ".0f"),
            spread([box.container_mib for box in boxed], ".0f"),
        )
    return table


def _table(title: str) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("interface")
    return table
