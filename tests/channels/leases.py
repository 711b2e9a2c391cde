"""The sender leases files of the library; the receiver asks for leases that exclude others'.

Bites: yes
"""

import errno
import fcntl
import os

from channel import Channel
from library import library_files


class Leases(Channel):
    width = 8

    def prepare(self):
        self.paths = library_files()[: self.width]
        self.files = []

    def send(self, bits):
        for file in self.files:
            os.close(file)
        sent = zip(self.paths, bits, strict=True)
        self.files = [os.open(path, os.O_RDONLY) for path, bit in sent if bit]
        for file in self.files:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)

    def receive(self, width):
        return [self.leased(path) for path in self.paths]

    def leased(self, path):
        """Closing gives the lease back."""
        file = os.open(path, os.O_RDONLY)
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        except BlockingIOError:
            return 1
        except OSError as error:
            return 1 if error.errno == errno.EBUSY else None
        finally:
            os.close(file)
        return 0
