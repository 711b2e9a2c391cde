"""The folder of an uploaded game: a zip with ``pyproject.toml`` and rules; none is run here."""

from typing import Final

from grader.core.errors import UploadRejected
from grader.uploads.archive import Sources, read_upload
from grader.uploads.shape import UploadShape

_SHAPE: Final = UploadShape(language="Python", suffixes=(".py",), entry="pyproject.toml")


def read_game_folder(filename: str, data: bytes) -> Sources:
    """Read a zip of the folder that ``firebox game new`` writes. Raises UploadRejected."""
    if not filename.lower().endswith(".zip"):
        raise UploadRejected(
            f"A file named {filename[-80:]!r} is no zip archive.",
            "Pack the game's folder, the one with pyproject.toml, as a .zip.",
        )
    return read_upload(filename, data, _SHAPE)
