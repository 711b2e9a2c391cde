"""Checks in modules of their own say what did not hold, as asserts in tests do."""

import pytest

pytest.register_assert_rewrite(
    "tests.grader.core.games.plays",
    "tests.grader.core.games.conformance",
    "tests.grader.core.games.conformance_of_scenes",
)
