"""A tournament's table in the bench: with sandboxes opened for it, and with sandboxes that wait."""

import pytest

from grader.bench.tables import table_times
from tests.support.slots import own_core


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine")
def test_a_table_is_played_both_ways_in_each_round() -> None:
    times = table_times(own_core(), rounds=1)
    assert len(times) == 1
    assert min(times[0]) > 0
