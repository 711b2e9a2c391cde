"""The sender makes shared memory with agreed keys; the receiver asks which there are.

Bites: yes
"""

from system_v_channel import SystemVChannel


class SystemVMemory(SystemVChannel):
    x86_64 = (29, 31)
    aarch64 = (194, 195)
    size = (4096,)
