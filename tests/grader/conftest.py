"""Tests of the grader know no site."""

import pytest

from grader.core import games


@pytest.fixture(autouse=True)
def _no_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that was imported for other tests would look for missing games in its database."""
    monkeypatch.setattr(games, "_FIND_MISSING", [])
