"""The sender makes sets of semaphores with agreed keys; the receiver asks which there are.

Bites: yes
"""

from system_v_channel import SystemVChannel


class SystemVSemaphores(SystemVChannel):
    x86_64 = (64, 66)
    aarch64 = (190, 191)
    size = (1,)
    place_of_command = 2
