"""A group of figures of one version of Firebox, as JSON: ``python -P figures.py GROUP GAMES``.

A script, not a module: it runs with the modules of the version that ``PYTHONPATH`` names, which may
be older than itself. So it imports only when it measures, and prints no figure that the version
cannot give.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

Figures = dict[str, float]

_BUSY: Final = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])})\nwhile True: pass"


def main() -> None:
    """Measure the figures that the command line names."""
    group, games = sys.argv[1], int(sys.argv[2])
    print(json.dumps(GROUPS[group](games, sorted(os.sched_getaffinity(0)))))


def _seats(players: int, games: int, cores: Sequence[int]) -> Figures:
    forked, boxed = _pair(players, games, cores)
    return {
        f"processor_{players}": boxed.cpu_seconds / forked.cpu_seconds,
        f"rate_{players}": boxed.games_per_second,
        f"runner_{players}": 1000 * boxed.runner_seconds / games,
        f"all_{players}": 1000 * boxed.cpu_seconds / games,
    }


def _pair(players: int, games: int, cores: Sequence[int]) -> tuple[Any, Any]:
    """Measure the light agent without a sandbox, and then in one."""
    from grader.bench.contenders import Arrangement, light
    from grader.bench.measure import measure

    forked = measure(light(), Arrangement.FORKED, players, games, cores)
    return forked, measure(light(), Arrangement.SANDBOXED, players, games, cores)


def _neighbours(games: int, cores: Sequence[int]) -> Figures:
    with _busy(cores):
        forked, boxed = _pair(2, games, cores)
    return {"neighbours": boxed.games_per_second / forked.games_per_second}


@contextmanager
def _busy(cores: Sequence[int]) -> Iterator[None]:
    """Keep each core busy with a process of this machine."""
    busy = [subprocess.Popen([sys.executable, "-c", _BUSY, str(core)]) for core in cores]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def _start(_: int, cores: Sequence[int]) -> Figures:
    from grader.bench.contenders import light
    from grader.bench.startup import container_seconds

    return {"opened": container_seconds(light(), 2, cores[0])} | _first_turn(cores[0])


def _first_turn(core: int) -> Figures:
    try:
        from grader.bench.startup import first_turn_seconds
    except ImportError:
        return {}
    figures = {"first_turn": first_turn_seconds(2, core)}
    with suppress(TypeError):  # a version without spare sandboxes
        figures["first_turn_spare"] = first_turn_seconds(2, core, spare=True)
    return figures


def _table(_: int, cores: Sequence[int]) -> Figures:
    try:
        from grader.bench.tables import table_times
    except ImportError:
        return {}
    (taken,) = table_times(cores[0], rounds=1)
    return {"table_opened": taken.opened, "table_kept": taken.kept}


def _evaluate(games: int, cores: Sequence[int]) -> Figures:
    try:
        from grader.bench.accounts import command_seconds
    except ImportError:
        return {}
    from grader.bench.contenders import LIGHT, Arrangement, light
    from grader.bench.measure import measure

    command = [sys.executable, "-m", "grader.cli", "evaluate", str(LIGHT), "--players", "2"]
    with tempfile.TemporaryDirectory() as folder:
        taken = command_seconds([*command, "--games", str(games), "--json"], Path(folder))
    bench = measure(light(), Arrangement.SANDBOXED, 2, games, cores)
    return {"evaluate": taken.processor / bench.cpu_seconds}


def _rules(_: int, __: Sequence[int]) -> Figures:
    try:
        from grader.bench.rules import GAMES, Engine, play_rounds
    except ImportError:
        return {}
    figures = {}
    for game in GAMES:
        engines = play_rounds(game, 1)
        fastest = engines.get(Engine.COMPILED, engines[Engine.PYTHON])[0]
        if reference := engines.get(Engine.OPENSPIEL):
            ratio = reference[0].microseconds_per_action / fastest.microseconds_per_action
            figures[f"actions_{game}"] = ratio
            figures[f"games_{game}"] = fastest.games_per_second / reference[0].games_per_second
    return figures


GROUPS: Final[Mapping[str, Callable[[int, Sequence[int]], Figures]]] = {
    "two seats": lambda games, cores: _seats(2, games, cores),
    "five seats": lambda games, cores: _seats(5, max(2, games * 2 // 5), cores),
    "neighbours": lambda games, cores: _neighbours(max(2, games // 2), cores),
    "start": _start,
    "table": _table,
    "evaluate": lambda games, cores: _evaluate(2 * games, cores),
    "rules": _rules,
}

if __name__ == "__main__":
    main()
