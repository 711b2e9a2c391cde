"""An agent that asks somebody to type: nobody is there."""

from pathlib import Path

from tests.grader.interfaces.python.test_adapter import PLAYS, fails


def test_input_says_that_nobody_can_type(tmp_path: Path) -> None:
    _, errors = fails(tmp_path, f"move = input('Your move? ')\n{PLAYS}")
    assert errors.endswith(
        "EOFError: EOF when reading a line (nobody can type here: input() has nothing to read)\n"
    )
