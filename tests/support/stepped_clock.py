"""A clock that steps, for programs that begin with it: the machine's own stays as it is."""

import struct
import subprocess
from pathlib import Path
from typing import Final

_SOURCE: Final = """
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile const int64_t *ahead;

__attribute__((constructor)) static void begin(void) {
    int file = open(getenv("STEPPED_CLOCK"), O_RDONLY);
    ahead = mmap(0, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = syscall(SYS_clock_gettime, clock, now);
    if (!failed && clock == CLOCK_REALTIME)
        now->tv_sec += *ahead;
    return failed;
}
"""
"""By which Python reads the time of day. Durations are measured by another clock, which is true.

libfaketime would do, but with it Python's ``time.sleep`` fails: "Invalid argument".
"""


class SteppedClock:
    """The clock of programs that are started with its settings."""

    def __init__(self, directory: Path) -> None:
        """Compile it; it is right until it steps."""
        self._file, self._library = directory / "clock", directory / "clock.so"
        command = ["gcc", "-shared", "-fPIC", "-x", "c", "-o", str(self._library), "-"]
        subprocess.run(command, input=_SOURCE, text=True, check=True)
        self._file.write_bytes(bytes(8))

    @property
    def settings(self) -> dict[str, str]:
        """The environment of a program that goes by it."""
        return {"LD_PRELOAD": str(self._library), "STEPPED_CLOCK": str(self._file)}

    def step(self, seconds: int) -> None:
        """Be so many seconds ahead of the machine's clock, or behind it."""
        with self._file.open("r+b", buffering=0) as file:
            file.write(struct.pack("q", seconds))
