"""What the hostile agents share: lies beside each of them, as ``hostile.py``, when it plays.

An agent is *armed* in games whose seed is odd and plays honestly in the others, so that one batch
shows both an attack and the next game on the same seat. An attempt that must be refused goes
through ``refused`` or ``denied``: if it succeeds, the agent crashes and says so.
"""

import ctypes
import errno
import os
from collections.abc import Callable
from typing import Any, NoReturn

from firebox import Agent, Context
from firebox.hanabi import Action, Discard, Observation

PROTOCOL_IN, PROTOCOL_OUT = 3, 4
"""Descriptors of the game's messages in an agent's process."""

CALLS = {
    "add_key": (248, 217),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "chroot": (161, 51),
    "clock_settime": (227, 112),
    "clone": (56, 220),
    "clone3": (435, 435),
    "delete_module": (176, 106),
    "eventfd2": (290, 19),
    "execveat": (322, 281),
    "fanotify_init": (300, 262),
    "finit_module": (313, 273),
    "flock": (73, 32),
    "fsopen": (430, 430),
    "futex": (202, 98),
    "futex_wait": (455, 455),
    "getcpu": (309, 168),
    "get_mempolicy": (239, 236),
    "init_module": (175, 105),
    "inotify_init1": (294, 26),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "kill": (62, 129),
    "landlock_restrict_self": (446, 446),
    "listmount": (458, 458),
    "madvise": (28, 233),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "migrate_pages": (256, 238),
    "mincore": (27, 232),
    "mknodat": (259, 33),
    "mlock": (149, 228),
    "mlockall": (151, 230),
    "mount": (165, 40),
    "move_mount": (429, 429),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pivot_root": (155, 41),
    "pkey_alloc": (330, 289),
    "prctl": (157, 167),
    "preadv2": (327, 286),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "prlimit64": (302, 261),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "sched_setattr": (314, 274),
    "seccomp": (317, 277),
    "semget": (64, 190),
    "sendfile": (40, 71),
    "setdomainname": (171, 162),
    "setgid": (106, 144),
    "sethostname": (170, 161),
    "setns": (308, 268),
    "setpgid": (109, 154),
    "setsid": (112, 157),
    "settimeofday": (164, 170),
    "setuid": (105, 146),
    "shmget": (29, 194),
    "signalfd4": (289, 74),
    "splice": (275, 76),
    "statfs": (137, 43),
    "statmount": (457, 457),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "sync": (162, 81),
    "sysinfo": (99, 179),
    "syslog": (103, 116),
    "tee": (276, 77),
    "tgkill": (234, 131),
    "timer_create": (222, 107),
    "timerfd_create": (283, 85),
    "tkill": (200, 130),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
    "vmsplice": (278, 75),
}
"""System calls that Python has no function for, or hides: numbers on x86_64 and aarch64."""

_libc = ctypes.CDLL(None, use_errno=True)
_COLUMN = ("x86_64", "aarch64").index(os.uname().machine)


class Hostile(Agent):
    """Plays honestly, but attacks on its second turn of an armed game."""

    def start(self, context: Context) -> None:
        self.context = context
        self.armed = context.seed % 2 == 1
        self.turns = 0

    def act(self, observation: Observation) -> Action:
        self.turns += 1
        if self.armed and self.turns == 2:
            instead = self.attack(observation)
            if instead is not None:
                return instead
        return honest(observation)

    def attack(self, observation: Observation) -> Any:
        """Do harm; what it returns, if anything, becomes the action."""


def honest(observation: Observation) -> Action:
    """A legal action that makes a long game: discard while possible, else give a hint."""
    for action in observation.legal_actions:
        if isinstance(action, Discard):
            return action
    return observation.legal_actions[-1]


def escaped(what: str) -> NoReturn:
    """The attack succeeded: crash, so that the test sees it."""
    raise AssertionError(f"ESCAPED: {what}")


def refused(what: str, attempt: Callable[..., object], *arguments: Any) -> None:
    """Try something that must end in an OSError."""
    try:
        got = attempt(*arguments)
    except OSError:
        return
    escaped(f"{what}: {got!r}")


def unreadable(*paths: str) -> None:
    """Try to read files and to list directories that are none of an agent's business."""
    for path in paths:
        refused(f"read {path}", lambda path=path: os.read(os.open(path, os.O_RDONLY), 100))
        refused(f"list {path}", os.listdir, path)


def unwritable(*paths: str) -> None:
    """Try to create, open or replace files."""
    for path in paths:
        refused(f"write {path}", os.open, path, os.O_WRONLY)
        refused(f"create {path}", os.open, path, os.O_WRONLY | os.O_CREAT, 0o600)


def denied(*names: str) -> None:
    """Make system calls that a filter must refuse before it looks at their arguments."""
    for name in names:
        number = call(name, 0, 0, 0, 0, 0, 0)
        if number >= 0:
            escaped(f"{name} returned {number}")
        if -number not in {errno.EPERM, errno.ENOSYS}:
            escaped(f"{name} reached the kernel: {errno.errorcode[-number]}")


def call(name: str, *arguments: Any) -> int:
    """The result of a system call; the negated error number when it failed."""
    return raw_call(CALLS[name][_COLUMN], *arguments)


def raw_call(number: int, *arguments: Any) -> int:
    """The same by number."""
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    result = _libc.syscall(ctypes.c_long(number), *words)
    return -ctypes.get_errno() if result == -1 else result


def send(data: bytes) -> None:
    """Write to the game past the adapter, all of it."""
    while data:
        data = data[os.write(PROTOCOL_OUT, data) :]


def forever() -> NoReturn:
    """Compute until somebody ends it."""
    while True:
        pass
