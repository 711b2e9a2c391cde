"""PID 1 of a sandbox's container: forks one confined process per game. Standard library only.

Trusted; it never runs, parses or imports anything of a student's. It speaks to the host over one
SOCK_SEQPACKET socket, one message a packet:

    host to supervisor
        "S" + 3 descriptors   start a game: the agent's stdin, stdout and stderr
        "B" + 3 descriptors   the same for the build step
        "T", "C", "K"         stop, continue, kill the running process
        "W"                   a signal: have its adapter say where the agent is, and end
    supervisor to host
        "H" + JSON            ready; says what confinement the kernel offers
        "!" + text            could not get ready, or not confine a new process; the sender ends
        "P", "M"              sent by the new process itself once it is confined: so the kernel
                              vouches for its pid, and nothing of a student's ever holds the socket.
                              After "M" it may play more games than one
        "E" + 2 structs       it ended: the kernel's wait status and struct rusage

When the host closes the socket, the supervisor ends, and with it the container.
"""

import ctypes
import gc
import importlib.machinery
import importlib.util
import json
import os
import resource
import select
import signal
import socket
import sys
from base64 import b64decode
from typing import Any

from sandbox.inside import bans
from sandbox.inside.confine import Confinement, landlock_abi, standing
from sandbox.inside.root import (
    LARGEST_FILE_BYTES,
    NOTHING,
    InnerRoot,
    enter_own_root,
    give_up_capabilities,
)

_MAX_COMMAND_BYTES = 16
_UNCONFINED_EXIT_STATUS = 78
_PROTOCOL_IN, _PROTOCOL_OUT, _CONTROL = 3, 4, 5
START_FOLDER = "folder"
"""The file beside the artefact with the name of the agent's folder in which its processes start."""


