"""A game leaves files for the next one.

Between: games
Bites: yes
"""

from files_channel import FilesChannel


class FilesBetweenGames(FilesChannel):
    between = "games"
