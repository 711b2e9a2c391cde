"""Meets the other seat at a futex in a page of the C library, which all containers map.

Verdict: contained
"""

import ctypes
import errno

from hostile import Hostile, call, escaped

FUTEX_WAIT, FUTEX_WAKE = 0, 1


class SharedFutex(Hostile):
    def attack(self, observation):
        for word in self.words():
            for operation in (FUTEX_WAIT, FUTEX_WAKE):
                number = call("futex", ctypes.c_void_p(word), operation, 1 << 20, self.nap(), 0, 0)
                if number not in {-errno.EPERM, -errno.ENOSYS}:
                    escaped(f"operation {operation} on a shared futex gave {number}")

    def words(self):
        """Addresses of constants in the C library."""
        text = ctypes.CDLL(None).atoi
        address = ctypes.cast(text, ctypes.c_void_p).value
        return [address & ~3, (address & ~4095) + 64]

    def nap(self):
        return ctypes.byref((ctypes.c_long * 2)(0, 1_000_000))
