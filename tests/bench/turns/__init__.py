"""The adapter of the experiment: answers each line after using as much processor time as it says.

Standard library only: this runs inside the container, in the place of an agent.
"""

import os
import time


def play(_agent: str, _artefact: str, stdin_fd: int, stdout_fd: int) -> None:
    """For each line ``<seconds> compute`` or ``<seconds> sleep`` do so, then answer."""
    while line := os.read(stdin_fd, 4096):
        seconds, _, how = line.decode().strip().partition(" ")
        if how == "sleep":
            time.sleep(float(seconds))
        else:
            until = time.process_time() + float(seconds)
            while time.process_time() < until:
                pass
        os.write(stdout_fd, b"done\n")
