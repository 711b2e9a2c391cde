"""``python -m webapp.jobs.simulation [FOLDER]``: simulate all nights; print tables, draw a plot."""

import argparse
from pathlib import Path

from webapp.jobs.simulation.report import plot, tables, uploading


def main() -> None:
    """Play, print, write."""
    parser = argparse.ArgumentParser(prog="python -m webapp.jobs.simulation", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, help="where deadline.svg is written")
    folder: Path | None = parser.parse_args().folder
    nights = list(uploading())
    print(tables(nights))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        folder.joinpath("deadline.svg").write_text(plot(nights), encoding="utf-8")
        print(f"{folder / 'deadline.svg'} is drawn.")


if __name__ == "__main__":
    main()
