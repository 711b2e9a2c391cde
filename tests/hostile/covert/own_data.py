"""Leaves marks on the data beside its sources, and on the times at which they were last read.

Verdict: contained
"""

import fcntl
import mmap
import os
import signal

from hostile import Hostile, call, escaped, refused

FILE = "marks.txt"
LOCKS = ("F_SETLK", "F_GETLK", "F_OFD_SETLK", "F_OFD_GETLK")
COMMANDS = ("F_SETLEASE", "F_GETLEASE", "F_NOTIFY", "F_SETOWN", "F_ADD_SEALS")


class OwnData(Hostile):
    def start(self, context):
        super().start(context)
        for path, read in ((FILE, read_file), (".", os.listdir)):
            before = os.stat(path).st_atime_ns
            read(path)
            if os.stat(path).st_atime_ns != before:
                escaped(f"the time of the last reading of {path} is kept")

    def attack(self, observation):
        descriptor = os.open(FILE, os.O_RDONLY)
        for flags in (os.O_WRONLY, os.O_RDWR, os.O_TRUNC):
            refused(f"open {flags:#o}", os.open, FILE, flags)
        refused("create", os.open, "other.txt", os.O_RDONLY | os.O_CREAT, 0o600)
        refused("an unnamed file", os.open, ".", os.O_TMPFILE | os.O_RDWR, 0o600)
        refused("truncate", os.ftruncate, descriptor, 0)
        refused("utime", os.utime, descriptor)
        refused("setxattr", os.setxattr, descriptor, "user.note", b"1")
        refused("getxattr", os.getxattr, descriptor, "user.note")
        refused("chmod", os.fchmod, descriptor, 0o666)
        refused("map shared", mmap.mmap, descriptor, 0, mmap.MAP_SHARED, mmap.PROT_READ)
        refused("flock", fcntl.flock, descriptor, fcntl.LOCK_SH)
        refused("ioctl", fcntl.ioctl, descriptor, 0x80086601, bytes(8))
        refused("statfs", os.fstatvfs, descriptor)
        for name in LOCKS:
            refused(name, fcntl.fcntl, descriptor, getattr(fcntl, name), bytes(32))
        for name in COMMANDS:
            refused(name, fcntl.fcntl, descriptor, getattr(fcntl, name))
        refused("the folder above", os.open, "..", os.O_RDONLY)
        refused("leave the folder", os.fchdir, os.open(".", os.O_RDONLY))
        call("tgkill", os.getppid(), os.getppid(), signal.SIGABRT)  # PID 1 must not mind


def read_file(path):
    with open(path, encoding="utf-8") as file:
        file.read()
