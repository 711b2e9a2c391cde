"""The Java Native Interface, as much of it as it takes to start a machine and call a method.

Offsets into the function table are those of ``jni.h``; they are part of the interface and the same
in every Java.
"""

import ctypes
import os
from ctypes import POINTER, Structure, Union, byref, c_char_p, c_int32, c_uint8, c_void_p, cast
from typing import Any

_JNI_VERSION_10 = 0x000A0000
_FIND_CLASS, _EXCEPTION_OCCURRED, _EXCEPTION_DESCRIBE = 6, 15, 16
_GET_METHOD_ID, _CALL_OBJECT_METHOD_A, _CALL_VOID_METHOD_A = 33, 36, 63
_GET_STATIC_METHOD_ID, _NEW_STRING_UTF = 113, 167
_CALL_STATIC_BOOLEAN_METHOD_A, _CALL_STATIC_VOID_METHOD_A = 119, 143


class MachineError(Exception):
    """The virtual machine did not start, or a method of ours is missing or failed."""


class _Option(Structure):
    _fields_ = (("text", c_char_p), ("extra", c_void_p))


class _Arguments(Structure):
    _fields_ = (
        ("version", c_int32),
        ("count", c_int32),
        ("options", POINTER(_Option)),
        ("ignore_unrecognized", c_uint8),
    )


class _Value(Union):
    _fields_ = (("reference", c_void_p), ("wide", ctypes.c_int64))


class Machine:
    """One virtual machine in this process; there can be only one."""

    def __init__(self, library: ctypes.CDLL, options: list[str]) -> None:
        texts = [_Option(option.encode(), None) for option in options]
        array = (_Option * len(texts))(*texts)
        arguments = _Arguments(_JNI_VERSION_10, len(texts), array, 0)
        machine, self._env = c_void_p(), c_void_p()
        status = library.JNI_CreateJavaVM(byref(machine), byref(self._env), byref(arguments))
        if status != 0:
            raise MachineError(f"JNI_CreateJavaVM failed with status {status}")
        table = cast(cast(self._env, POINTER(c_void_p))[0], POINTER(c_void_p))
        self._address = table

    def call(self, class_name: str, method: str, *arguments: str) -> None:
        """Call a static method that takes strings and returns nothing. Raises MachineError."""
        self._call(_CALL_STATIC_VOID_METHOD_A, None, "V", class_name, method, *arguments)

    def asks(self, class_name: str, method: str) -> bool:
        """Call a static method without parameters that returns a boolean. Raises MachineError."""
        kind = _CALL_STATIC_BOOLEAN_METHOD_A
        return bool(self._call(kind, c_uint8, "Z", class_name, method))

    def opens(self, package: str, to: str) -> None:
        """Open a package of ``java.base`` to the module of one class, and to no other.

        What a machine's option opens, it opens to all classes without a module, an agent's too.
        Raises MachineError.
        """
        module = self._method("java.lang.Class", "getModule", "()Ljava/lang/Module;")
        theirs, ours = (
            self._run(_CALL_OBJECT_METHOD_A, c_void_p, self._class(name), module)
            for name in ("java.lang.Object", to)
        )
        signature = "(Ljava/lang/String;Ljava/lang/Module;)V"
        opens = self._method("java.lang.Module", "implAddOpens", signature)
        self._run(_CALL_VOID_METHOD_A, None, theirs, opens, self._text(package), ours)

    def _method(self, class_name: str, name: str, signature: str) -> int:
        pointer = c_void_p
        get = self._function(_GET_METHOD_ID, pointer, pointer, c_char_p, c_char_p)
        method = get(self._env, self._class(class_name), name.encode(), signature.encode())
        if not method:
            self._describe()
            raise MachineError(f"there is no {class_name}.{name}{signature}")
        return int(method)

    def _class(self, name: str) -> int:
        pointer = self._function(_FIND_CLASS, c_void_p, c_char_p)(
            self._env, name.replace(".", "/").encode()
        )
        if not pointer:
            self._describe()
            raise MachineError(f"there is no class {name}")
        return int(pointer)

    def _text(self, value: str) -> int:
        return int(self._function(_NEW_STRING_UTF, c_void_p, c_char_p)(self._env, value.encode()))

    def _run(self, offset: int, result: Any, owner: int, method: int, *arguments: int) -> Any:
        values = (_Value * max(1, len(arguments)))()
        for value, argument in zip(values, arguments, strict=False):
            value.reference = argument
        run = self._function(offset, result, c_void_p, c_void_p, POINTER(_Value))
        answer = run(self._env, owner, method, values)
        if self._function(_EXCEPTION_OCCURRED, c_void_p)(self._env):
            self._describe()
            raise MachineError("a method that was called failed")
        return answer

    def _call(
        self, offset: int, result: Any, letter: str, class_name: str, method: str, *arguments: str
    ) -> Any:
        owner = self._class(class_name)
        signature = "(" + "Ljava/lang/String;" * len(arguments) + ")" + letter
        get = self._function(_GET_STATIC_METHOD_ID, c_void_p, c_void_p, c_char_p, c_char_p)
        identity = get(self._env, owner, method.encode(), signature.encode())
        if not identity:
            self._describe()
            raise MachineError(f"there is no {class_name}.{method}{signature}")
        return self._run(offset, result, owner, identity, *map(self._text, arguments))

    def _describe(self) -> None:
        self._function(_EXCEPTION_DESCRIBE, None)(self._env)

    def _function(self, offset: int, result: Any, *arguments: Any) -> Any:
        return ctypes.CFUNCTYPE(result, c_void_p, *arguments)(self._address[offset])


def java_library(home: str) -> ctypes.CDLL:
    """The machine as a library, of which nothing runs yet. Raises OSError."""
    return ctypes.CDLL(f"{home}/lib/server/libjvm.so")


def java_home() -> str:
    """Return the path of the sandbox's Java, ``JAVA_HOME``, or Debian's. Raises MachineError."""
    places = ["/usr/lib/java", os.environ.get("JAVA_HOME", ""), "/usr/lib/jvm/default-java"]
    for folder in places:
        if folder and os.path.exists(f"{folder}/lib/server/libjvm.so"):  # noqa: PTH110 - small heap
            return folder
    raise MachineError("there is no Java 17 here: install one, or set JAVA_HOME")
