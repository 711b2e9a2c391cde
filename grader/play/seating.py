"""Which seats share a process: each its own, or in mode ``team`` all seats of an agent."""

from collections.abc import Sequence
from typing import NamedTuple

from grader.core.records import Mode
from grader.play.players import ProcessPlayer, TeamSeat

__all__ = ["SeatGroup", "grouped_agents", "process_of", "seat_groups", "seat_players"]


class SeatGroup(NamedTuple):
    """The seats that one process plays: one, or in mode ``team`` all of an agent."""

    agent: int
    seats: tuple[int, ...]


def seat_groups(seating: Sequence[int], mode: Mode) -> tuple[SeatGroup, ...]:
    """The groups of a game, by their first seats."""
    if mode is Mode.SEAT:
        return tuple(SeatGroup(agent, (seat,)) for seat, agent in enumerate(seating))
    return tuple(
        SeatGroup(agent, tuple(seat for seat, at in enumerate(seating) if at == agent))
        for agent in dict.fromkeys(seating)
    )


def grouped_agents(seating: Sequence[int], mode: Mode) -> tuple[int, ...]:
    """The agents of these groups, sorted: each as often as it has groups."""
    return tuple(sorted(group.agent for group in seat_groups(seating, mode)))


def seat_players(
    groups: Sequence[SeatGroup], processes: Sequence[ProcessPlayer], mode: Mode
) -> Sequence[ProcessPlayer | TeamSeat]:
    """The player of each seat, from the processes of the groups."""
    players: dict[int, ProcessPlayer | TeamSeat] = {}
    for group, process in zip(groups, processes, strict=True):
        for seat in group.seats:
            players[seat] = (
                process if mode is Mode.SEAT else TeamSeat(process, accounts=seat == group.seats[0])
            )
    return [players[seat] for seat in sorted(players)]


def process_of(player: ProcessPlayer | TeamSeat) -> ProcessPlayer:
    """The process that answers for a seat."""
    return player.process if isinstance(player, TeamSeat) else player
