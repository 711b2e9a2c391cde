"""A root directory of the sandbox's own, in memory. Standard library only.

A look-up in a file system that containers share, such as the layers of their image, leaves traces
in the kernel's caches: the next look-up of that name is faster, which reveals the first. Names that
do not exist are cached too, and an agent can invent any number of them. So a sandbox has a root in
a memory file system of its own, with copies of the files in the image's ``TEMPLATE``: it shares
nothing, and does not cache names that it does not have.

It has no /proc and no /sys: ``stat`` there counts what others do, and Landlock does not cover it.

A runtime that reads the image's files starts in a root that shows them. Before the agent exists,
its process moves into the folder ``_INNER`` of that root, where only the agent's files are.
"""

import _thread
import ctypes
import os

TEMPLATE = "/seat"
"""The part of the image that agents can find."""
NOTHING = "/nothing"
"""An empty file in it, which replaces /dev/null."""
NUMBER = 1000
"""The number of the agents' user and group, as agents see it."""
LARGEST_FILE_BYTES = 32 << 20
"""Bytes that the supervisor may write into one file until the root is made; afterwards none."""

_INNER = "/inner"
_POINT = "/sys"
"""The first mount point of the root: a directory that every container has."""
_SIZE_BYTES = 48 << 20
_CLONE_NEWNS, _CLONE_NEWUSER = 0x00020000, 0x10000000
_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_REMOUNT, _MS_NOATIME, _MS_BIND = 1, 2, 4, 32, 1024, 4096
_FLAGS = _MS_NOSUID | _MS_NODEV | _MS_NOATIME
_CAPABILITY_VERSION = 0x20080522
_CHANGE_ROOT = 1 << 18
"""CAP_SYS_CHROOT in a set of capabilities."""
_BLOCK_BYTES = 1 << 20

_libc = ctypes.CDLL(None, use_errno=True)


def enter_own_root(places: list[str], copies: list[str], inner: str = "") -> bool:
    """Make it and stay in it, for the calling process and all it will fork.

    ``places`` are directories that appear in it under the same names, and ``copies`` are those of
    which it has copies: where they come from, machine code may not be executable. ``inner`` is the
    one that ``InnerRoot`` will show; for that, the right to change the root is kept. It takes a
    user namespace, whose other capabilities are given up at once, whatever happens. Returns False
    where the host forbids it. Raises OSError if the root could not be filled or a capability not
    given up.
    """
    user, group = os.getuid(), os.getgid()
    if _libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNS) < 0:
        return False
    try:
        if not _take_numbers(user, group) or not _mount_memory():
            return False
        _copy(TEMPLATE, _POINT)
        for place in places:
            _bind(place)
        for place in copies:
            _copy(place, _made(place))
        if inner:
            _bind(inner, _INNER)
        _require(_mount(b"none", _POINT, None, _MS_REMOUNT | _MS_RDONLY | _FLAGS))
        os.chroot(_POINT)
        os.chdir("/")
    finally:
        give_up_capabilities(but=_CHANGE_ROOT if inner else 0)
    return True


class InnerRoot:
    """Moves a process, with a runtime's threads, to the inner root.

    Threads share their root, but each has capabilities of its own. So a thread with the right to
    change the root is started first, and no thread that starts later has it.
    """

    def __init__(self) -> None:
        """Start the thread. The calling one gives up its capabilities. Raises OSError."""
        self._due = _thread.allocate_lock()
        self._due.acquire()
        self._thread = ctypes.c_void_p()
        self._error: OSError | None = None
        self._run = ctypes.CFUNCTYPE(None)(self._change)
        if number := _libc.pthread_create(ctypes.byref(self._thread), None, self._run, None):
            raise OSError(number, os.strerror(number))
        give_up_capabilities()

    def enter(self) -> None:
        """Change the root, keep the working directory, and end the thread. Raises OSError."""
        self._due.release()
        _libc.pthread_join(self._thread, None)
        if self._error is not None:
            raise self._error

    def _change(self) -> None:
        self._due.acquire()
        try:
            folder = os.getcwd()  # noqa: PTH109 - pathlib is heap
            os.chroot(_INNER)
            os.chdir(folder)  # the directory of that name in the new root: the old one leads out
        except OSError as error:
            self._error = error


def _take_numbers(user: int, group: int) -> bool:
    """Map the user to the number that every sandbox has in the new namespace.

    A different number would tell an agent which container it is in, and how many came before.
    """
    try:
        _write("/proc/self/setgroups", b"deny")
        _write("/proc/self/uid_map", b"%d %d 1" % (NUMBER, user))
        _write("/proc/self/gid_map", b"%d %d 1" % (NUMBER, group))
    except OSError:
        return False
    return True


def _mount_memory() -> bool:
    options = b"mode=0755,size=%d,nr_inodes=2048" % _SIZE_BYTES
    return _mount(b"none", _POINT, b"tmpfs", _FLAGS, options) == 0


def _copy(source: str, target: str) -> None:
    with os.scandir(source) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            to = f"{target}/{entry.name}"
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), to)  # noqa: PTH115, PTH211 - pathlib is heap
            elif entry.is_dir():
                os.mkdir(to, 0o755)  # noqa: PTH102
                _copy(entry.path, to)
            else:
                _copy_file(entry.path, to)


def _copy_file(source: str, target: str) -> None:
    reading = os.open(source, os.O_RDONLY)
    writing = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o444)
    while block := os.read(reading, _BLOCK_BYTES):
        while block:
            block = block[os.write(writing, block) :]
    os.close(reading)
    os.close(writing)


def _bind(place: str, under: str = "") -> None:
    _require(_mount(place.encode(), _made(under + place), None, _MS_BIND))


def _made(place: str) -> str:
    path = _POINT
    for part in place.strip("/").split("/"):
        path = f"{path}/{part}"
        if not os.path.isdir(path):  # noqa: PTH112
            os.mkdir(path, 0o755)  # noqa: PTH102
    return path


def give_up_capabilities(*, but: int = 0) -> None:
    """Give up the calling thread's capabilities. Raises OSError."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    _require(_libc.capset(header, (ctypes.c_uint32 * 6)(but, but)))


def _write(path: str, text: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text)
    finally:
        os.close(descriptor)


def _mount(
    source: bytes, target: str, kind: bytes | None, flags: int, options: bytes | None = None
) -> int:
    return int(_libc.mount(source, target.encode(), kind, flags, options))


def _require(result: int) -> None:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
