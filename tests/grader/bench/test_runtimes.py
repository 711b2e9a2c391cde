"""The benchmark of the interfaces: its agents play in real sandboxes; what its figures mean."""

from pathlib import Path

import pytest
from rich.console import Console

from grader.bench import runtimes
from grader.bench.runtime_tables import once, throughput
from grader.bench.runtimes import (
    RUNTIMES,
    Alone,
    Boxed,
    Runtime,
    container_mib,
    play_alone,
    play_boxed,
)
from grader.interfaces import DEFAULT_INTERFACE, INTERFACES, Interface
from grader.interfaces.declaration import Family
from tests.support.slots import confined, own_core

GAMES = 2


def boxed(game_ms: float, *, first_game_ms: float = 200.0) -> Boxed:
    return Boxed(
        games=1000,
        turns=88_000,
        opened_new_seconds=5.0,
        opened_kept_seconds=1.0,
        first_game_ms=first_game_ms,
        game_ms=game_ms,
        seconds=(999 * game_ms + first_game_ms) / 1000,
        cpu_seconds=4.0,
        process_mib=20.0,
        container_mib=30.0,
    )


def test_every_courses_interface_is_measured_in_every_mode() -> None:
    """Beside Firebox's own class: the others have no loop of a course's to compare with."""
    measured = {(runtime.interface, runtime.mode) for runtime in RUNTIMES}
    courses = [one for one in INTERFACES.values() if one.family is Family.COURSE]
    adapted = [INTERFACES[DEFAULT_INTERFACE], *courses]
    assert measured >= {(one.name, mode) for one in adapted for mode in one.modes}


def test_agents_for_another_game_are_measured_by_its_standard_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bench" / "chess" / "light").mkdir(parents=True)
    monkeypatch.setattr(Interface, "folder", tmp_path)
    (runtime,) = runtimes._measured(INTERFACES[DEFAULT_INTERFACE])
    assert (runtime.game, runtime.variant, runtime.options) == ("chess", "standard", {})


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize("runtime", RUNTIMES, ids=lambda runtime: runtime.name)
def test_a_runtimes_agents_play_whole_games(docker_engine: object, runtime: Runtime) -> None:
    core, builds = own_core(), confined().builds
    alone, box = play_alone(runtime, GAMES, core, builds), play_boxed(runtime, GAMES, core)
    assert (alone.games, box.games) == (GAMES, GAMES)
    assert alone.turns / GAMES == pytest.approx(box.turns / GAMES, abs=3)
    assert box.turns / GAMES > 80
    assert box.process_mib > 1


def test_fixed_costs_are_the_opening_and_the_first_games_surplus() -> None:
    box = boxed(5.0, first_game_ms=1005.0)
    assert box.start_share == pytest.approx((1.0 + 1.0) / (1.0 + 1.005 + 999 * 0.005))
    assert boxed(5.0, first_game_ms=4.0).start_share == pytest.approx(1.0 / (1.0 + 0.004 + 4.995))


def test_ratios_are_taken_per_round() -> None:
    rounds = [(Alone(games=1000, turns=88_000, seconds=s), boxed(10.0 * s)) for s in (1.0, 2.0)]
    console = Console(width=200, record=True)
    console.print(throughput({RUNTIMES[0]: rounds}))
    text = console.export_text()
    assert "750 (500–1000)" in text
    assert "10.1" in text


def test_the_table_of_fixed_costs_has_a_row_for_each_runtime() -> None:
    rounds = [(Alone(games=1000, turns=88_000, seconds=1.0), boxed(5.0))]
    console = Console(width=200, record=True)
    console.print(once(dict.fromkeys(RUNTIMES, rounds)))
    text = console.export_text()
    assert all(runtime.name in text for runtime in RUNTIMES)
    assert "5.00 (5.00–5.00)" in text


@pytest.mark.parametrize(
    ("line", "file"),
    [
        ("4:memory:/docker/abc\n0::/\n", "memory/docker/abc/memory.max_usage_in_bytes"),
        ("0::/docker/abc\n", "docker/abc/memory.peak"),
    ],
)
def test_memory_of_a_container_is_read_from_either_kind_of_control_groups(
    tmp_path: Path, line: str, file: str
) -> None:
    (tmp_path / "proc" / "7").mkdir(parents=True)
    (tmp_path / "proc" / "7" / "cgroup").write_text(line)
    (tmp_path / "groups" / file).parent.mkdir(parents=True)
    (tmp_path / "groups" / file).write_text(f"{3 << 20}\n")
    assert container_mib(7, tmp_path / "groups", tmp_path / "proc") == 3.0


def test_memory_that_the_host_does_not_report_is_none(tmp_path: Path) -> None:
    assert container_mib(7, tmp_path, tmp_path) == 0.0
