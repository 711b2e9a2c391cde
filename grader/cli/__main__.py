"""``python -m grader.cli``: the same as ``firebox``."""

import sys

from grader.cli import main

if __name__ == "__main__":
    sys.exit(main())
