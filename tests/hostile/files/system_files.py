"""Reads the system's files: accounts, devices, hardware.

Verdict: contained
Bites: yes
"""

from hostile import Hostile, unreadable


class SystemFiles(Hostile):
    def attack(self, observation):
        unreadable("/", "/etc", "/etc/passwd", "/etc/hostname", "/etc/resolv.conf", "/root")
        unreadable("/sys", "/sys/fs/cgroup", "/sys/class/net", "/dev", "/dev/null", "/dev/tty")
        unreadable("/dev/urandom", "/dev/kmsg", "/dev/mem", "/dev/pts", "/run", "/tmp", "/var")
