"""The shape of an upload for one interface: which files it may be, and what they are called."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadShape:
    """The shape of an upload for one interface."""

    language: str
    """``Python``, ``Java``, ``C++``."""
    suffixes: tuple[str, ...]
    """Endings of a single source file, in lower case, the most common first."""
    keeps_name: bool = False
    """True if a single file keeps its own name. Without ``stored_as`` it must be able to name a
    class."""
    stored_as: str = ""
    """The name it gets otherwise; empty: a file with another name is refused."""
    entry: str = ""
    """A file that must be in an archive; empty: any with one of the endings."""
    lowers_suffix: bool = False
    """True if the compiler takes no source whose ending is in capitals."""
    names_class: bool = False
    """True if an upload can name the class that plays."""

    @property
    def what(self) -> str:
        """A description of one of its files."""
        return f"a {self.language} source file"

    @property
    def endings(self) -> str:
        """The endings as text: ``.h or .hpp``."""
        return " or ".join(self.suffixes)


PYTHON_UPLOAD: Final = UploadShape(
    language="Python", suffixes=(".py",), stored_as="agent.py", entry="agent.py"
)
"""One file, or an archive with an ``agent.py``: Firebox's own class."""
