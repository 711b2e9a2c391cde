"""Many quick cases in one test, where each alone would cost more to start than to run."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any

import pytest

Test = Callable[..., None]


def every(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test with all cases, and fail with each that does, by its values.

    Written as ``pytest.mark.parametrize``. Cases share the test's fixtures, so none may change what
    another one reads.
    """
    keys = [key.strip() for key in names.split(",")] if isinstance(names, str) else [*names]
    values = [dict(zip(keys, [case] if len(keys) == 1 else case, strict=True)) for case in cases]

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(**fixtures: object) -> None:
            failures = []
            for case in values:
                try:
                    test(**fixtures, **case)
                except (Exception, BaseExceptionGroup, pytest.fail.Exception) as error:  # noqa: BLE001
                    error.add_note(f"with {case!r}"[:1000])
                    failures.append(error)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(values)} cases", failures)

        asked = signature(test)
        others = [one for name, one in asked.parameters.items() if name not in keys]
        run.__signature__ = asked.replace(parameters=others)  # type: ignore[attr-defined]
        return run

    return decorate
