"""The sender locks single bytes for its open file instead of its process; the receiver asks.

Bites: yes
"""

import fcntl

from byte_lock_channel import ByteLockChannel


class OpenFileLocks(ByteLockChannel):
    set_lock = fcntl.F_OFD_SETLK
    get_lock = fcntl.F_OFD_GETLK
