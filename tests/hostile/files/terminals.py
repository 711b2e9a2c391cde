"""Looks for a terminal to type into, and controls its descriptors as devices.

Verdict: contained
"""

import errno
import fcntl
import os
import termios

from hostile import Hostile, escaped, refused, unreadable

FIONREAD, FIOASYNC, TIOCLINUX = 0x541B, 0x5452, 0x541C


class Terminals(Hostile):
    def attack(self, observation):
        unreadable("/dev/tty", "/dev/console", "/dev/pts/0", "/dev/ptmx", "/dev/pts/ptmx")
        refused("a terminal of its own", os.openpty)
        for descriptor in range(5):
            for order in (termios.TIOCSTI, termios.TIOCSCTTY, TIOCLINUX, FIONREAD, FIOASYNC):
                try:
                    fcntl.ioctl(descriptor, order, bytes(8))
                except OSError as error:
                    if error.errno in {errno.EPERM, errno.EBADF}:
                        continue
                escaped(f"ioctl {order:#x} of descriptor {descriptor}")
