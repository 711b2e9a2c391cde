"""A clock that steps, for programs that begin with it: the machine's own stays as it is."""

from pathlib import Path

__all__ = ["SteppedClock"]


class SteppedClock:
    """What libfaketime has programs take for the time of day; durations stay true."""

    def __init__(self, directory: Path) -> None:
        """Right, until it steps. Raises FileNotFoundError without libfaketime."""
        self._file = directory / "clock"
        libraries = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        if not libraries:
            raise FileNotFoundError("libfaketime is not installed: make setup")
        self._library = libraries[0]
        self.step(0)

    @property
    def settings(self) -> dict[str, str]:
        """The environment of a program that goes by it."""
        return {
            "LD_PRELOAD": str(self._library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def step(self, seconds: int) -> None:
        """Be so many seconds ahead of the machine's clock, or behind it."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n")
        new.replace(self._file)
