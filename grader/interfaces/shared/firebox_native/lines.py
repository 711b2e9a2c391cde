"""Maps the code of a shared object to lines of the agent's files.

Made by a build, used by a game that comes to a bad end. Behind the object come the table, of three
32-bit numbers a row (where code begins, where its file's name begins, the line), the files' names,
and a tail that says how long these are.
"""

import os
import re
import struct
from collections.abc import Iterator
from typing import BinaryIO, Final

_ROW: Final = struct.Struct("=III")
_TAIL: Final = struct.Struct("=8sII")
_MAGIC: Final = b"fb-lines"

_FOLDER: Final = re.compile(r"(?P<path>\S.*):(?:\[\+\+\])?")
_CALLER: Final = re.compile(r"\./(?P<file>.+):(?P<line>[1-9]\d*)(?: \(.*\))?$")
_LINE: Final = re.compile(r"(?P<name>\S.*?)\s+(?P<line>\d+|-)\s+0x(?P<address>[0-9a-f]+)\b.*")


def appendix(decoded: str, callers: str = "") -> bytes:
    """From what ``objdump --dwarf=decodedline`` says; the agent's files are those in ``.``.

    ``callers`` is what ``addr2line -a -i`` says of the addresses that are ``foreign``.
    """
    rows, names, places = [], bytearray(), dict[str, int]()
    called = dict(_called(callers))
    for own_file, own_line, address in _addresses(decoded):
        file, line = (own_file, own_line) if own_line else called.get(address, ("", 0))
        if line and file not in places:
            places[file] = len(names)
            names += file.encode()[:200] + b"\0"
        rows.append((address, places.get(file, 0), line))
    table = b"".join(_ROW.pack(*row) for row in _without_repetitions(sorted(rows)))
    names += b"\0"
    return table + names + _TAIL.pack(_MAGIC, len(table), len(names))


def foreign(decoded: str) -> list[int]:
    """Return the addresses at which code begins that is in none of the agent's files.

    Much of it was put into the agent's functions, when these were compiled for speed.
    """
    return sorted({address for _, line, address in _addresses(decoded) if not line})


def read_appendix(file: BinaryIO) -> tuple[bytes, bytes]:
    """Table and names of an object; empty where it has none. The object itself is not read."""
    if file.seek(0, os.SEEK_END) < _TAIL.size:
        return b"", b""
    end = file.seek(-_TAIL.size, os.SEEK_END)
    magic, table, names = _TAIL.unpack(file.read())
    if magic != _MAGIC or table + names > end:
        return b"", b""
    file.seek(end - names - table)
    return file.read(table), file.read(names)


def rows_of(table: bytes) -> int:
    """Return the number of rows of a table."""
    return len(table) // _ROW.size


def _called(output: str) -> Iterator[tuple[int, tuple[str, int]]]:
    """Yield addresses with the agent's innermost line there, if any."""
    address, has_caller = 0, False
    for text in output.splitlines():
        if text.startswith("0x"):
            address, has_caller = int(text, 16), False
        elif not has_caller and (match := _CALLER.match(text)):
            has_caller = True
            yield address, (os.path.normpath(match["file"]), int(match["line"]))


def _addresses(decoded: str) -> Iterator[tuple[str, int, int]]:
    """Yield file, line (0 outside of the agent's files) and address of each piece of code."""
    path = ""
    for text in decoded.splitlines():
        if match := _LINE.fullmatch(text):
            # Not every change of file is announced; long names are shortened from the left.
            named = path.rpartition("/")[2].endswith(match["name"].removeprefix("..."))
            own = named and path.startswith("./")
            line = int(match["line"]) if own and match["line"] != "-" else 0
            yield path.removeprefix("./"), line, int(match["address"], 16)
        elif match := _FOLDER.fullmatch(text):
            path = _without_detours(match["path"])


def _without_detours(path: str) -> str:
    name = os.path.normpath(path)
    return f"./{name}" if path.startswith("./") and not name.startswith("../") else name


def _without_repetitions(rows: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    last = None
    for row in rows:
        if row[1:] != last:
            yield row
            last = row[1:]
