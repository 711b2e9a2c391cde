"""Lines of machine code: from the output of objdump to the table that a game reads."""

import io
import struct

from firebox_native.lines import appendix, read_appendix, rows_of

SAID = """
made.so:     file format elf64-x86-64

Contents of the .debug_line section:

adapter.cpp:
File name                            Line number    Starting address    View    Stmt

./Player.h:
Player.h                                       9             0x80368               x
Player.h                                       9             0x80374               x
Player.h                                      12             0x80380               x
adapter.cpp                                  121             0x80390               x
Player.h                                       -             0x803a0

/usr/include/c++/12/bits/stl_vector.h:
stl_vector.h                                 110             0x803b0               x

./src/../parts/AVeryLongNameOfAHeaderOfAStudent.h:
...NameOfAHeaderOfAStudent.h                   3             0x80300               x
...NameOfAHeaderOfAStudent.h                   -             0x80310

./src/../../outside/Secret.h:
Secret.h                                       1             0x80400               x
"""


def places(said: str) -> list[tuple[int, str, int]]:
    table, names = read_appendix(io.BytesIO(b"machine code" + appendix(said)))
    rows = [struct.unpack_from("=III", table, 12 * i) for i in range(rows_of(table))]
    return [
        (at, names[name:].split(b"\0")[0].decode() if line else "", line) for at, name, line in rows
    ]


def test_code_of_the_agents_files_has_its_line_and_other_code_has_none() -> None:
    assert places(SAID) == [
        (0x80300, "parts/AVeryLongNameOfAHeaderOfAStudent.h", 3),
        (0x80310, "", 0),
        (0x80368, "Player.h", 9),
        (0x80380, "Player.h", 12),
        (0x80390, "", 0),
    ]


def test_an_object_without_lines_has_none() -> None:
    assert read_appendix(io.BytesIO(b"")) == (b"", b"")
    assert read_appendix(io.BytesIO(b"x" * 100)) == (b"", b"")


def test_lines_of_which_the_beginning_is_missing_are_none() -> None:
    whole = appendix(SAID)
    assert read_appendix(io.BytesIO(whole))[0]
    assert read_appendix(io.BytesIO(whole[1:])) == (b"", b"")


def test_data_that_is_no_table_is_skipped() -> None:
    assert places("adapter.cpp:\nrubbish 0x12\n\n:\n0x\n") == []
