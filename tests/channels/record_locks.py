"""The sender locks single bytes of a file of the library; the receiver asks who holds them.

Bites: yes
"""

from byte_lock_channel import ByteLockChannel


class RecordLocks(ByteLockChannel):
    pass
