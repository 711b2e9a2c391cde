"""Calls the parts of the kernel that exploits like best.

Verdict: contained
"""

from hostile import Hostile, denied


class KernelSurface(Hostile):
    def attack(self, observation):
        denied("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_setup")
        denied("keyctl", "add_key", "request_key", "fanotify_init", "pkey_alloc")
        denied("seccomp", "landlock_restrict_self", "vmsplice", "splice", "tee", "sendfile")
