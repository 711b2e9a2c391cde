"""Every game, with random plays of it: the material of the conformance suite."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from grader.core.deals import deal_seed
from grader.core.errors import IllegalAction, RulesError
from grader.core.games import GAMES, Game, State
from tests.grader.core.games.policies import at_random, played
from tests.support.depth import deeper

SECRET = b"conformance suite"
LONGEST_GAME = 2000
"""Actions; a game that is not over by then probably never will be."""
WIRE_LIMIT = 60 << 10
"""Bytes for an observation with news and choices, within the 64 KiB of a message to an agent."""

MOMENTS = deeper(13, deep=100)
"""Turns of a play that are looked at where looking takes long."""

CHECKS: list[Callable[[Game], None]] = []


def check(function: Callable[[Game], None]) -> Callable[[Game], None]:
    CHECKS.append(function)
    return function


def every_game() -> Iterator[tuple[str, Game]]:
    """All games, in all named variants, with every number of seats that they allow."""
    for name, kind in GAMES.items():
        for variant in kind.variants():
            for players in range(1, 9):
                try:
                    game = kind.from_options({"variant": variant, "players": players})
                except RulesError:
                    continue
                yield f"{name}-{variant}-{players}", game


def plays(game: Game, count: int) -> Iterator[tuple[bytes, Sequence[str]]]:
    """Some random plays to the end: the deal's seed and the actions."""
    for index in range(count):
        yield _play(game, index)


@cache
def _play(game: Game, index: int) -> tuple[bytes, Sequence[str]]:
    seed = deal_seed(SECRET, index)
    rng = Random(f"conformance {index}")  # noqa: S311 - repeatable test data
    return seed, tuple(played(game, game.deal(seed), at_random, rng))


def moments(actions: Sequence[str]) -> Sequence[int]:
    """Some turns of a play, evenly spread and not at the same place of every hand."""
    return sorted({len(actions) * k // MOMENTS for k in range(MOMENTS)})


def state_after(game: Game, seed: bytes, actions: Sequence[str]) -> State:
    state = game.deal(seed)
    for notation in actions:
        state.apply(game.parse(notation))
    return state


def everything(game: Game, state: State) -> str:
    """All that the interface says about a state, as one comparable text."""
    seats = range(game.seats)
    return json.dumps(
        {
            "turn": state.turn,
            "seat_to_act": state.seat_to_act,
            "ending": state.ending,
            "legal": state.legal_actions(),
            "observations": [state.observe(seat) for seat in seats],
            "events": [state.events(seat) for seat in seats],
            "scores": state.scores(),
            "text": state.text(),
        }
    )


def refuses(game: Game, state: State, *actions: Any) -> None:
    """Assert that each action is refused, and that all these attempts changed nothing."""
    before = everything(game, state)
    for action in actions:
        with pytest.raises(IllegalAction) as refusal:
            state.apply(action)
        assert 0 < len(str(refusal.value)) < 200
    assert everything(game, state) == before
