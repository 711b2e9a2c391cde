"""Opens its descriptors once more by their paths.

Verdict: contained
"""

from hostile import Hostile, unreadable, unwritable


class DescriptorsByPath(Hostile):
    def attack(self, observation):
        unreadable(
            "/dev/fd", "/dev/stdin", "/proc/self/fd", "/proc/self/fd/3", "/proc/self/fdinfo/3"
        )
        unwritable("/dev/stdout", "/dev/fd/4", "/proc/self/fd/4", "/proc/self/task")
