"""Lines of machine code: from the output of objdump to the table that a game reads."""

import io
import struct

from firebox_native.lines import appendix, foreign, read_appendix, rows_of

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


def places(said: str, callers: str = "") -> list[tuple[int, str, int]]:
    table, names = read_appendix(io.BytesIO(b"machine code" + appendix(said, callers)))
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
    assert foreign(DECODED) == [0x108, 0x110, 0x118, 0x120]


def test_tables_that_are_missing_cut_or_none_give_no_lines() -> None:
    assert read_appendix(io.BytesIO(b"")) == (b"", b"")
    assert read_appendix(io.BytesIO(b"x" * 100)) == (b"", b"")
    whole = appendix(SAID)
    assert read_appendix(io.BytesIO(whole))[0]
    assert read_appendix(io.BytesIO(whole[1:])) == (b"", b"")
    assert places("adapter.cpp:\nrubbish 0x12\n\n:\n0x\n") == []


DECODED = """
./main.cpp:
main.cpp                                      12             0x100               x
/usr/include/c++/12/bits/stl_vector.h:
stl_vector.h                                1154             0x108               x
stl_vector.h                                1155             0x110               x
stl_vector.h                                1156             0x118               x
main.cpp                                       -             0x120
"""
CALLERS = """\
0x0000000000000108
/usr/include/c++/12/bits/stl_vector.h:1154
./parts/hand.h:7 (discriminator 1)
./main.cpp:12
0x0000000000000110
/usr/include/c++/12/bits/stl_vector.h:1155
??:?
0x0000000000000118
./main.cpp:13
"""


def test_the_innermost_line_of_the_agents_counts() -> None:
    assert places(DECODED, CALLERS) == [
        (0x100, "main.cpp", 12),
        (0x108, "parts/hand.h", 7),
        (0x110, "", 0),
        (0x118, "main.cpp", 13),
        (0x120, "", 0),
    ]
    assert places(DECODED, "") == [(0x100, "main.cpp", 12), (0x108, "", 0)]
