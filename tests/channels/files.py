"""The sender makes files wherever it may; the receiver looks for them.

Bites: yes
"""

from files_channel import FilesChannel


class Files(FilesChannel):
    pass
