#!/usr/bin/env python3
"""Starts and stops the background programs of one checkout: by pid file, and only its own.

    process.py start NAME [--version WORD] -- COMMAND…   do nothing if just this runs already
    process.py stop [--grace SECONDS] NAME…              end those that this checkout started
    process.py running NAME                              exit code 0 if it runs

A pid file is `var/run/NAME.json`, output goes to `var/log/NAME.log`. A process is ours if its
pid, its start time and the machine's boot are those in the file: pids are used again, the three
together are not. Standard library only, for it runs before anything is installed.
"""

import argparse
import json
import os
import select
import signal
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

VAR = Path(os.environ.get("FIREBOX_VAR_DIR") or Path(__file__).resolve().parents[2] / "var")
_UMASK = 0o077
"""Database, logs and queues are this user's own: they hold deals' secrets and people's names."""
GRACE_SECONDS = 15.0
"""Default time for a program to end when asked; then it is killed."""


@dataclass(frozen=True, slots=True)
class Process:
    """A program that we started, so described that no other can be taken for it."""

    pid: int
    start_ticks: int
    boot_id: str
    version: str
    command: tuple[str, ...]

    @classmethod
    def load(cls, name: str) -> "Process | None":
        """Read a pid file; None if there is none or what it describes has ended."""
        try:
            data = json.loads(pid_file(name).read_text())
        except FileNotFoundError:
            return None
        process = cls(**{**data, "command": tuple(data["command"])})
        return process if process.is_alive() else None

    def is_alive(self) -> bool:
        """Tell whether this very process still runs."""
        return self.boot_id == boot_id() and self.start_ticks == start_ticks(self.pid)

    def ask_to_end(self) -> int | None:
        """Send it SIGTERM; return a descriptor to wait on, None if it has ended by itself."""
        try:
            descriptor = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return None
        if self.is_alive():  # the descriptor stays this process's, even if its pid is used again
            signal.pidfd_send_signal(descriptor, signal.SIGTERM)
            return descriptor
        os.close(descriptor)
        return None

    def wait_for_end(self, descriptor: int, grace_seconds: float) -> None:
        """Wait until it ends; kill its whole session if it is late or leaves children."""
        select.select([descriptor], [], [], grace_seconds)
        kill_group(self.pid)
        os.close(descriptor)


def pid_file(name: str) -> Path:
    """Return where a program's pid file is."""
    return VAR / "run" / f"{name}.json"


def boot_id() -> str:
    """Return what tells this boot of the machine from all others."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def start_ticks(pid: int) -> int | None:
    """Return when a process started, in clock ticks since boot; None if it is gone or a zombie.

    proc(5): the name in parentheses may hold anything, so fields count from the last ')':
    the state is the third of them all, the start time the 22nd.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] == "Z" else int(fields[19])


def kill_group(leader: int) -> None:
    """Kill what is left of the process group that our process led."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


def start(name: str, command: list[str], version: str) -> int:
    """Start a program unless it runs with this command and version; replace it otherwise."""
    running = Process.load(name)
    if running is not None:
        if (running.command, running.version) == (tuple(command), version):
            return 0
        end([running], GRACE_SECONDS)
    os.umask(_UMASK)
    for directory in ("run", "log"):
        (VAR / directory).mkdir(parents=True, exist_ok=True)
    VAR.chmod(0o700)
    with (VAR / "log" / f"{name}.log").open("ab") as log:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    ticks = start_ticks(child.pid)
    if ticks is None:
        print(f"{name} ended at once; see {VAR}/log/{name}.log", file=sys.stderr)
        return 1
    process = Process(child.pid, ticks, boot_id(), version, tuple(command))
    pid_file(name).write_text(json.dumps(asdict(process), indent=1) + "\n")
    return 0


def stop(names: list[str], grace_seconds: float) -> int:
    """End the programs of these names, all at the same time, and forget them."""
    running = {name: process for name in names if (process := Process.load(name))}
    end(list(running.values()), grace_seconds)
    for name in names:
        pid_file(name).unlink(missing_ok=True)
        if name in running:
            print(f"Stopped {name}.")
    return 0


def end(processes: list[Process], grace_seconds: float) -> None:
    """End processes, all at the same time."""
    asked = [(process, process.ask_to_end()) for process in processes]
    for process, descriptor in asked:
        if descriptor is not None:
            process.wait_for_end(descriptor, grace_seconds)


def main() -> int:
    """Do what the command line says; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    actions = parser.add_subparsers(dest="action", required=True)
    starting = actions.add_parser("start")
    starting.add_argument("name")
    starting.add_argument("--version", default="")
    starting.add_argument("command", nargs="+")
    stopping = actions.add_parser("stop")
    stopping.add_argument("names", nargs="+")
    stopping.add_argument("--grace", type=float, default=GRACE_SECONDS)
    actions.add_parser("running").add_argument("name")
    options = parser.parse_args()
    if options.action == "start":
        return start(options.name, options.command, options.version)
    if options.action == "stop":
        return stop(options.names, options.grace)
    return 0 if Process.load(options.name) else 1


if __name__ == "__main__":
    sys.exit(main())