class Supervisor:
    """Serves one control socket until it closes; at most one child at a time."""

    def __init__(self, control: socket.socket, config: dict[str, Any]) -> None:
        self._control = control
        self._config = config
        self._standing = standing()
        self._oom_score = OomScore() if config["confine"] else None
        self._has_own_root = config["confine"] and _enter_own_root(config)
        self._confinement = _confinement(config) if config["confine"] else None
        self._prepare = _load(config["prepare"]) if config["prepare"] else None
        self._play = _load(config["play"])
        self._build = _load(config["build"])
        self._nothing = NOTHING if os.path.exists(NOTHING) else os.devnull  # noqa: PTH110
        self._child = 0
        self._child_fd = -1
        self._poll = select.poll()
        self._report = ExitReport()

    def serve(self) -> None:
        """Answer commands until the host goes away."""
        self._poll.register(self._control, select.POLLIN)
        hello = {
            "landlock": landlock_abi(),
            "python": sys.version.split()[0],
            "pid": os.getpid(),
            "standing": self._standing,
        }
        self._control.send(b"H" + json.dumps(hello).encode())
        _settle()
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor == self._child_fd:
                    self._report_exit()
                elif not self._obey():
                    return

    def _obey(self) -> bool:
        command, descriptors = self._receive()
        if not command:
            self._signal(signal.SIGKILL)
            return False
        if command in (b"S", b"B") and not self._child:
            self._start(command, descriptors)
        elif command == b"T":
            self._signal(signal.SIGSTOP)
        elif command == b"C":
            self._signal(signal.SIGCONT)
        elif command == b"K":
            self._signal(signal.SIGKILL)
        elif command == b"W":
            self._signal(self._config["dump_signal"])
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _receive(self) -> tuple[bytes, list[int]]:
        command, descriptors, _, _ = socket.recv_fds(self._control, _MAX_COMMAND_BYTES, 3)
        return command, descriptors

    def _signal(self, number: int) -> None:
        if self._child:
            signal.pidfd_send_signal(self._child_fd, number)

    def _start(self, command: bytes, descriptors: list[int]) -> None:
        if self._oom_score is not None:
            self._oom_score.raise_for_fork()
        child = os.fork()
        if child == 0:
            self._become_agent(command, descriptors)
        if self._oom_score is not None:
            self._oom_score.restore()
        self._child = child
        self._child_fd = os.pidfd_open(child)
        self._poll.register(self._child_fd, select.POLLIN)

    def _report_exit(self) -> None:
        self._report.wait(self._child)
        self._poll.unregister(self._child_fd)
        os.close(self._child_fd)
        self._child, self._child_fd = 0, -1
        self._report.send(self._control)

    def _become_agent(self, command: bytes, descriptors: list[int]) -> None:
        """In the child: confine first, then run the adapter, and never return."""
        try:
            stdin, stdout, stderr = descriptors
            self._renew_standard_input()
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)  # a host that shuts down sends them to all
            for source, target in ((stderr, 1), (stderr, 2)):
                os.dup2(source, target)
            _move(
                (stdin, _PROTOCOL_IN), (stdout, _PROTOCOL_OUT), (self._control.fileno(), _CONTROL)
            )
            if command == b"S":
                self._enter_start_folder()  # before the filter, which lets nobody leave it
            keeps = self._confine("build" if command == b"B" else "play")
            # Not send: the filter no longer lets it through.
            os.write(_CONTROL, b"M" if keeps else b"P")
            os.close(_CONTROL)
        except BaseException as error:  # noqa: BLE001 - whatever it was, no agent may run now
            os.write(_CONTROL, b"!" + repr(error).encode()[:300])
            os._exit(_UNCONFINED_EXIT_STATUS)
        gc.enable()
        entry = self._build if command == b"B" else self._play
        entry(self._config["agent"], self._config["artefact"], _PROTOCOL_IN, _PROTOCOL_OUT)
        os._exit(0)

    def _enter_start_folder(self) -> None:
        """Start in the folder of the agent's files, where it finds its data as at home."""
        with open(f"{os.path.dirname(self._config['artefact'])}/{START_FOLDER}", "rb") as file:  # noqa: PTH120, PTH123 - pathlib is heap
            os.chdir(os.path.join(os.fsencode(self._config["agent"]), file.read()))  # noqa: PTH118

    def _renew_standard_input(self) -> None:
        """Give the child a standard input of its own: games would share its flags."""
        nothing = os.open(self._nothing, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)

    def _confine(self, purpose: str) -> bool:
        """Confine the process; the runtime that ``prepare`` starts is limited like an agent.

        The filter comes last and holds for those threads too; nobody can start more of them.
        Returns what ``prepare`` says: whether the process may play more than one game.
        """
        keeps = False
        if self._confinement is not None:
            self._confinement.close()
        os.closerange(_CONTROL + 1, 1024)
        if self._prepare is not None:
            keeps = self._start_runtime(self._prepare, plays=purpose == "play")
        if self._confinement is not None:
            self._confinement.lock(purpose)
        elif self._config["bans"] and purpose == "play":
            bans.install(self._config["readable"])
        return keeps

    def _start_runtime(self, prepare: Any, *, plays: bool) -> bool:
        """Start it with the image's files in sight, and without them in the agent's."""
        inner = InnerRoot() if plays and self._has_own_root else None
        if not plays and self._has_own_root:
            give_up_capabilities()
        keeps: bool = prepare(self._config["memory_mib"], self._config["artefact"] if plays else "")
        if inner is not None:
            inner.enter()
        return keeps


class OomScore:
    """This process's score for the kernel's OOM killer, which is to end an agent, not this process.

    A process begins with its parent's score. So this one takes the highest while it forks. To
    restore it needs no right, since it goes no lower than the container's own score.
    """

    def __init__(self) -> None:
        self._score = os.open("/proc/self/oom_score_adj", os.O_RDWR | os.O_CLOEXEC)
        self._own = os.read(self._score, 16).strip()

    def raise_for_fork(self) -> None:
        """Take the highest score, which processes forked from now on begin with. Raises OSError."""
        os.write(self._score, b"1000")

    def restore(self) -> None:
        """Restore the score of this process. Raises OSError."""
        os.write(self._score, self._own)


