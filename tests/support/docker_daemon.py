"""A Docker engine of a test's own, which it may kill: nobody else's containers are touched."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Final

from sandbox.images import ensure_image
from tests.support.processes import Program
from tests.support.slots import on_every_core

_HYBRID: Final = "/sys/fs/cgroup/unified"
_WITHOUT_HYBRID_CGROUPS: Final = (
    "unshare", "--mount", "--",
    "sh", "-c", f'mountpoint --quiet {_HYBRID} && umount {_HYBRID}; exec "$@"', "sh",
)  # fmt: skip
"""crun takes version 1 or version 2 of control groups, but not a host that mounts both: it sees one
that does not. What the daemon mounts then goes with it."""

_GAVE_UP: Final = "timeout waiting for containerd to start"
_STARTS: Final = 3


class DockerDaemon:
    """Runs a second ``dockerd`` with its own socket, state and copy of the sandbox image."""

    def __init__(
        self, directory: Path, *, runtimes: Mapping[str, Path] = MappingProxyType({})
    ) -> None:
        """Needs root. ``runtimes`` are programs that start containers. Nothing runs yet."""
        # Containerd's socket lies deeper, and the name of a socket has at most 107 characters.
        self._sockets = Path(tempfile.mkdtemp(prefix="firebox-docker-"))
        self._socket = self._sockets / "docker.sock"
        self._data = directory / "data"
        command = [
            "dockerd",
            "--host", self.url,
            "--data-root", str(self._data),
            "--exec-root", str(self._sockets / "exec"),
            "--pidfile", str(directory / "dockerd.pid"),
            "--bridge", "none",
            "--iptables=false",
            *(f"--add-runtime={name}={path}" for name, path in runtimes.items()),
        ]  # fmt: skip
        if runtimes:
            command = [*_WITHOUT_HYBRID_CGROUPS, *command]
        self._program = Program("dockerd", command, os.environ, directory)

    @property
    def url(self) -> str:
        return f"unix://{self._socket}"

    @property
    def settings(self) -> dict[str, str]:
        """The environment of a process that uses it."""
        return {"DOCKER_HOST": self.url, "FIREBOX_IMAGES": "python"}

    def start(self) -> None:
        """Start it and wait until it answers. Like the machine's own, it may use every core.

        On a busy machine it may give up its containerd as too slow: systemd then starts it again.
        """
        for left in reversed(range(_STARTS)):
            with on_every_core():
                self._program.start()
            try:
                self._program.await_log("API listen on")
            except AssertionError:
                if not left or _GAVE_UP not in self._program.log:
                    raise
            else:
                return

    def load_image(self) -> None:
        """Copy the image for Python, and no other, from the machine's own engine."""
        image = ensure_image()
        with subprocess.Popen(["docker", "save", image], stdout=subprocess.PIPE) as save:
            load = ["docker", "--host", self.url, "load"]
            subprocess.run(load, stdin=save.stdout, stdout=subprocess.DEVNULL, check=True)
        assert save.returncode == 0, "docker save failed"

    def pids(self) -> list[int]:
        return self._program.pids()

    def kill(self) -> None:
        """End the daemon and containerd with SIGKILL; containers outlive them."""
        self._program.kill()

    def restart(self) -> None:
        """End the daemon, which ends all its containers, and start it again."""
        self._program.stop()
        self.start()

    def remove(self) -> None:
        """End it for good and delete its state."""
        self._program.stop()
        for mount in self._mounts():
            subprocess.run(["umount", "--lazy", mount], check=True)
        shutil.rmtree(self._data, ignore_errors=True)
        shutil.rmtree(self._sockets, ignore_errors=True)

    def _mounts(self) -> list[str]:
        """The mounts at and below its directories, innermost first; a killed daemon leaves some."""
        lines = Path("/proc/mounts").read_text().splitlines()
        places = [f"{line.split()[1]}/" for line in lines]
        own = (f"{self._data}/", f"{self._sockets}/")
        return sorted((place for place in places if place.startswith(own)), reverse=True)


@contextmanager
def running_docker(
    directory: Path, *, runtimes: Mapping[str, Path] = MappingProxyType({})
) -> Iterator[DockerDaemon]:
    """Run a second Docker with the sandbox image; end it afterwards."""
    daemon = DockerDaemon(directory, runtimes=runtimes)
    daemon.start()
    try:
        daemon.load_image()
        yield daemon
    finally:
        daemon.remove()
