"""The agents on a ladder: the latest versions of each team's, while they do not keep failing."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

LATEST_GAMES: Final = 20
FAULTY_GAMES: Final = 5
"""An agent leaves when its faults ended this many of its ``LATEST_GAMES`` latest games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One of a team's accepted submissions."""

    team: int
    number: int
    """Later ones have higher numbers."""
    is_out: bool = False
    """It was withdrawn, or left for its faults: it neither plays nor takes a place."""


def staying(versions: Collection[Version], *, limit: int) -> frozenset[tuple[int, int]]:
    """Return team and number of the versions that play: the latest ``limit`` of each team."""
    places: dict[int, int] = {}
    kept = set()
    for version in sorted(versions, key=lambda version: -version.number):
        taken = places.get(version.team, 0)
        if not version.is_out and taken < limit:
            places[version.team] = taken + 1
            kept.add((version.team, version.number))
    return frozenset(kept)


def faults_too_often(latest: Sequence[bool]) -> bool:
    """Return whether an agent must leave; ``latest`` has, for its games from the latest on, whether
    it faulted."""
    return sum(latest[:LATEST_GAMES]) >= FAULTY_GAMES
