"""Values between site and graders: the check of a game's uploaded folder, and its outcome."""

from dataclasses import dataclass
from typing import Annotated, Final

import msgspec

from grader.core.records import FORMAT, digest

CHECK_GAME: Final = "grader.check_game"
"""The graders' task; its argument is a GameCheckRequest as JSON."""
RECORD_CHECK: Final = "webapp.record_game_check"
"""The site's task; its argument is a signed GameCheckReport."""
MOST_FINDINGS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCheckRequest:
    """A folder to be checked as ``firebox game check`` does, up to the level *graded*."""

    v: int = FORMAT
    check: str
    """Opaque id, echoed."""
    folder: str
    """SHA-256 of the stored folder."""

    def digest(self) -> str:
        """Return the hash that the answer carries."""
        return digest(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameProblem:
    """A finding of ``grader.conformance``, or a failure of the rules in their sandbox."""

    problem: Annotated[str, msgspec.Meta(max_length=1_000)]
    repair: Annotated[str, msgspec.Meta(max_length=1_000)]
    rules: Annotated[str, msgspec.Meta(max_length=100)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameCheckReport:
    """The outcome of a check."""

    v: int = FORMAT
    check: str
    facts: Annotated[str, msgspec.Meta(max_length=200_000)] = ""
    """``UploadedFacts`` as JSON; empty if the game could not be loaded."""
    problems: Annotated[tuple[GameProblem, ...], msgspec.Meta(max_length=MOST_FINDINGS)] = ()
    system_fault: str = ""
    """A failure of the grader or its host: nothing is known of the game."""
    worker: str = ""
    request: str = ""
    """``digest`` of the GameCheckRequest that was answered."""
