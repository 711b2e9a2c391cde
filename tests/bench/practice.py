"""``python -m tests.bench.practice``: how hard the first practice deals are for house agents.

Students take the mean of the first hundred for what their agent is worth. So the blocks of
``deals.PRACTICE_SECRET`` were put into an order in which the first 100, 200 and 500 deals give
house agents means near those in ``house/measured.json``, which come from other deals. ``--order``
plays the deals of all blocks, for some minutes, and prints the order: copy it to
``deals.CHOSEN_BLOCKS`` after a change of rules or house agents.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import product
from textwrap import fill
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from grader.core.deals import BLOCK_DEALS, PRACTICE_KEY, PRACTICE_SECRET
from grader.house.measured import ladder
from tests.bench.house import Trial, play

AGENTS: Final = (
    *("iggi", "piers", "outer"),
    *("information", "convention_1", "recommendation", "convention_2", "convention"),
)
"""The cheapest first; ``random_legal`` scores 0 on all deals."""
PLAYERS: Final = (2, 3, 4, 5)
SIZES: Final = (100, 200, 500)
"""The numbers of first deals whose means are near the measured ones."""
BOUND: Final = 0.5
"""The maximum distance of these means from the measured ones, in standard errors.

A secret that is drawn hardly ever keeps to it: with two players, six of the agents do so with 4
secrets of a million. In the order that was chosen the largest distances are 0.39 on 100
deals, 0.34 on 200 and 0.23 on 500.
"""
_BLOCKS: Final = 240
"""Blocks to choose from; a secret can name 256."""
_GOAL: Final = 0.9 * BOUND

Floats = NDArray[np.float64]


def deviations(secret: bytes, agent: str, players: int, sizes: Sequence[int] = SIZES) -> Floats:
    """Return how far the means of the first deals are off, in standard errors."""
    scores = _standard_scores(secret, max(sizes), agent, players)
    return np.array([scores[:n].sum() / np.sqrt(n) for n in sizes])


def _standard_scores(secret: bytes, deals: int, agent: str, players: int) -> Floats:
    """Play the first deals; return how far each score is off, in standard deviations."""
    rungs = {(rung.agent, rung.players): rung.games for rung in ladder("hanabi").of("standard")}
    known = rungs[agent, players]
    if known.mean is None or not known.sd:
        raise ValueError(f"{agent} scores the same on all deals")
    trial = Trial(
        agent=agent, variant="standard", players=players, deals=range(deals), secret=secret
    )
    return np.array([(score - known.mean) / known.sd for score in play(trial).scores])


def block_order(blocks: Floats) -> bytes:
    """Return the blocks of the first deals, in order.

    ``blocks`` has a row for each block, with the sums of the standard scores of its deals. From
    random orders, the exchange of two blocks that helps most is made until none helps.
    """
    rng = np.random.default_rng(0)
    while True:
        order = rng.permutation(len(blocks))
        while sum(_exchanged(blocks, order, place) for place in range(SIZES[-1] // BLOCK_DEALS)):
            pass
        if np.abs(_means(blocks, order)).max() <= _GOAL:
            return bytes(order[: SIZES[-1] // BLOCK_DEALS].tolist())


_ENDS: Final = np.array(SIZES) // BLOCK_DEALS
"""The blocks that each number of first deals has."""
_ROOTS: Final = np.sqrt(SIZES)[:, None]


def _means(blocks: Floats, order: NDArray[np.int64]) -> Floats:
    """The deviations, a row for each of the sizes."""
    return np.array([blocks[order[:end]].sum(axis=0) for end in _ENDS]) / _ROOTS


def _exchanged(blocks: Floats, order: NDArray[np.int64], place: int) -> bool:
    """Exchange the block at a place with the one that helps most; return whether one helps.

    The cost of an order is the sum of the eighth powers of its deviations: the largest decide.
    """
    changed = (place < _ENDS) & (np.arange(len(order))[:, None] >= _ENDS)  # by place and size
    gained = (blocks[order] - blocks[order[place]])[:, None, :] / _ROOTS
    costs = ((_means(blocks, order) + changed[:, :, None] * gained) ** 8).sum(axis=(1, 2))
    best = int(costs.argmin())
    if costs[best] >= costs[place]:
        return False
    order[[place, best]] = order[[best, place]]
    return True


def main(arguments: Sequence[str] | None = None) -> None:
    chosen = _parser().parse_args(arguments)
    if chosen.order:
        sys.stdout.write(f"{fill(block_order(_played_blocks()).hex(), 84)}\n")
        return
    Console(width=120).print(_table(chosen.games, chosen.agents or AGENTS))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.practice", description=__doc__)
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="default: all of them")
    parser.add_argument(
        "--games", type=int, nargs="+", default=SIZES, metavar="N", help="(100 200 500)"
    )
    parser.add_argument("--order", action="store_true", help="choose an order of the blocks")
    return parser


def _played_blocks() -> Floats:
    act = partial(_standard_scores, PRACTICE_KEY, _BLOCKS * BLOCK_DEALS)
    with ProcessPoolExecutor() as pool:
        columns = list(pool.map(act, *zip(*product(AGENTS, PLAYERS), strict=True)))
    return np.array(
        [np.reshape(column, (_BLOCKS, BLOCK_DEALS)).sum(axis=1) for column in columns]
    ).T


def _table(games: Sequence[int], agents: Sequence[str]) -> Table:
    table = Table(title="Standard errors off the measured means", title_justify="left")
    table.add_column("agent")
    table.add_column("players", justify="right")
    for n in games:
        table.add_column(f"{n} deals", justify="right")
    for players, agent in product(PLAYERS, agents):
        found = deviations(PRACTICE_SECRET, agent, players, games)
        table.add_row(agent, str(players), *(f"{deviation:+.2f}" for deviation in found))
    return table


if __name__ == "__main__":
    main()
