"""Django's management commands: ``python -m webapp migrate``, ``python -m webapp demo_course``."""

import os
import sys
from contextlib import suppress

from django.conf import settings
from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command line's arguments as a management command.

    Only its user can read the files it writes: any command may be the first to make SQLite's file.
    """
    os.umask(0o077)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    with suppress(PermissionError):  # the checks then say it in words
        settings.VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    execute_from_command_line(["python -m webapp", *sys.argv[1:]])


if __name__ == "__main__":
    main()
