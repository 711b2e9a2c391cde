"""The library that Docker's runtimes make filters with: a second opinion on our table and profile.

It knows every system call of every processor, so the list for the one that this machine does not
have can be compared and compiled here all the same.
"""

import ctypes
import errno
import tempfile
from collections.abc import Mapping
from typing import Any, Final

_library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
_library.seccomp_init.restype = ctypes.c_void_p

_ERRNO, _ALLOW = 0x00050000, 0x7FFF0000
_ACTIONS: Final = {"SCMP_ACT_ALLOW": _ALLOW, "SCMP_ACT_ERRNO": _ERRNO}
_OPERATIONS: Final = {"SCMP_CMP_EQ": 4}


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operation", ctypes.c_int),
        ("value", ctypes.c_uint64),
        ("second_value", ctypes.c_uint64),
    )


def number_of(name: str, arch: int) -> int | None:
    """A system call's number; ``None`` where the processor lacks it."""
    number = int(_library.seccomp_syscall_resolve_name_arch(arch, name.encode()))
    return number if number >= 0 else None


def compiled(profile: Mapping[str, Any], arch: int) -> bytes:
    """Docker's profile as the program that a runtime installs on a machine of this kind."""
    context = ctypes.c_void_p(_library.seccomp_init(_errno(profile["defaultErrnoRet"])))
    assert context.value
    try:
        _check(_library.seccomp_arch_add(context, arch), unless=errno.EEXIST)
        native = int(_library.seccomp_arch_native()) & 0xFFFFFFFF
        if native != arch:
            _check(_library.seccomp_arch_remove(context, native))
        for rule in profile["syscalls"]:
            for name in rule["names"]:
                _add(context, rule, name, arch)
        with tempfile.TemporaryFile() as file:
            _check(_library.seccomp_export_bpf(context, file.fileno()))
            file.seek(0)
            return file.read()
    finally:
        _library.seccomp_release(context)


def _add(context: ctypes.c_void_p, rule: Mapping[str, Any], name: str, arch: int) -> None:
    number = number_of(name, arch)
    if number is None:
        return
    action = _ACTIONS[rule["action"]]
    if action == _ERRNO:
        action = _errno(rule["errnoRet"])
    conditions = [
        _Comparison(each["index"], _OPERATIONS[each["op"]], each["value"], 0)
        for each in rule.get("args", ())
    ]
    array = (_Comparison * len(conditions))(*conditions)
    own = int(_library.seccomp_syscall_resolve_name(name.encode()))
    _check(
        _library.seccomp_rule_add_array(
            context, ctypes.c_uint32(action), own, len(conditions), array
        )
    )


def _errno(number: int) -> int:
    return _ERRNO | number


def _check(result: int, *, unless: int = 0) -> None:
    assert result >= 0 or -result == unless, errno.errorcode.get(-result, str(result))
