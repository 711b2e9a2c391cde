"""Untrusted text made fit to be shown."""

from hypothesis import given
from hypothesis import strategies as st

from tests.support.every import every
from webapp.pages.text import last_lines, printable


@every(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\x1b[2K\rb", "a<U+000D>b"),
        ("bell\x07", "bell<U+0007>"),
        ("name\u202egnp.exe", "name<U+202E>gnp.exe"),
        ("zero\u200bwidth", "zero<U+200B>width"),
        ("tab\tand\nnewline\r\n", "tab\tand\nnewline\n"),
        ("half \ud800", "half <U+D800>"),
        ("ünï → 漢字", "ünï → 漢字"),
    ],
)
def test_invisible_characters_are_removed_or_spelt_out(hostile: str, shown: str) -> None:
    assert printable(hostile) == shown


@given(st.text())
def test_nothing_that_controls_a_terminal_is_left(text: str) -> None:
    shown = printable(text)
    assert not any(ord(sign) < 32 and sign not in "\t\n" for sign in shown)
    assert "\x7f" not in shown
    assert printable(printable(text)) == printable(text)


def test_the_end_of_a_text_is_bounded_in_lines_and_characters() -> None:
    end = last_lines("\none\ntwo\n\n")
    assert (end.text, end.is_part, end.lines) == ("one\ntwo", False, 2)
    end = last_lines("\n".join(map(str, range(50))))
    assert (end.text.split("\n")[0], end.is_part, end.lines) == ("30", True, 50)
    end = last_lines("x" * 9000 + "y")
    assert (len(end.text), end.text[-1], end.is_part) == (4000, "y", True)
