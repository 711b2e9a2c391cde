"""A site with a million games, brought from the first version that can be upgraded to this one."""

import os
from pathlib import Path
from typing import Final

import pytest

from tests.support.upgrade_costs import site_on

ROWS: Final = int(os.environ.get("UPGRADE_ROWS", "1000000"))


@pytest.mark.deep
@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize(
    "database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)]
)
def test_a_million_games_come_through_an_upgrade_unchanged(database: str, tmp_path: Path) -> None:
    """Each is compared with the one it repeats, whose upgrade other tests check."""
    with site_on(database, tmp_path) as site:
        site.upgrade(ROWS)
