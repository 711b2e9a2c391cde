"""A batch fills memory; the next one searches what it is given.

Between: batches
Games: 6
"""

from memory_channel import MemoryChannel


class MemoryBetweenBatches(MemoryChannel):
    between = "batches"