class ExitReport:
    """The packet on a process's end.

    It is made in one place of memory, which is cleared then. As Python's numbers its figures would
    stay in freed memory, of which the next game's process, a fork of this one, has a copy: what a
    game did would be known to the next.
    """

    SIZE = 152
    _STATUS, _USAGE = 4, 8

    def __init__(self) -> None:
        self._packet = ctypes.create_string_buffer(self.SIZE)
        self._libc = ctypes.CDLL(None, use_errno=True)

    def wait(self, child: int) -> None:
        """Collect the kernel's report on a process that has ended. Raises OSError."""
        status = ctypes.byref(self._packet, self._STATUS)
        usage = ctypes.byref(self._packet, self._USAGE)
        if self._libc.wait4(child, status, 0, usage) != child:
            raise OSError(ctypes.get_errno(), "a process's end could not be learnt")

    def send(self, control: socket.socket) -> None:
        """Send the report to the host, once."""
        self._packet[0] = b"E"
        control.send(self._packet)
        ctypes.memset(self._packet, 0, self.SIZE)


def _settle() -> None:
    """Return free memory, and keep the collector from touching the rest: processes fork from it.

    Loading modules leaves a megabyte of free heap. Unless it is given back, each game's process
    copies it.
    """
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # the GNU C library has it
    if trim is not None:
        trim(0)
    gc.disable()
    gc.freeze()


def _move(*pairs: tuple[int, int]) -> None:
    """Put each descriptor at its target number, whatever numbers they have now."""
    lifted = [(os.dup2(source, 32 + target), target) for source, target in pairs]
    for source, target in lifted:
        os.dup2(source, target)


def _enter_own_root(config: dict[str, Any]) -> bool:
    """Return False where a laptop's Docker forbids it; on graders `firebox check` insists."""
    shown = [config["agent"], *config["places"]]
    built = [os.path.dirname(config["artefact"])]  # noqa: PTH120
    places, copies = (shown, built) if config["native"] else ([*shown, *built], [])
    has_entered = enter_own_root(places, copies, config["agent"] if config["prepare"] else "")
    _find_library_again()
    return has_entered


def _confinement(config: dict[str, Any]) -> Confinement:
    file_bytes = LARGEST_FILE_BYTES if config["scratch"] else 0
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    readable = [path for path in config["readable"] if os.path.isdir(path)]  # noqa: PTH112 - pathlib is heap
    filters = {purpose: b64decode(text) for purpose, text in config["filters"].items()}
    memory_bytes = config["memory_mib"] << 20 if config["address_space"] else None
    return Confinement(
        readable=readable,
        memory_bytes=memory_bytes,
        filters=filters,
        programs=config["programs"],
        scratch=config["scratch"],
        file_bytes=file_bytes,
    )


def _find_library_again() -> None:
    """Look at the folders of the new root, once for all processes.

    The zip with the standard library is a copy of the one at the same path in the old root: what is
    known of it stays true, and to read its list again takes as long as to start Python.
    """
    for finder in sys.path_importer_cache.values():
        if isinstance(finder, importlib.machinery.FileFinder):
            finder.invalidate_caches()
    importlib.util.find_spec("a module that is nowhere")


def _load(name: str) -> Any:
    module, function = name.split(":")
    return getattr(importlib.import_module(module), function)


def main() -> None:
    """Read the configuration from the only argument, connect and serve."""
    config = json.loads(sys.argv[1])
    if config["confine"]:
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE_BYTES, LARGEST_FILE_BYTES))
    sys.path[:0] = config["adapters"]
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.connect(config["control"])
    try:
        for name in config["preload"]:
            importlib.import_module(name)
        supervisor = Supervisor(control, config)
    except (AttributeError, ImportError, OSError, RuntimeError, ValueError) as error:
        control.send(b"!" + repr(error).encode()[:2000])
        raise
    supervisor.serve()


if __name__ == "__main__":
    main()
