"""Sandboxes open for many tests: their agent is compiled once, and each test plays a game.

What an agent does in a game can follow from the deal. So one agent has the deeds of a whole table
of tests, and each test plays a deal in which it does one of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from grader.core.deals import PRACTICE_SECRET, deal_seed
from grader.core.games import game_from_options
from grader.core.records import BatchRequest, GameRequest, GameResult
from grader.play.games import BatchGames, open_games
from grader.play.slot import Slot
from tests.support.slots import confined

Deals = dict[str, bytes]
"""For each deed the seed of a deal in which an agent does it."""

_MAX_DEALS: Final = 20_000
"""How many deals are looked at."""


class Deeds:
    """An agent in open sandboxes."""

    def __init__(self, games: BatchGames, orders: Mapping[str, GameRequest]) -> None:
        self._games = games
        self._orders = orders

    def play(self, deed: str) -> GameResult:
        """Play the game with that deed, in sandboxes where others may have been played before."""
        return self._games.play(self._orders[deed])[0]


@contextmanager
def open_deeds(
    request: BatchRequest, upload: bytes, deals: Deals, slot: Slot | None = None
) -> Iterator[Deeds]:
    """Build the agent of a request, and keep its sandboxes open for games on these deals."""
    orders = {
        deed: GameRequest(index=index, deal_seed=seed.hex())
        for index, (deed, seed) in enumerate(deals.items())
    }
    asked = replace(request, games=tuple(orders.values()))
    game = game_from_options(asked.game, asked.options)
    with open_games(game, asked, [upload], slot or confined()) as games:
        (build,) = games.build()
        assert build.ok, build.messages
        yield Deeds(games, orders)


def deals_for(deeds: Iterable[str], fits: Callable[[bytes], int | None]) -> Deals:
    """Return the first practice deal for each deed: that for which ``fits`` tells its number."""
    names = dict(enumerate(deeds))
    deals: Deals = {}
    for index in range(_MAX_DEALS):
        if len(deals) == len(names):
            return deals
        seed = deal_seed(PRACTICE_SECRET, index)
        number = fits(seed)
        if number in names:
            deals.setdefault(names[number], seed)
    raise AssertionError(f"no deals for {set(names.values()) - set(deals)}")


def first_cards(request: BatchRequest, seed: bytes) -> list[str]:
    """Return the first card of each of two hands of Hanabi in a deal."""
    state = game_from_options(request.game, request.options).deal(seed)
    return [str(state.observe(1 - seat)["hands"][seat]["cards"][0]) for seat in (0, 1)]
