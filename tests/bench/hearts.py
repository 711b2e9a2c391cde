"""``python -m tests.bench.hearts``: measure the house agents for Hearts, each with each other one.

Every deal is played from every seat. Intervals treat all games of a deal as one observation. The
figures follow from the deals alone, so they are the same for everybody who plays as many games.
"""

import argparse
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from grader import house
from grader.core.deals import REFERENCE_SECRET, deal_seed
from grader.core.games import Game, game_from_options
from grader.core.records import to_json
from grader.house.catalogue import AGENTS
from grader.play.players import LocalPlayer, play_game
from grader.results.figures import outcome, win_units
from grader.results.statistics import estimate

PLAYERS: Final = (2, 4)
_HAND_CARDS: Final = 52
_SLOW: Final = 3
"""The weight of a slow agent's seat, for each seat at its table: it divides the number of games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One agent at tables with copies of another agent."""

    agent: str
    others: str
    games: int
    points: float
    """A hand, on average."""
    points_half_width: float
    """Half of its 95% interval."""
    won: float
    """Share of games; of a game that several win each has its part."""
    won_half_width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """All pairs, with one number of players."""

    players: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The games that were played, and their results."""

    variant: str
    rules_version: int
    secret: str
    """The secret of the deals, in hexadecimal."""
    n_games: int
    """A pair, if neither of them computes a lot."""
    grids: tuple[Grid, ...]


def measure_ladder(variant: str, games: int) -> Report:
    """Measure all pairs, with each number of players."""
    grids = []
    for players in PLAYERS:
        game = game_from_options("hearts", {"variant": variant, "players": players})
        cells = []
        for agent, others in pairs():
            cells.append(measure_cell(game, agent, others, games_of(games, players, agent, others)))
        grids.append(Grid(players=players, cells=tuple(cells)))
    return Report(
        variant=variant,
        rules_version=game.rules_version,
        secret=REFERENCE_SECRET.hex(),
        n_games=games,
        grids=tuple(grids),
    )


def pairs() -> Sequence[tuple[str, str]]:
    return list(itertools.permutations(house.family("hearts").names, 2))


def _is_slow(agent: str) -> bool:
    return not AGENTS[f"hearts/{agent}"].is_quick


def games_of(most: int, players: int, agent: str, others: str) -> int:
    """Return the number of games of a pair: whole deals, at least two, fewer for slow agents."""
    slow = _is_slow(agent) + (players - 1) * _is_slow(others)
    return players * max(2, most // (1 + _SLOW * players * slow) // players)


def measure_cell(game: Game, agent: str, others: str, games: int) -> Cell:
    """Play ``games`` games, every deal from every seat."""
    deals = [list(_deal(game, agent, others, index)) for index in range(games // game.seats)]
    points = [sum(hand.points for hand in deal) for deal in deals]
    hands = [sum(hand.hands for hand in deal) for deal in deals]
    won = estimate(
        [sum(hand.won for hand in deal) for deal in deals],
        scale=game.seats * win_units(game.seats),
    )
    mean, half_width = _ratio(points, hands)
    return Cell(
        agent=agent,
        others=others,
        games=games,
        points=round(mean, 4),
        points_half_width=round(half_width, 4),
        won=round(won.mean or 0.0, 4),
        won_half_width=round(won.half_width or 0.0, 4),
    )


@dataclass(frozen=True, slots=True)
class _Played:
    """A game as it was for the agent that sat alone."""

    points: int
    hands: int
    won: int
    """In parts of a win."""


def _deal(game: Game, agent: str, others: str, index: int) -> Iterator[_Played]:
    """The games of a deal, the agent in each seat once."""
    for seat in range(game.seats):
        names = [agent if at == seat else others for at in range(game.seats)]
        seats = [LocalPlayer(house.agent(f"hearts/{name}")) for name in names]
        record = play_game(game, deal_seed(REFERENCE_SECRET, index), seats)
        if record.fault is not None:
            raise AssertionError(f"{names[record.fault.seat]} is at fault: {record.fault}")
        cards = sum(not action.startswith("p") for action in record.actions.split())
        result = outcome(game, record.scores, seat)
        yield _Played(result.score, cards // _HAND_CARDS, result.won)


def _ratio(points: Sequence[int], hands: Sequence[int]) -> tuple[float, float]:
    """Points a hand and the half width of its interval, by the deviations from that line.

    W. G. Cochran, *Sampling Techniques* (1977), 2.11: a ratio of two sums is about as sure as the
    mean of what each observation differs from it.
    """
    ratio = sum(points) / sum(hands)
    millionths = [round(1e6 * (p - ratio * h)) for p, h in zip(points, hands, strict=True)]
    return ratio, (estimate(millionths).half_width or 0.0) / 1e6 / fmean(hands)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.hearts", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="of each pair (1000)")
    parser.add_argument("--output", type=Path, required=True, metavar="FILE")
    asked = parser.parse_args()
    asked.output.write_text(to_json(measure_ladder("standard", asked.games)), encoding="utf-8")


if __name__ == "__main__":
    main()
