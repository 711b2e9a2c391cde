"""Django's management commands: ``python -m webapp migrate``, ``python -m webapp demo_course``."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    """Run the command line's words as a management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "webapp.settings")
    execute_from_command_line(["python -m webapp", *sys.argv[1:]])


if __name__ == "__main__":
    main()
