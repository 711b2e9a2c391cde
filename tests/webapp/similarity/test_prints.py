"""Tokens and fingerprints of files, in every language, and of files that mean us ill."""

import pytest
from pygments.lexer import RegexLexer
from pygments.token import Text

from grader.interfaces import INTERFACES
from tests.support.made_programs import program, renamed
from webapp.grading.similarity import tokens
from webapp.grading.similarity.prints import MAX_FILE_BYTES, prints_of, read_prints
from webapp.grading.similarity.tokens import is_source, tokens_of

JAVA = """package agents;
/** Plays. */
public class Agent1 implements Agent {
  private int[] counts = new int[5]; // five
  public Action doAction(State s) {
    for (int i = 0; i < 5; i++) counts[i] += s.n("x", 3.5);
    return null;
  }
}
"""
CPP = """#include "Player.h"
// mine
int Player::best(const std::vector<int>& hand) {
  int most = 0;
  for (int c : hand) if (c > most) most = c;
  return most;
}
"""
HASKELL = """module Player where
-- | Mine
playCard :: Hand -> [Card] -> Card
playCard hand played = case filter (follows played) hand of { [] -> head hand; (c:_) -> c }
"""


def words(name: str, text: str) -> list[str]:
    return [token.text for token in tokens_of(name, text.encode())]


def test_names_numbers_strings_comments_and_blanks_make_no_difference() -> None:
    ours = "def best(hand):\n    '''Say.'''\n    sum = 3 + len(hand)  # all\n    return f'{sum}!'\n"
    theirs = "def pick( h ):\n\n  t=44+len(h)\n  return f'{t} of them'\n"
    assert words("a.py", ours) == words("b.py", theirs)
    assert words("a.py", ours) != words("a.py", ours.replace("3 +", "3 -"))


@pytest.mark.parametrize(("name", "text"), [("A.java", JAVA), ("P.h", CPP), ("Player.hs", HASKELL)])
def test_names_and_comments_make_no_difference_in_other_languages(name: str, text: str) -> None:
    changed = text
    for old, new in (("counts", "tally"), ("most", "best1"), ("played", "before"), ("mine", "x")):
        changed = changed.replace(old, new)
    assert changed != text
    assert len(words(name, text)) > 20
    assert words(name, changed) == words(name, text)


def test_every_interface_has_its_language_here() -> None:
    endings = {suffix for each in INTERFACES.values() for suffix in each.upload.suffixes}
    assert [ending for ending in endings if not is_source(f"agent{ending}")] == []


def test_fingerprints_know_their_lines() -> None:
    text = program(1, functions=3)
    prints = prints_of({"agent.py": text.encode(), "notes.txt": b"read me"})
    assert prints.files == ("agent.py",)
    assert all(1 <= mark.first <= mark.last <= text.count("\n") + 1 for mark in prints.marks)
    assert read_prints(prints.packed()) == prints


def test_a_renamed_program_has_the_same_fingerprints_and_another_has_none_of_them() -> None:
    ours, copied, other = (
        prints_of({"agent.py": text.encode()}).hashes
        for text in (program(1), renamed(program(1)), program(2))
    )
    assert copied == ours
    assert len(other & ours) < len(ours) / 20


def test_a_file_that_is_too_large_is_left_out_and_the_others_are_read() -> None:
    files = {"big.py": b"x = 1\n" * MAX_FILE_BYTES, "agent.py": program(1).encode()}
    prints = prints_of(files)
    assert prints.files == ("agent.py",)
    assert prints.left_out == ("big.py was not read: it has more than 256 KiB.",)


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert prints_of({"agent.py": bytes(range(256)) * 50}).files == ("agent.py",)


class Slow(RegexLexer):
    """A lexer whose expression tries every way to part a line."""

    tokens = {"root": [(r"(?:a+)+b", Text)]}  # noqa: RUF012 - as Pygments has it


def test_a_file_on_which_a_lexer_hangs_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tokens.SUFFIXES, ".py", Slow)
    tokens._lexer.cache_clear()
    monkeypatch.setattr(tokens, "MAX_SECONDS", 0.05)
    try:
        prints = prints_of({"agent.py": b"a" * 60})
    finally:
        tokens._lexer.cache_clear()
    assert prints.files == ()
    assert "computing to read it" in prints.left_out[0]
