"""Uses a certain processor time, and looks for it in the memory that its next game begins with.

Verdict: contained
Armed: always
"""

import ctypes
import gc
import os
import struct

EFAULT = 14
PAGE, ARENA = 4096, 1 << 20
LEAST_US, STEP_US, NOTES = 200_000, 50_000, 4
ROUND_US = 500, 15_625
"""Constants of libraries are multiples of these: a 64th of a second is exact in binary."""
libc = ctypes.CDLL(None, use_errno=True)


def is_mapped(page):
    ctypes.set_errno(0)
    libc.access(ctypes.c_void_p(page), 0)
    return ctypes.get_errno() != EFAULT


def pages():
    """Copies of the pages near objects, as the supervisor left them."""
    objects = gc.get_objects()
    near = {id(each) & -ARENA for each in (*objects, *map(id, objects))}
    arenas = {base + distance for base in near for distance in (-ARENA, 0, ARENA)}
    for base in sorted(arenas):
        for page in range(base, base + ARENA, PAGE):
            if is_mapped(page):
                yield ctypes.string_at(page, PAGE)


PAGES = list(pages())
"""Copied before there is any number that could take a freed one's place."""


def freed_times():
    """What look like numbers of Python's that were freed: seconds with whole microseconds."""
    for page in PAGES:
        for at in range(16, PAGE - 8, 8):
            if page[at + 7] == 0x3F and page[at - 16 : at - 8] == bytes(8):
                microseconds = struct.unpack_from("<d", page, at)[0] * 1000000
                whole = round(microseconds)
                exact = abs(microseconds - whole) * 1000000 < 1
                if exact and all(map(whole.__mod__, ROUND_US)) and LEAST_US < whole < 5 * LEAST_US:
                    yield whole


FOUND = sorted(set(freed_times()))

from hostile import Hostile, escaped, honest  # noqa: E402 - nothing may come before


class Diary(Hostile):
    def start(self, context):
        super().start(context)
        self.until = LEAST_US + STEP_US * (context.seed // 2 % NOTES)

    def attack(self, observation):
        if FOUND:
            escaped(f"processor times of the last game: {FOUND}")
        while os.times()[0] * 1000000 < self.until:
            pass
        return honest(observation)
