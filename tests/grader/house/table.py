"""Plays house agents against each other in this process: deals, messages, nothing else."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from firebox.adapter import LocalSeat
from grader import deals
from grader.games import Game, State

SECRET = b"the deals of the tests, for ever"


@dataclass(frozen=True, slots=True)
class Played:
    """How a game went."""

    score: int
    ending: str
    turns: int


def play(game: Game, agents: Sequence[Callable[[], Any]], index: int) -> Played:
    """Play deal ``index``; an illegal action comes through as IllegalAction."""
    seed = deals.deal_seed(SECRET, index)
    state = game.deal(seed)
    seats = [LocalSeat(agent) for agent in agents]
    for at, seat in enumerate(seats):
        seat.send(_start(game, at, deals.agent_seed(seed, at)))
    told = [0] * len(seats)
    while (at := state.seat_to_act) is not None:
        reply = seats[at].send(_turn(state, at, told))
        assert reply is not None
        state.apply(reply["action"])
    for at, seat in enumerate(seats):
        events = list(state.events(at))[told[at] :]
        seat.send({"type": "end", "events": events, "scores": state.scores(), "ending": "over"})
    return Played(state.scores()[0], str(state.ending), state.turn)


def _start(game: Game, seat: int, seed: int) -> dict[str, Any]:
    options = dict(game.options)
    return {"type": "start", "protocol": 1, "game": game.name, "rules_version": 1} | {
        "options": options,
        "seat": seat,
        "players": game.seats,
        "seed": seed,
    }


def _turn(state: State, seat: int, told: list[int]) -> dict[str, Any]:
    events = state.events(seat)
    new = events[told[seat] :]
    told[seat] = len(events)
    return {
        "type": "turn",
        "turn": state.turn,
        "events": new,
        "observation": state.observe(seat),
        "legal": state.legal_actions(),
    }
