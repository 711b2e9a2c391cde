"""Runs one harness under atheris: ``python -m tests.fuzz NAME [libFuzzer's options and corpora]``.

Only for a process of its own: atheris instruments what is imported, and ends the process.
"""

import importlib
import sys

import atheris


def main() -> None:
    """Fuzz until libFuzzer's options say stop; exit status 0 if nothing was found."""
    name, *options = sys.argv[1:]
    with atheris.instrument_imports(include=["grader", "sandbox", "zipfile"]):
        harness = importlib.import_module(f"tests.fuzz.{name}")
    atheris.Setup([sys.argv[0], f"-max_len={harness.LONGEST}", *options], harness.one)
    atheris.Fuzz()


main()
