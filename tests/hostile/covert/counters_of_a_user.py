"""Counts what its user holds elsewhere: pending signals, queues, keys, locked pages.

Verdict: contained
"""

from hostile import Hostile, denied, unreadable


class CountersOfAUser(Hostile):
    def attack(self, observation):
        denied("msgget", "semget", "shmget", "mq_open", "add_key", "timer_create", "signalfd4")
        denied("rt_sigqueueinfo", "inotify_init1", "io_setup", "mlock", "memfd_create", "eventfd2")
        unreadable(
            "/proc/key-users", "/proc/sys/fs/file-nr", "/proc/sys/kernel/random/entropy_avail"
        )
