"""The interfaces that have agents for an installed game."""

from typing import Final

from grader.core.games import GAMES
from grader.interfaces import INTERFACES

GAMES_OF: Final = {
    name: [game for game, kind in GAMES.items() if interface.plays(kind)]
    for name, interface in INTERFACES.items()
}
"""The games of each interface: none for programs with lines, unless a package declares some."""
GAME_OF: Final = {name: games[0] for name, games in GAMES_OF.items() if games}
"""The first of them."""
