"""The probes of ``firebox check``: run in a container in the place of an adapter, on both layers.

What the container alone holds back is tried by its first process, while this package is imported;
what an agent is held back from, by a confined process. Both only say what happened: whether that is
right is for the host to judge (``sandbox.check``). Standard library only.
"""

import json
import os

from . import agent, container

_container = container.facts() if os.getpid() == 1 else {}
"""Empty where no container is: the benchmark's pipes are measured without one."""


def play(_agent: str, _artefact: str, stdin_fd: int, stdout_fd: int) -> None:
    """Answer a line with everything that was found out; after ``fork``, start a process."""
    while line := os.read(stdin_fd, 64):
        if line == b"fork\n":
            os.fork()
        facts = {**_container, **agent.facts()}
        os.write(stdout_fd, json.dumps(facts).encode() + b"\n")


def echo(_agent: str, _artefact: str, stdin_fd: int, stdout_fd: int) -> None:
    """Answer every chunk with an empty line, to measure the cost of the pipes themselves."""
    while os.read(stdin_fd, 65536):
        os.write(stdout_fd, b"\n")
