"""Takes a gigabyte while it is imported.

Verdict: memory
Armed: always
"""

from hostile import Hostile

LARGE = bytearray(1 << 30)


class LoadsTooMuch(Hostile):
    pass
