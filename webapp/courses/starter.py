"""The starter kit of an assignment, as a zip."""

import io
import zipfile
from pathlib import Path
from typing import Final

from webapp.courses.models import Assignment

__all__ = ["starter_kit_zip"]

_EXAMPLE: Final = Path(__file__).resolve().parent.parent / "guide" / "examples" / "cautious.py"


def starter_kit_zip(assignment: Assignment) -> bytes:
    """An agent that already plays."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr(f"{assignment.slug}/agent.py", _EXAMPLE.read_bytes())
    return archive.getvalue()
