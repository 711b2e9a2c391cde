"""Restarts the machine, sets its clock and name, loads a kernel module, reads the kernel's log.

Verdict: contained
"""

from hostile import Hostile, denied


class Administers(Hostile):
    def attack(self, observation):
        denied("reboot", "settimeofday", "clock_settime", "sethostname", "setdomainname")
        denied("init_module", "finit_module", "delete_module", "kexec_load", "syslog")
        denied("setuid", "setgid", "personality", "prctl", "sync", "nfsservctl")
