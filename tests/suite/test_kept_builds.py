"""Code names the directory of compiled agents; comments and docstrings do not."""

import pytest

from tests.support.kept_builds import what_runs

SOURCE = b'''
LIMIT = 3
"""In seconds."""

class Clock:
    def late(self):
        return LIMIT > 2
'''


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"In seconds.", b"Of time, in seconds."),
        (b"LIMIT = 3", b"LIMIT = 3  # a guess"),
        (b"class Clock:", b'class Clock:\n    """Tells the time."""\n'),
    ],
)
def test_comments_and_docstrings_do_not_change_what_runs(old: bytes, new: bytes) -> None:
    assert SOURCE.replace(old, new) != SOURCE
    assert what_runs(SOURCE.replace(old, new)) == what_runs(SOURCE)


@pytest.mark.parametrize(("old", "new"), [(b"= 3", b"= 4"), (b"> 2", b">= 2"), (b"late", b"on")])
def test_a_changed_statement_changes_what_runs(old: bytes, new: bytes) -> None:
    assert what_runs(SOURCE.replace(old, new)) != what_runs(SOURCE)
