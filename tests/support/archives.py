"""Archives of uploads, as the store has them."""

from collections.abc import Mapping
from pathlib import Path

from grader.uploads.archive import SourceFile, Sources


def archive(files: Mapping[str, str | bytes]) -> bytes:
    return Sources(
        tuple(
            SourceFile(name, content if isinstance(content, bytes) else content.encode())
            for name, content in sorted(files.items())
        )
    ).archive()


def archive_of(folder: Path) -> bytes:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return archive({path.relative_to(folder).as_posix(): path.read_bytes() for path in paths})
