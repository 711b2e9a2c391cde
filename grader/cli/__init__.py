"""The command line: what students, and people who look into grades, use on their own computers."""

import sys

if sys.platform == "win32":  # where modules that the commands import are missing
    from grader.cli.windows import main
else:
    from grader.cli.main import main

__all__ = ["main"]
