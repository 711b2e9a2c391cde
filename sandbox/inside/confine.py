"""Confinement of one agent process by itself: limits, Landlock, seccomp. Standard library only.

Runs inside the container. Making a ``Confinement`` does in the supervisor whatever can be done
once; its ``close`` and ``lock`` do the rest in the forked child, before any student's code exists
there. A step that fails ends the child: an agent never runs half-confined.
"""

import ctypes
import fcntl
import os
import resource

_LANDLOCK_CREATE_RULESET, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT_SELF = 444, 445, 446
"""The same numbers on every architecture."""

_SECCOMP = {"x86_64": 317, "aarch64": 277}
_SECCOMP_SET_MODE_FILTER = 1
_SECCOMP_FILTER_FLAG_TSYNC = 1
"""The filter holds for all threads of the process, or is refused."""

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_READ = _READ_FILE | _READ_DIR
_WRITE = _WRITE_FILE | _TRUNCATE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG
_ALL_FILE_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_ALL_FILE_RIGHTS_NOW = (1 << 16) - 1
"""Every file right that the running Landlock ABI knows: from ABI 5 on, also ioctl on devices."""
_NET_BIND_AND_CONNECT = 0b11
_SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1

_OUT_OF_THE_WAY = 40
"""Lowest number for our own descriptors: the child puts the agent's pipes at the lowest numbers."""

_libc = ctypes.CDLL(None, use_errno=True)
_syscall = _libc.syscall
_syscall.restype = ctypes.c_long


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


class _Filter:
    """A program for the kernel, with the memory that it lies in."""

    def __init__(self, bpf: bytes) -> None:
        self._code = ctypes.create_string_buffer(bpf, len(bpf))
        self._program = _FilterProgram(len(bpf) // 8, ctypes.addressof(self._code))
        self.address = ctypes.byref(self._program)


def landlock_abi() -> int:
    """Version of Landlock that the kernel offers; 0 if it has none."""
    version = _syscall(_LANDLOCK_CREATE_RULESET, None, 0, _CREATE_RULESET_VERSION)
    return max(0, int(version))


def standing() -> dict[str, str]:
    """Return this process's confinement by its container, in the kernel's own words."""
    with open("/proc/self/status", encoding="ascii", errors="replace") as lines:  # noqa: PTH123 - pathlib is heap
        facts = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    return {name: facts.get(name, "").strip() for name in ("CapEff", "NoNewPrivs", "Seccomp")}


class Confinement:
    """The confinement that every game's process enters.

    ``readable`` are the only paths below which files can still be opened, and only for reading.
    ``memory_bytes`` bounds the address space; ``None`` leaves that to the container. ``filters``
    are the agent filters by their purpose. Only a builder has ``programs``, directories of what
    can be executed, and ``scratch``, those that can be written to, files of at most ``file_bytes``.
    Raises OSError when the kernel refuses, and RuntimeError when it has no Landlock.
    """

    def __init__(
        self,
        *,
        readable: list[str],
        memory_bytes: int | None,
        filters: dict[str, bytes],
        programs: list[str] | None = None,
        scratch: list[str] | None = None,
        file_bytes: int = 0,
    ) -> None:
        self._limits = (
            *(() if memory_bytes is None else ((resource.RLIMIT_AS, memory_bytes),)),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_FSIZE, file_bytes),
            (resource.RLIMIT_MEMLOCK, 0),
            (resource.RLIMIT_MSGQUEUE, 0),
            (resource.RLIMIT_NOFILE, 64),
            (resource.RLIMIT_SIGPENDING, 64),
        )
        low = _ruleset(
            [(path, _READ) for path in readable]
            + [(path, _READ | _EXECUTE) for path in programs or ()]
            + [(path, _READ | _WRITE) for path in scratch or ()]
        )
        self._ruleset_fd = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, _OUT_OF_THE_WAY)
        os.close(low)
        self._filters = {purpose: _Filter(bpf) for purpose, bpf in filters.items()}
        self._seccomp = _SECCOMP[os.uname().machine]

    def close(self) -> None:
        """Limit the calling process and deny it all files, permanently. Descriptors stay open.

        What the process starts from then on has the same limits. Raises OSError.
        """
        for limit, value in self._limits:
            resource.setrlimit(limit, (value, value))
        _check(_syscall(_LANDLOCK_RESTRICT_SELF, self._ruleset_fd, 0))

    def lock(self, purpose: str) -> None:
        """Install the system-call filter, in all threads there are. Raises OSError."""
        flags, program = _SECCOMP_FILTER_FLAG_TSYNC, self._filters[purpose].address
        thread = _check(_syscall(self._seccomp, _SECCOMP_SET_MODE_FILTER, flags, program))
        if thread:
            raise OSError(f"thread {thread} cannot be filtered")


def _ruleset(allowed: list[tuple[str, int]]) -> int:
    abi = landlock_abi()
    if abi == 0:
        raise RuntimeError("the kernel offers no Landlock")
    rights = _ALL_FILE_RIGHTS.get(abi, _ALL_FILE_RIGHTS_NOW)
    attributes = _Ruleset(
        rights,
        _NET_BIND_AND_CONNECT if abi >= 4 else 0,
        _SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS if abi >= 6 else 0,
    )
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    ruleset = _check(_syscall(_LANDLOCK_CREATE_RULESET, ctypes.byref(attributes), size, 0))
    for path, access in allowed:
        _allow(ruleset, path, access & rights)
    return ruleset


def _allow(ruleset: int, path: str, access: int) -> None:
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    rule = _PathBeneath(access, parent)
    _check(_syscall(_LANDLOCK_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), 0))
    os.close(parent)


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return int(result)
