"""Plays house agents against each other in this process: deals, messages, nothing else."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from firebox.adapter import LocalSeat
from grader.core import deals
from grader.core.games import Game, State, game_from_options

SECRET = b"the deals of the tests, for ever"


class Seat(Protocol):
    """Something that answers the wire's messages."""

    def send(self, message: dict[str, Any], /) -> dict[str, Any] | None: ...


@dataclass(frozen=True, slots=True)
class Played:
    """The course of a game."""

    score: int
    ending: str
    actions: tuple[str, ...]
    scores: tuple[int, ...]
    """Of all seats; ``score`` is the first one's."""


def standard(players: int) -> Game:
    return game_from_options("hanabi", {"players": players})


def all_games() -> Iterator[Game]:
    for variant in ("standard", "gcc", "uwa", "ensta", "cs221"):
        for players in (2,) if variant == "gcc" else (2, 3, 4, 5):
            yield game_from_options("hanabi", {"variant": variant, "players": players})


def play(game: Game, agents: Sequence[Callable[[], Any]], index: int) -> Played:
    return play_seats(game, [LocalSeat(agent) for agent in agents], index)


def play_seats(game: Game, seats: Sequence[Seat], index: int) -> Played:
    """Play deal ``index`` with seats that may be anywhere."""
    seed = deals.deal_seed(SECRET, index)
    state = game.deal(seed)
    for at, seat in enumerate(seats):
        seat.send(_start(game, at, deals.agent_seed(seed, at)))
    told = [0] * len(seats)
    actions = []
    while (at := state.seat_to_act) is not None:
        reply = seats[at].send(_turn(state, at, told))
        assert reply is not None
        actions.append(game.notate(reply["action"]))
        state.apply(reply["action"])
    for at, seat in enumerate(seats):
        events = list(state.events(at))[told[at] :]
        seat.send({"type": "end", "events": events, "scores": state.scores(), "ending": "over"})
    scores = state.scores()
    return Played(scores[0], str(state.ending), tuple(actions), scores)


def _start(game: Game, seat: int, seed: int) -> dict[str, Any]:
    head = {"type": "start", "protocol": 1, "game": game.name, "rules_version": 1}
    return head | {"options": dict(game.options), "seat": seat, "players": game.seats, "seed": seed}


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
