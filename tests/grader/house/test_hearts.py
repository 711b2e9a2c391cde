"""The house agents for Hearts: that each beats the weaker ones, and their bundles."""

import io
import statistics
import zipfile
from pathlib import Path

import pytest

from firebox import Agent
from grader.core.games import Game, game_from_options
from grader.house import hearts
from tests.grader.house.table import play, play_seats
from tests.grader.house.test_house import ALLOWED_IMPORTS, PipeSeat, imported_modules
from tests.grader.interfaces.python.transcripts import Playing
from tests.support.depth import deeper

SOURCES = sorted(Path(hearts.__file__).parent.glob("[_a-z]*.py"))


def short(players: int, hands: int = 1) -> Game:
    return game_from_options("hearts", {"players": players, "hands": hands})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("weak", "strong", "players", "deals"),
    [
        ("low_card", "careful", 2, deeper(40, deep=120)),
        ("careful", "guarded", 2, deeper(15, deep=25)),
        ("guarded", "sampling", 2, deeper(50, deep=100)),
        ("low_card", "careful", 4, deeper(10, deep=20)),
        ("careful", "guarded", 4, deeper(12, deep=60)),
        ("guarded", "sampling", 4, deeper(4, deep=20)),
    ],
)
def test_a_stronger_agent_takes_fewer_points_with_the_same_hands(
    weak: str, strong: str, players: int, deals: int
) -> None:
    others = [hearts.agent(weak)] * (players - 1)
    game = short(players)
    taken = [
        play(game, [*others[:seat], hearts.agent(strong), *others[seat:]], deal).scores[seat]
        for deal in range(deals)
        for seat in range(players)
    ]
    assert statistics.fmean(taken) < 26 / players - 0.5


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow) if name == "sampling" else name
        for name in hearts.NAMES
    ],
)
@pytest.mark.parametrize(
    "rules",
    [
        {"players": 3, "hands": 2},
        {"players": 4, "hands": 1, "moon": "self", "bleeding": "lenient"},
        {"players": 4, "hands": 1, "variant": "fit2102"},
        {"players": 2, "hands": 2, "queen_breaks": False},
    ],
)
def test_each_agent_plays_by_all_rules_and_repeats_its_moves(
    name: str, rules: dict[str, object]
) -> None:
    game = game_from_options("hearts", rules)
    first = play(game, [hearts.agent(name)] * game.seats, 7)
    assert first == play(game, [hearts.agent(name)] * game.seats, 7)


def test_each_agent_has_a_description() -> None:
    for name, description in hearts.NAMES.items():
        assert issubclass(hearts.agent(name), Agent)
        assert hearts.agent(name).__doc__
        assert not description.endswith(".")


def test_an_unknown_name_is_refused() -> None:
    for what in (hearts.agent, hearts.bundle):
        with pytest.raises(LookupError, match=", ".join(hearts.NAMES)):
            what("deep_blue")


@pytest.mark.parametrize("path", [each for each in SOURCES if each.stem != "__init__"])
def test_nothing_but_firebox_and_a_little_of_the_library_is_imported(path: Path) -> None:
    assert imported_modules(path.read_text()) <= ALLOWED_IMPORTS
    assert len(path.read_text().splitlines()) < 300


@pytest.mark.slow
@pytest.mark.parametrize("name", hearts.NAMES)
def test_a_bundle_plays_as_the_agent_itself_does(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(hearts.bundle(name))) as archive:
        archive.extractall(tmp_path)
    game = short(2)
    with Playing(tmp_path) as first, Playing(tmp_path) as second:
        bundled = play_seats(game, [PipeSeat(first), PipeSeat(second)], 1)
        assert first.finish() == second.finish() == (0, "")
    assert bundled == play(game, [hearts.agent(name)] * 2, 1)
