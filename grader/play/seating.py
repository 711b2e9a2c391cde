"""Seat groups: the seats that share a process. In mode ``team`` an agent's seats are one group."""

from collections.abc import Sequence
from typing import NamedTuple

from grader.core.records import Mode
from grader.play.players import ProcessPlayer, TeamSeat


class ProcessSeats(NamedTuple):
    """The seats that one process plays: one, or in mode ``team`` all of an agent."""

    agent: int
    seats: tuple[int, ...]


def seat_groups(seating: Sequence[int], mode: Mode) -> tuple[ProcessSeats, ...]:
    """Return the groups of a game, in the order of their first seats."""
    if mode is Mode.SEAT:
        return tuple(ProcessSeats(agent, (seat,)) for seat, agent in enumerate(seating))
    return tuple(
        ProcessSeats(agent, tuple(seat for seat, at in enumerate(seating) if at == agent))
        for agent in dict.fromkeys(seating)
    )


def grouped_agents(seating: Sequence[int], mode: Mode) -> tuple[int, ...]:
    """Return the agent of every group, sorted; an agent appears once for each of its groups."""
    return tuple(sorted(group.agent for group in seat_groups(seating, mode)))


def seat_players(
    groups: Sequence[ProcessSeats], processes: Sequence[ProcessPlayer], mode: Mode
) -> Sequence[ProcessPlayer | TeamSeat]:
    """Return the player of each seat, in the order of the seats.

    ``processes`` has one process for each group. Of a shared one only the first seat has figures.
    """
    players: dict[int, ProcessPlayer | TeamSeat] = {}
    for group, process in zip(groups, processes, strict=True):
        for seat in group.seats:
            players[seat] = (
                process if mode is Mode.SEAT else TeamSeat(process, accounts=seat == group.seats[0])
            )
    return [players[seat] for seat in sorted(players)]


def process_of(player: ProcessPlayer | TeamSeat) -> ProcessPlayer:
    """Return the process that plays a seat."""
    return player.process if isinstance(player, TeamSeat) else player
