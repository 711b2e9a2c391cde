"""Assigns seats so that every agent takes each seat equally often, for any plan of tables.

Each participant's games, in order, are cut into spells of as many games as a table has seats. Games
and spells are the two sides of a bipartite graph, in which nothing has more neighbours than there
are seats; so its edges can be coloured with the seats such that no game and no spell has one twice
(König 1916). In each whole spell a participant then sits in every seat once, and over any number
of games its seats differ by at most one. The colouring is the constructive proof: an edge that
finds no common free colour exchanges two colours along an alternating path.
"""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Final

_NONE: Final = -1

Order = Callable[[int], Sequence[int]]
"""For each game, the random order in which free seats are tried."""


def seated(games: Sequence[Sequence[int]], size: int, order: Order) -> list[tuple[int, ...]]:
    """Return each game's members in the order of their seats.

    A member that plays in several seats of a game is named once for each.
    """
    colouring = _Colouring(size, len(games))
    for game, members in enumerate(games):
        tried = order(game)
        for member in members:
            colouring.add(game, member, tried)
    return [colouring.seating(game) for game in range(len(games))]


class _Colouring:
    """Edges between games and spells, coloured as they come."""

    def __init__(self, size: int, games: int) -> None:
        self._size = size
        self._games = [[_NONE] * size for _ in range(games)]
        """For each game, the edge in each seat."""
        self._ends: list[tuple[list[int], list[int]]] = []
        """For each edge, its game and its spell: the edges in their seats."""
        self._members: list[int] = []
        """For each edge, whose it is."""
        self._current: dict[int, tuple[list[int], int]] = {}
        """For each member, its latest spell and how many games that has so far."""

    def add(self, game: int, member: int, order: Sequence[int]) -> None:
        """Add an edge, in the first seat of ``order`` that is free at both ends."""
        here, spell = self._games[game], self._spell(member)
        edge = len(self._members)
        self._members.append(member)
        self._ends.append((here, spell))
        for seat in order:
            if here[seat] == spell[seat] == _NONE:
                here[seat] = spell[seat] = edge
                return
        seat = next(seat for seat in order if here[seat] == _NONE)
        other = next(seat for seat in order if spell[seat] == _NONE)
        self._exchange(spell, seat, other)
        here[seat] = spell[seat] = edge

    def seating(self, game: int) -> tuple[int, ...]:
        """The members of a complete game by seat."""
        return tuple(self._members[edge] for edge in self._games[game])

    def _spell(self, member: int) -> list[int]:
        spell, length = self._current.get(member, ([], self._size))
        if length == self._size:
            spell, length = [_NONE] * self._size, 0
        self._current[member] = spell, length + 1
        return spell

    def _exchange(self, spell: list[int], seat: int, other: int) -> None:
        """Exchange two seats along the path that begins at a spell with ``seat``.

        It cannot end at the game that wants ``seat``: it enters games through ``seat``, which is
        free there.
        """
        path: list[int] = []
        row = spell
        for step in count():
            edge = row[other if step % 2 else seat]
            if edge == _NONE:
                break
            path.append(edge)
            row = self._ends[edge][step % 2]
        for step, edge in enumerate(path):
            for end in self._ends[edge]:
                end[other if step % 2 else seat] = _NONE
        for step, edge in enumerate(path):
            for end in self._ends[edge]:
                end[seat if step % 2 else other] = edge
