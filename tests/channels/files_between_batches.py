"""A batch leaves files for the next one.

Between: batches
Games: 8
Bites: yes
"""

from files_channel import FilesChannel


class FilesBetweenBatches(FilesChannel):
    between = "batches"
