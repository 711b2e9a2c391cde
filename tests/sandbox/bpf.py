"""Runs a seccomp program as the kernel would: enough of classic BPF for our filters."""

import struct
from collections.abc import Sequence
from typing import Final

ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
EPERM: Final = 0x00050001

_LOAD, _EQUAL, _ABOVE, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_ALWAYS, _AND = 0x05, 0x54


def judge(program: bytes, arch: int, number: int, arguments: Sequence[int] = ()) -> int:
    """The filter's answer to a system call. Fails on a program that the kernel would refuse."""
    instructions = list(struct.iter_unpack("=HBBI", program))
    words = [argument & (1 << 64) - 1 for argument in (*arguments, *[0] * 6)][:6]
    data = struct.pack("=IIQ6Q", number & 0xFFFFFFFF, arch, 0, *words)
    accumulator, at = 0, 0
    while True:
        code, if_true, if_false, operand = instructions[at]
        at += 1
        if code == _RETURN:
            return int(operand)
        if code == _LOAD:
            assert operand % 4 == 0
            (accumulator,) = struct.unpack_from("=I", data, operand)
            continue
        if code == _AND:
            accumulator &= operand
            continue
        if code == _ALWAYS:
            at += operand
            continue
        holds = {
            _EQUAL: accumulator == operand,
            _ABOVE: accumulator > operand,
            _AT_LEAST: accumulator >= operand,
            _ANY_BIT: accumulator & operand != 0,
        }[code]
        at += if_true if holds else if_false
