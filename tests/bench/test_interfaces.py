"""The benchmark of the interfaces: its agents play in real sandboxes."""

from pathlib import Path

import pytest

from grader.interfaces import DEFAULT_INTERFACE, INTERFACES, Interface
from grader.interfaces.declaration import Family
from tests.bench import interfaces
from tests.bench.interfaces import RUNTIMES, Runtime, play_alone, play_boxed
from tests.support.slots import confined, own_core

GAMES = 2


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
    (runtime,) = interfaces._measured(INTERFACES[DEFAULT_INTERFACE])
    assert (runtime.game, runtime.variant, runtime.options) == ("chess", "standard", {})


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.parametrize("runtime", RUNTIMES, ids=lambda runtime: runtime.name)
def test_a_runtimes_agents_play_whole_games(docker_engine: object, runtime: Runtime) -> None:
    core, builds = own_core(), confined().builds
    alone, box = play_alone(runtime, GAMES, core, builds), play_boxed(runtime, GAMES, core)
    assert alone.games == GAMES
    assert alone.turns / GAMES == pytest.approx(box["turns a game"], abs=3)
    assert box["turns a game"] > 80
    assert box["process, MiB"] > 1
