"""The games, by name: our own, each a folder here, and the games of installed packages.

Our own have their class in ``GAME`` of their folder; the name of a folder is the game's. In the
folder of any game, ``presentation.py`` may have ``PRESENTATION``, a subclass of ``Presentation``.
"""

import inspect
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Final, TypeAlias

from grader.core.errors import GamePackageError, RulesError
from grader.core.games.base import MAX_PLAYERS, Game, JsonObject, State
from grader.core.games.presentation import Presentation

__all__ = [
    "DEFAULT_GAME",
    "ENTRY_POINTS",
    "GAMES",
    "MAX_PLAYERS",
    "Game",
    "JsonObject",
    "Presentation",
    "State",
    "folder_of",
    "game_from_options",
    "game_named",
    "guide_text",
    "is_game_name",
    "module_of",
    "package_of",
    "player_counts",
    "presented",
    "remember_games",
    "valid_rules",
]

ENTRY_POINTS: Final = "firebox.games"
"""The group of entry points by which installed packages bring games: ``name = "module:Class"``.

A package with several games names a mapping of them, or a function that returns it:
``openspiel = "module:games"`` brings ``openspiel:gin_rummy``."""
_NAME: Final = re.compile("[a-z][a-z0-9_]{0,19}(:[a-z0-9_]{1,39})?")
_NAMES: Final = (
    "its name must equal Game.name: up to 20 of a to z, 0 to 9 and _; of several games in a package"
    " followed by a colon and up to 39 more"
)


def _own() -> Iterator[type[Game]]:
    for path in sorted(Path(__file__).parent.glob("*/__init__.py")):
        game: type[Game] = import_module(f"{__name__}.{path.parent.name}").GAME
        yield game


_OWN: Final = tuple(_own())


def _installed() -> Iterator[type[Game]]:
    """Yield our own games, then the games of installed packages. Raises GamePackageError."""
    yield from _OWN
    known = {game.name for game in _OWN}
    for entry in entry_points(group=ENTRY_POINTS):
        for name, game in _loaded(entry).items():
            if not (isinstance(game, type) and issubclass(game, Game)):
                raise GamePackageError(_refusal(entry, name, "it is no subclass of Game"))
            if game.name != name or not is_game_name(name):
                raise GamePackageError(_refusal(entry, name, _NAMES))
            if name in known:
                reason = f"a game called {name} is already there"
                raise GamePackageError(_refusal(entry, name, reason))
            known.add(name)
            yield game


def _loaded(entry: EntryPoint) -> Mapping[str, object]:
    try:
        brought = entry.load()
        if not isinstance(brought, type) and callable(brought):
            brought = brought()
    except Exception as error:
        reason = f"it cannot be imported: {error}"
        raise GamePackageError(_refusal(entry, entry.name, reason)) from error
    if not isinstance(brought, Mapping):
        return {entry.name: brought}
    for name in brought:
        if not str(name).startswith(f"{entry.name}:"):
            reason = f"names of several games begin with {entry.name}:"
            raise GamePackageError(_refusal(entry, str(name), reason))
    return brought


def is_game_name(name: str) -> bool:
    """Return whether a game may have this name: ``hanabi``, ``openspiel:gin_rummy``."""
    return _NAME.fullmatch(name) is not None


def _refusal(entry: EntryPoint, name: str, reason: str) -> str:
    package = entry.dist.name if entry.dist is not None else "a package"
    return f"{package} offers the game {name}, which cannot be used: {reason}"


@cache
def _games() -> dict[str, type[Game]]:
    return {game.name: game for game in _installed()}


GAMES: dict[str, type[Game]]
if not TYPE_CHECKING:  # mypy would take every unknown name of this module for an attribute

    def __getattr__(name: str) -> object:
        # Packages import this module, and theirs may be imported first: by a test of its rules.
        # Their entry points can be loaded only when that import is over.
        if name == "GAMES":
            return _games()
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


DEFAULT_GAME: Final = _OWN[0].name


FindMissing: TypeAlias = Callable[[str], type[Game] | None]
_FIND_MISSING: Final[list[FindMissing]] = []


def remember_games(find: FindMissing) -> None:
    """Let ``find`` answer for games that are not installed. A site calls this when it starts: it
    shows results of games that nobody can play on it any more, and those of uploaded folders."""
    _FIND_MISSING[:] = [find]


def game_named(name: str) -> type[Game]:
    """The game called ``name``. Raises RulesError if it is neither installed nor remembered."""
    games = _games()
    if name in games:
        return games[name]
    for find in _FIND_MISSING:
        if missing := find(name):
            return missing
    known = ", ".join(sorted(games))
    raise RulesError(
        f"unknown game {name!r}; known games: {known}. The folder of another one is installed by:"
        " pip install FOLDER"
    )


def game_from_options(name: str, options: JsonObject) -> Game:
    """The game called ``name`` with these options. Raises RulesError."""
    return game_named(name).from_options(options)


def valid_rules(game: type[Game], options: JsonObject) -> Game:
    """Return the game with these options, but for options that its rules refuse."""
    kept = dict(options)
    while True:
        try:
            return game.from_options(kept)
        except RulesError as error:
            if error.option not in kept:
                return game.from_options({})
            del kept[error.option]


def presented(game: Game) -> Presentation:
    """Return a game as people are shown it."""
    return _presentation(type(game))(game)


@cache
def _presentation(game: type[Game]) -> type[Presentation]:
    module = module_of(game, "presentation")
    presentation: type[Presentation] = getattr(module, "PRESENTATION", Presentation)
    return presentation


def package_of(game: type[Game]) -> str:
    """Return the name of the package that a game's rules are in; empty for a single module."""
    module = sys.modules[game.__module__]
    return module.__package__ or ""


def folder_of(game: type[Game]) -> Path:
    """Return the folder in which a game keeps what is more than its rules."""
    return Path(str(sys.modules[game.__module__].__file__)).parent


def guide_text(game: type[Game]) -> str:
    """Return a game's guide, Markdown: its ``guide.md``, or the docstring of its module."""
    file = folder_of(game) / "guide.md"
    if file.is_file():
        return file.read_text("utf-8")
    return inspect.getdoc(sys.modules[game.__module__]) or ""


def module_of(game: type[Game], name: str) -> ModuleType | None:
    """Return the module ``name`` of a game's package; ``None`` if there is none."""
    full = f"{package_of(game)}.{name}"
    return None if full.startswith(".") or find_spec(full) is None else import_module(full)


@cache
def player_counts(game: type[Game], variant: str) -> tuple[int, ...]:
    """Return the numbers of players that a variant allows, in ascending order."""
    return tuple(n for n in range(1, MAX_PLAYERS + 1) if _is_allowed(game, variant, n))


def _is_allowed(game: type[Game], variant: str, players: int) -> bool:
    try:
        game.from_options({"variant": variant, "players": players})
    except RulesError:
        return False
    return True
