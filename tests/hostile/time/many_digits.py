"""Has a number of millions of digits written out, once the interpreter's bound is lifted.

Verdict: timeout
"""

import sys

from hostile import Hostile


class ManyDigits(Hostile):
    def attack(self, observation):
        sys.set_int_max_str_digits(0)
        return len(str(1 << 20_000_000))
