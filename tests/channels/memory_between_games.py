"""A game fills memory; the next one searches what it is given.

Between: games
Games: 20
"""

from memory_channel import MemoryChannel


class MemoryBetweenGames(MemoryChannel):
    between = "games"
