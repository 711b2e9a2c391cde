"""Makes objects that outlive it or that others can see: shared memory, queues, keys.

Verdict: contained
"""

from hostile import Hostile, denied


class SharedObjects(Hostile):
    def attack(self, observation):
        denied("shmget", "semget", "msgget", "mq_open", "memfd_create", "add_key", "keyctl")
