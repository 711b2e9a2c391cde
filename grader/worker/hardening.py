"""Privileges that a grader's worker gives up before it does anything else.

Its machine has no secret but the broker's and the store's passwords, and those are in this process.
So no process may inspect it, it leaves no core file, its children gain no rights, and settings that
it was given by mistake are not passed on.
"""

import ctypes
import os
import resource
from collections.abc import MutableMapping
from typing import Final

NOT_FOR_GRADERS: Final = (
    "DATABASE_URL", "FIREBOX_EMAIL_PASSWORD", "FIREBOX_EMAIL_USER", "FIREBOX_METRICS_TOKEN",
    "FIREBOX_OIDC_PROVIDERS", "FIREBOX_SECRET_KEY", "FIREBOX_SENTRY_DSN", "POSTGRES_PASSWORD",
)  # fmt: skip
"""Secrets of the site: an attacker on a grader could take it over, or sign in elsewhere as it."""
_UMASK: Final = 0o077
_PR_SET_DUMPABLE, _PR_CAPBSET_READ, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 4, 23, 24, 38
_CAP_SETPCAP: Final = 8
_KEPT: Final = 1 << 2
"""CAP_DAC_READ_SEARCH: the store may be another user's. Docker's socket is root's own."""
_CAPABILITY_VERSION: Final = 0x20080522
_MAX_CAPABILITIES: Final = 64

_libc = ctypes.CDLL(None, use_errno=True)


def drop_privileges() -> tuple[str, ...]:
    """Give up privileges that a worker does not need, for this process and its children.

    Returns the names of settings that it had and must not have had. Raises OSError if the kernel
    refuses.
    """
    os.umask(_UMASK)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _drop_capabilities()
    _prctl(_PR_SET_DUMPABLE, 0)
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _close_standard_input()
    return _forget(os.environ)


def _close_standard_input() -> None:
    """Replace it by /dev/null: otherwise a descriptor opened later would get its number."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def _forget(environment: MutableMapping[str, str]) -> tuple[str, ...]:
    present = tuple(name for name in NOT_FOR_GRADERS if name in environment)
    for name in present:
        del environment[name]
    return present


def _drop_capabilities() -> None:
    """Drop root's rights but one, also for what root starts; others never had them."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable: low words, then high words
    _require("capget", _libc.capget(header, sets))
    if sets[0] >> _CAP_SETPCAP & 1:
        for capability in _bounding_set():
            if not _KEPT >> capability & 1:
                _prctl(_PR_CAPBSET_DROP, capability)
    kept = sets[1] & _KEPT
    _require("capset", _libc.capset(header, (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0)))


def _bounding_set() -> list[int]:
    """Return the capabilities that a program could still gain; unknown ones answer -1."""
    every = range(_MAX_CAPABILITIES)
    return [
        capability
        for capability in every
        if _libc.prctl(_PR_CAPBSET_READ, ctypes.c_ulong(capability)) == 1
    ]


def _prctl(option: int, value: int) -> None:
    zeros = (ctypes.c_ulong(0),) * 3
    _require(f"prctl {option}", _libc.prctl(option, ctypes.c_ulong(value), *zeros))


def _require(what: str, result: int) -> None:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
