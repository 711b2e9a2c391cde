"""Finds the host's control groups of a process, in version 1 and 2.

A worker in a container of its own does not see them.
"""

from pathlib import Path
from typing import Final

ROOT: Final = Path("/sys/fs/cgroup")


def control_group(controller: str, pid: int, root: Path = ROOT) -> Path:
    """Return the directory of a process's control group that has a controller, seen or not.

    Raises OSError and ValueError.
    """
    lines = Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8").splitlines()
    places = {names: path.strip("/") for _, names, path in (line.split(":", 2) for line in lines)}
    for names, path in places.items():
        if controller in names.split(","):
            return root / controller / path
    return root / places[""] if "" in places else root
