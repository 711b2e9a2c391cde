"""``python -m grader.compiled``: compile the rules for the processes that start after it."""

import sys

from grader.compiled import SETTING, CannotCompileError, build, chosen_directory


def main() -> int:
    """Compile into the directory of the setting; return the exit status."""
    directory = chosen_directory()
    if directory is None:
        return _say(f"Set {SETTING} to the directory for compiled rules, then run this again.", 2)
    try:
        folder = build(directory)
    except CannotCompileError as error:
        return _say(f"The rules stay Python: {error}", 1)
    print(f"Compiled rules are in {folder}. Restart what plays or replays games.")
    return 0


def _say(complaint: str, status: int) -> int:
    print(complaint, file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
