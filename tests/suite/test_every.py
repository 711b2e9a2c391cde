"""Many cases in one test: none is lost, and each that fails is named."""

import pytest

from tests.support.every import every


def test_every_case_runs_and_each_that_fails_is_named() -> None:
    ran = []

    @every("one", [1, 2, 3])
    @every(("two", "three"), [(4, 5), (6, 7)])
    def check(one: int, two: int, three: int) -> None:
        ran.append((one, two, three))
        if one != 2:
            pytest.fail(f"not {one}")

    with pytest.raises(BaseExceptionGroup, match="2 of 3 cases") as caught:
        check()
    assert len(ran) == 6
    assert [error.__notes__ for error in caught.value.exceptions] == [
        ["with {'one': 1}"], ["with {'one': 3}"],
    ]  # fmt: skip
