"""The sender makes message queues with agreed keys; the receiver asks which there are.

Bites: yes
"""

from system_v_channel import SystemVChannel


class SystemVQueues(SystemVChannel):
    x86_64 = (68, 71)
    aarch64 = (186, 187)
