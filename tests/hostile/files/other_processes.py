"""Traces, reads, signals and steals from other processes.

Verdict: contained
"""

import os
import signal

from hostile import Hostile, denied, refused


class OtherProcesses(Hostile):
    def attack(self, observation):
        denied("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp")
        denied("pidfd_open", "pidfd_getfd", "pidfd_send_signal", "tgkill", "tkill")
        for pid in (-1, 0, 1, os.getppid()):
            refused(f"kill {pid}", os.kill, pid, signal.SIGKILL)
