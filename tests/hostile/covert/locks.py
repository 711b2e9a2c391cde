"""Leaves locks, leases and watches on files that other seats might see.

Verdict: contained
Bites: yes
"""

import _json
import fcntl
import os

from hostile import Hostile, denied, refused

FILE = _json.__file__


class Locks(Hostile):
    def attack(self, observation):
        descriptor = os.open(FILE, os.O_RDONLY)
        refused("flock", fcntl.flock, descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        refused("lockf", fcntl.fcntl, descriptor, fcntl.F_SETLK, bytes(32))
        refused("test a lock", fcntl.fcntl, descriptor, fcntl.F_GETLK, bytes(32))
        refused("lease", fcntl.fcntl, descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        refused("read a lease", fcntl.fcntl, descriptor, fcntl.F_GETLEASE)
        refused("watch", fcntl.fcntl, descriptor, fcntl.F_NOTIFY, fcntl.DN_ACCESS)
        refused("own signals", fcntl.fcntl, descriptor, fcntl.F_SETOWN, 1)
        os.close(descriptor)
        denied("inotify_init1", "fanotify_init")
