"""The command line: what students, and people who look into grades, use on their own computers."""

import sys

from grader.core.errors import GamePackageError

if sys.platform == "win32":  # where modules that the commands import are missing
    from grader.cli.windows import main
else:
    try:
        from grader.cli.main import main
    except GamePackageError as error:  # of a package that is installed beside Firebox
        sys.exit(f"firebox: {error}. Mend that package, or uninstall it.")

__all__ = ["main"]
