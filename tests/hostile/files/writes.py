"""Writes wherever anybody ever could: root, temporary files, shared memory, its own sources.

Verdict: contained
"""

import os

from hostile import Hostile, refused, unwritable

FOLDERS = (
    "/", "/agent", "/build", "/dev/mqueue", "/dev/shm", "/run", "/tmp", "/usr/lib", "/var/tmp",
)  # fmt: skip


class Writes(Hostile):
    def attack(self, observation):
        unnamed = os.O_TMPFILE | os.O_RDWR
        for folder in FOLDERS:
            unwritable(f"{folder}/left-over")
            refused(f"unnamed file in {folder}", os.open, folder, unnamed, 0o600)
        unwritable("/agent/agent.py", "/build/artefact", "/usr/bin/python3", "/dev/null")
