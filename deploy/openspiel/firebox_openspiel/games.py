"""The rules are OpenSpiel's.

An action is `{"type": "play", "action": n}`, where `n` is the number that OpenSpiel gives it. The
observation has `names`, what your legal actions are called, in their order; `text`, what you see;
and `tensor`, the same as numbers for a trained network, empty where there is none. Games without
chance begin with an opening of up to four random moves. Matrix games are played 20 times in a row.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from importlib.metadata import version
from math import ceil, floor
from typing import ClassVar, Final

import pyspiel

from firebox_openspiel.state import Play, action_of
from grader.core.chance import Chance
from grader.core.errors import RecordError
from grader.core.games import checks
from grader.core.games.base import MAX_PLAYERS, ChanceIn, Game, JsonObject, State
from grader.core.games.fixed import FixedRules
from grader.core.games.openings import GameWithOpenings
from grader.core.games.outcomes import LOSS, WIN, WinDrawLoss

REPETITIONS: Final = 20
"""A matrix game is played this often in a row: one joint move alone would say nothing about a
strategy."""
_UNITS: Final = {
    "coop_box_pushing": Fraction(1, 10),
    "deep_sea": Fraction(1, 1000),
    "pathfinding": Fraction(1, 100),
    "skat": Fraction(1, 240),
    "tiny_bridge_2p": Fraction(1, 60),
}
"""The smallest part of a point that a game pays, where it is not 1."""
_NUMBER: Final = re.compile("0|[1-9][0-9]{0,6}")


def _library_version() -> int:
    """Return 2.0.2 as 20002: another release of OpenSpiel may play by other rules."""
    major, minor, patch = (int(part) for part in version("open_spiel").split(".")[:3])
    return 10_000 * major + 100 * minor + patch


class OpenSpielGame(FixedRules):
    """A game of OpenSpiel with its usual parameters. A subclass has its ``kind``."""

    kind: ClassVar["pyspiel.GameType"]
    """The description that OpenSpiel gives of the game."""

    rules_version = _library_version()
    chance = ChanceIn.PLAY
    endings: ClassVar[Mapping[str, str]] = {"over": "the game is over"}

    @property
    def score_range(self) -> tuple[int, int]:
        rules = _loaded(self.kind.short_name, self.seats)
        # Sums of floats: -1019.9999999999999 is -1020.
        low, high = round(rules.min_utility(), 6), round(rules.max_utility(), 6)
        return floor(low / self.unit), ceil(high / self.unit)

    def deal(self, seed: bytes) -> State:
        return self.begin(seed)

    def begin(self, seed: bytes) -> Play:
        """Begin a play whose chance nodes follow from ``seed``."""
        rules = _loaded(self.kind.short_name, self.seats)
        return Play(rules, Chance(seed, "openspiel"), self.unit)

    def notate(self, action: JsonObject) -> str:
        return str(action["action"])

    def parse(self, notation: str) -> JsonObject:
        if not _NUMBER.fullmatch(notation):
            raise RecordError(f"no number of an action: {checks.shown(notation)}")
        return action_of(int(notation))


class WithoutChance(OpenSpielGame, GameWithOpenings):
    """A game of OpenSpiel without chance: its deals are openings."""

    chance = ChanceIn.NOTHING

    @property
    def opening_moves(self) -> int:  # type: ignore[override]
        """At most four, a whole round of all seats, and a small part of a short game."""
        length = _loaded(self.kind.short_name, self.seats).max_game_length()
        return int(min(4, length // 4) // self.seats * self.seats)

    def deal(self, seed: bytes) -> State:
        return GameWithOpenings.deal(self, seed)

    def start(self) -> Play:
        return self.begin(b"")


@lru_cache(maxsize=64)
def _loaded(name: str, seats: int) -> "pyspiel.Game":
    kind = _KINDS[name]
    if kind.information == pyspiel.GameType.Information.ONE_SHOT:
        stage = f"{name}({_players(kind, seats)})"
        return pyspiel.load_game(f"repeated_game(stage_game={stage},num_repetitions={REPETITIONS})")
    return pyspiel.load_game(f"{name}({_players(kind, seats)})")


def _players(kind: "pyspiel.GameType", seats: int) -> str:
    return f"players={seats}" if "players" in kind.parameter_specification else ""


def _default_seats(kind: "pyspiel.GameType") -> int:
    # 0 stands for "any number" in one game.
    return int(kind.parameter_specification.get("players", 0)) or kind.min_num_players


def _seats(kind: "pyspiel.GameType") -> tuple[int, int]:
    if "players" not in kind.parameter_specification:
        return kind.min_num_players, kind.min_num_players
    return kind.min_num_players, min(kind.max_num_players, MAX_PLAYERS)


def _refusal(kind: "pyspiel.GameType") -> str:
    if not kind.default_loadable:
        return "it needs another game or a file as a parameter"
    if kind.short_name == "crossword":
        return "it has no numbers of actions"
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        return "it is played by a distribution of players, not by seats"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws its own random numbers, which a deal's seed does not decide"
    if not (kind.provides_observation_string or kind.provides_information_state_string):
        return "it does not say what a seat sees"
    return ""


def _game(kind: "pyspiel.GameType") -> type[OpenSpielGame]:
    game_type = pyspiel.GameType
    has_chance = kind.chance_mode != game_type.ChanceMode.DETERMINISTIC
    base = OpenSpielGame if has_chance else WithoutChance
    fewest, most = _seats(kind)
    has_secrets = kind.information == game_type.Information.IMPERFECT_INFORMATION
    members = {
        "__doc__": f"{kind.long_name}, with the rules of OpenSpiel.",
        "__module__": __name__,
        "kind": kind,
        "name": f"openspiel:{kind.short_name}",
        "title": kind.long_name,
        "competitive": kind.utility != game_type.Utility.IDENTICAL,
        "hides_nothing": not has_secrets,
        "default_players": _default_seats(kind),
        "fewest_players": fewest,
        "most_players": most,
        "unit": _UNITS.get(kind.short_name, Fraction(1)),
    }
    bases = (WinDrawLoss, base) if _is_won_or_drawn(kind) else (base,)
    return type(kind.short_name, bases, members)


def _is_won_or_drawn(kind: "pyspiel.GameType") -> bool:
    if kind.utility != pyspiel.GameType.Utility.ZERO_SUM or _seats(kind) != (2, 2):
        return False
    rules = _loaded(kind.short_name, 2)
    ends = (rules.min_utility(), rules.max_utility())
    return ends == (LOSS, WIN) and kind.short_name not in _UNITS


_KINDS: Final = {kind.short_name: kind for kind in pyspiel.registered_games()}
REFUSED: Final[Mapping[str, str]] = {
    name: reason for name, kind in _KINDS.items() if (reason := _refusal(kind))
}
"""Reasons, by OpenSpiel's name of the game."""
GAMES: Final[Mapping[str, type[Game]]] = {
    game.name: game
    for game in (_game(kind) for name, kind in _KINDS.items() if name not in REFUSED)
}
