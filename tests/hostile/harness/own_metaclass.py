"""Is a class that runs code of its own whenever it is called or looked at.

Verdict: crash
Armed: always
"""

from hostile import Hostile


class Meta(type):
    def __call__(cls, *arguments):
        raise MemoryError("not really") from None

    def __instancecheck__(cls, other):
        return True


class OwnMetaclass(Hostile, metaclass=Meta):
    pass
