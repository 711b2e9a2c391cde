"""Files with records: exports, a single game's result, or a bare record; and files to write."""

import os
import shlex
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from grader.cli.exits import UsageError
from grader.cli.output import say
from grader.core.prints import GameWithPrints
from grader.core.records import GameResult, Record, from_json
from grader.results.export import EvaluationExport

if TYPE_CHECKING:
    from grader.tournament import TournamentExport

_SOURCES: Final = frozenset({".py", ".zip"})

_MAX_BYTES: Final = 256 << 20
"""A thousand games take about two megabytes."""


def read_export(path: Path) -> EvaluationExport:
    """An evaluation's export. Raises UsageError or RecordError."""
    export = read_any_export(path)
    if isinstance(export, EvaluationExport):
        return export
    raise UsageError(f"{path} is the export of a tournament; name that of an evaluation")


def read_any_export(path: Path) -> "EvaluationExport | TournamentExport":
    """An evaluation's or a tournament's export. Raises UsageError or RecordError."""
    text = _text(path)
    fields = _fields(path, text)
    if "results" not in fields:
        raise UsageError(
            f"{path} is not the export of an evaluation: it has no results;"
            " `firebox replay` checks and shows a single game"
        )
    return _tournament(text) if "tournament" in fields else from_json(text, EvaluationExport)


def _tournament(text: bytes) -> "TournamentExport":
    require_numpy()
    from grader.tournament import TournamentExport  # it takes a while to load

    return from_json(text, TournamentExport)


def read_game(path: Path, index: int | None) -> GameResult | Record:
    """One game of a file; ``index`` chooses it in an export. Raises UsageError or RecordError."""
    text = _text(path)
    fields = _fields(path, text)
    if "tournament" in fields:
        return _choose([result.result for result in _tournament(text).results], index)
    if "results" in fields:
        return _choose(from_json(text, EvaluationExport).results, index)
    if index is not None:
        raise UsageError(f"{path} has only one game: leave --game out")
    if "printed" in fields:
        return from_json(text, GameWithPrints)
    return from_json(text, GameResult) if "record" in fields else from_json(text, Record)


def require_numpy() -> None:
    """Tournaments need a library that nothing else does. Raises UsageError if it is missing."""
    try:
        import numpy as np
    except ImportError as error:
        raise UsageError(
            f"tournaments need another library ({error}): install firebox[tournament],"
            " or numpy beside it"
        ) from error
    del np


def _choose(results: Sequence[GameResult], index: int | None) -> GameResult:
    """Choose by index; of several plays of a game one without a fault, or else the last."""
    in_order = sorted(results, key=lambda result: result.record.fault is None)
    games = {result.index: result for result in in_order}
    if index is None and len(games) == 1:
        return next(iter(games.values()))
    if index not in games:
        faulted = [str(i) for i, result in games.items() if result.record.fault is not None]
        what = f"there is no game {index}" if index is not None else "choose a game with --game"
        known = f"games {min(games)} to {max(games)}" if games else "no games"
        faults = f"; a fault ended {', '.join(faulted[:20])}" if faulted else ""
        raise UsageError(f"{what}; the file has {known}{faults}")
    return games[index]


def _fields(path: Path, text: bytes) -> Collection[str]:
    if path.suffix.lower() in _SOURCES:
        raise _agent_instead(path)
    try:
        return msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise UsageError(f"{path} is not a file of records: {error}") from error


def _agent_instead(path: Path) -> UsageError:
    name = shlex.quote(str(path))
    return UsageError(
        f"{path} is not a file of records but an agent: play it with `firebox play {name}`,"
        f" or record its games with `firebox evaluate {name} --output games.json`"
    )


def _text(path: Path) -> bytes:
    try:
        if (path / "agent.py").is_file():
            raise _agent_instead(path)
        if path.stat().st_size > _MAX_BYTES:
            raise UsageError(f"{path} is too large to be a file of records")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error


def check_writable(path: Path | None) -> None:
    """Before a thousand games are played for nothing. Raises UsageError."""
    if path is None:
        return
    try:
        file = path.resolve()  # a link may lead to a folder that does not exist
        is_there, is_folder = file.exists(), file.is_dir()
        unfit = is_folder or not os.access(file if is_there else file.parent, os.W_OK)
    except RuntimeError as error:
        raise UsageError(f"cannot write {path}: it is a link to itself") from error
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error
    if unfit and is_there:
        what = "it is a folder" if is_folder else "you may not write to this file"
        raise UsageError(f"cannot write {path}: {what}")
    if unfit:
        raise UsageError(
            f"cannot write {path}: its folder does not exist, or you may not write to it"
        )


def write_text(path: Path | None, text: str) -> None:
    """Write a line of text, if there is a file to write it to. Raises UsageError."""
    if path is None:
        return
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def write_and_say(path: Path | None, text: str, words: str) -> None:
    """Write as ``write_text`` does, and print ``words`` even if that fails. Raises UsageError."""
    try:
        write_text(path, text)
    finally:
        say(words)
