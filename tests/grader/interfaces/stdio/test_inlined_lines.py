"""Inlined code of the library is attributed to the agent's lines."""

import io
import struct

from firebox_native.lines import appendix, foreign, read_appendix, rows_of

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


def places(decoded: str, callers: str) -> list[tuple[int, str, int]]:
    table, names = read_appendix(io.BytesIO(appendix(decoded, callers)))
    rows = [struct.unpack_from("=III", table, 12 * i) for i in range(rows_of(table))]
    return [
        (at, names[name:].split(b"\0")[0].decode() if line else "", line) for at, name, line in rows
    ]


def test_only_what_is_in_no_file_of_the_agents_is_asked_for() -> None:
    assert foreign(DECODED) == [0x108, 0x110, 0x118, 0x120]


def test_the_innermost_line_of_the_agents_counts() -> None:
    assert places(DECODED, CALLERS) == [
        (0x100, "main.cpp", 12),
        (0x108, "parts/hand.h", 7),
        (0x110, "", 0),
        (0x118, "main.cpp", 13),
        (0x120, "", 0),
    ]


def test_without_callers_other_code_has_no_line() -> None:
    assert places(DECODED, "") == [(0x100, "main.cpp", 12), (0x108, "", 0)]
