"""``makemigrations``, whose files are code: the site may run as another user than wrote them."""

import os
from typing import Any, Final

from django.core.management.commands import makemigrations

_USUAL: Final = 0o022
"""The umask under which others may read new files, but not write them."""


class Command(makemigrations.Command):
    """Django's, with files that everybody may read."""

    def write_migration_files(self, *args: Any, **options: Any) -> None:
        """Write the files; ``python -m webapp`` lets only its user read what else is written."""
        before = os.umask(_USUAL)
        try:
            super().write_migration_files(*args, **options)
        finally:
            os.umask(before)
