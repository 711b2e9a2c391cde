"""The viewer's scripts and styles: shared ones are here, a game's own in its folder."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from grader.core.games import GAMES, Game, folder_of, game_named

SHARED: Final = Path(__file__).parent / "static"
"""The folder of those that every game's viewer needs."""
_SCRIPTS: Final = ("elements.js", "motion.js", "game.js", "viewer.js", "dock.js", "lists.js")
_GRID: Final = "grid"
"""The script and the style that draw games whose table is a grid."""
_STYLES: Final = ("colours.css", "motion.css", "viewer.css")
_OWN: Final = ("draw.js", "draw.css")


def _viewer_of(game: type[Game]) -> Path:
    return folder_of(game) / "viewer"


def scripts(game: str) -> list[tuple[str, Path]]:
    """A viewer's scripts in their order: the name below the site's static files, and the file."""
    return _shared(game, _SCRIPTS, "js") + _own(game, _OWN[0])


def styles(game: str) -> list[tuple[str, Path]]:
    """Its styles, likewise."""
    return _shared(game, _STYLES, "css") + _own(game, _OWN[1])


def play_scripts(game: str) -> list[tuple[str, Path]]:
    """The scripts that let a person play on the board, after those of the viewer."""
    return [*_own(game, "act.js"), ("viewer/play.js", SHARED / "play.js")]


def play_styles(game: str) -> list[tuple[str, Path]]:
    """The games' styles, in the same order."""
    return [("viewer/play.css", SHARED / "play.css"), *_own(game, "act.css")]


def static_folders() -> list[tuple[str, Path]]:
    """All folders of the viewer's files, each with the prefix of its names on the site."""
    own = [(f"viewer/{name}", _viewer_of(game)) for name, game in GAMES.items()]
    return [("viewer", SHARED), *(folder for folder in own if folder[1].is_dir())]


def _shared(game: str, names: Sequence[str], ending: str) -> list[tuple[str, Path]]:
    more = [f"{_GRID}.{ending}"] if game_named(game).view else []
    return [(f"viewer/{name}", SHARED / name) for name in (*names, *more)]


def _own(game: str, name: str) -> list[tuple[str, Path]]:
    path = _viewer_of(game_named(game)) / name
    return [(f"viewer/{game}/{name}", path)] if path.exists() else []
