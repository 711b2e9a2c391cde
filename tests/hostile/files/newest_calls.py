"""Makes every system call that is newer than most lists of them, known and to come.

Verdict: contained
"""

import errno

from hostile import CALLS, Hostile, escaped, raw_call

ALLOWED = {436, 439}
"""close_range and faccessat2."""
NUMBERS = {*range(424, 620)} - ALLOWED - {CALLS["clone3"][0]}


class NewestCalls(Hostile):
    def attack(self, observation):
        for number in NUMBERS:
            answer = raw_call(number, 0, 0, 0, 0, 0, 0)
            if -answer not in {errno.EPERM, errno.ENOSYS}:
                escaped(f"system call {number} answered {answer}")
