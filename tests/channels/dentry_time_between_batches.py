"""A batch looks for files that are not there; the next one times the same look-ups.

Between: batches
Games: 8
Bites: yes
"""

from dentry_channel import DentryChannel


class DentryTimeBetweenBatches(DentryChannel):
    between = "batches"
