"""The place of a game that is to be checked: installed, or in a folder that is not."""

import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from grader.cli.exits import UsageError
from grader.core.games import ENTRY_POINTS, GAMES

TARGET: Final = (
    "a folder with a pyproject.toml, a class as MODULE:CLASS, or the name of an installed game"
)
"""The help for an argument that ``located`` reads."""
_NAME_SECONDS: Final = 20


@dataclass(frozen=True, slots=True)
class Located:
    """Games, and where Python finds them."""

    games: Sequence[str]
    paths: Sequence[str] = ()
    project: Path | None = None
    """The folder with the game's ``pyproject.toml``, if it was named."""

    def environment(self, **others: str) -> Mapping[str, str]:
        """Return the environment of a process in which these games are installed."""
        paths = [*self.paths, *filter(None, [os.environ.get("PYTHONPATH")])]
        return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **others}

    def run(
        self, *words: str, folder: Path | None = None, seconds: float | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run Python in a process in which these games are installed; return what it printed."""
        return subprocess.run(
            [sys.executable, *words],
            cwd=folder,
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=seconds,
        )


def located(target: str, folder: Path) -> Located:
    """Return the games that ``target`` names. What is not installed is made so in ``folder``, for
    processes with the right environment. Raises UsageError."""
    if target in GAMES and not Path(target).is_dir():
        return Located([target])
    if ":" in target:
        return _of_class(target, folder)
    if Path(target).is_dir():
        return _of_project(Path(target).resolve(), folder)
    raise UsageError(
        f"{target} is neither a folder, nor MODULE:CLASS, nor an installed game:"
        f" {', '.join(sorted(GAMES))}"
    )


def _of_project(project: Path, folder: Path) -> Located:
    try:
        declared = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
        games: Mapping[str, Any] = declared["project"]["entry-points"][ENTRY_POINTS]
        name = str(declared["project"]["name"])
    except FileNotFoundError as error:
        raise UsageError(
            f"{project} has no pyproject.toml; `firebox game new` writes one"
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(
            f'{project}/pyproject.toml names no game: it needs [project.entry-points."'
            f'{ENTRY_POINTS}"] with NAME = "MODULE:CLASS"'
        ) from error
    _install(folder, name, games)
    return Located([*games], [str(folder), str(project), str(project / "src")], project)


def _of_class(target: str, folder: Path) -> Located:
    module, _, name = target.partition(":")
    paths = [str(folder), str(Path.cwd())]
    code = f"from {module} import {name} as game; print(game.name)"
    found = Located([], paths).run("-c", code, seconds=_NAME_SECONDS)
    if found.returncode:
        reason = found.stderr.strip().rpartition("\n")[2]
        raise UsageError(f"{target} cannot be imported from {Path.cwd()}: {reason}")
    game = found.stdout.strip()
    _install(folder, f"checked-{game}", {game: target})
    return Located([game], paths)


def _install(folder: Path, project: str, games: Mapping[str, Any]) -> None:
    """Write what Python reads of a package; the first on the path hides an installed version."""
    info = folder / f"{project.replace('-', '_')}-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project}\nVersion: 0\n")
    entries = "".join(f"{name} = {value}\n" for name, value in games.items())
    (info / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\n{entries}")
