"""Measures tournaments of synthetic agents: balance and cost of plans, accuracy of standings.

Every figure is a function of fixed seeds, but for the seconds.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Final

import numpy as np

from grader.core.deals import shuffled
from grader.core.games import Game, game_from_options
from grader.core.records import AgentRef
from grader.interfaces import DEFAULT_INTERFACE
from grader.results.figures import FEWEST, anytime_interval
from grader.results.ratings.additive import Floats
from grader.results.statistics import t_quantile
from grader.tournament import (
    Figure,
    Ledger,
    Plan,
    PlannedGame,
    PlannedTable,
    PlanParticipant,
    Standings,
    TableKind,
    TournamentSpec,
    balance_of,
    plan_tournament,
    standings,
)
from tests.bench.harness import Measurement
from tests.bench.synthetic import World, make_world

_REF: Final = AgentRef(interface=DEFAULT_INTERFACE, sha256="0" * 64)
_PLANS: Final = (
    (24, 4, 50, 1),
    (60, 5, 25, 10),
    (200, 5, 25, 20),
    (203, 5, 25, 20),
    (500, 5, 25, 20),
    (500, 5, 250, 1),
)
_SKILLS: Final = (
    (40, 100, 1, 0),
    (40, 20, 5, 0),
    (200, 20, 1, 0),
    (200, 100, 1, 0),
    (200, 20, 5, 0),
    (200, 50, 5, 0),
    (200, 12, 20, 0),
    (200, 25, 20, 0),
    (200, 25, 20, 30),
)
"""Agents, rounds, games at a table, strikers; five seats."""
_SIZE: Final = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """The quality of a column of standings: beside the truth."""

    spearman: float
    kendall: float
    error: float
    """Root of the mean square."""
    covered: float
    """Share of intervals that contain the truth."""


def measurements(asked: argparse.Namespace) -> Iterator[Measurement]:
    """Yield plans, then standings of ``--rounds`` worlds, then intervals that are looked at."""
    for plan in _PLANS:
        players, size, rounds, games = plan
        name = f"{players} players, {size} seats, {rounds} × {games}"
        yield Measurement(name, partial(_planned, *plan))
    for agents, rounds, games, strikers in _SKILLS:
        for groups in ("random", "balanced"):
            name = f"{agents} agents, {rounds} × {games}, {groups}"
            name += f", {strikers} strike out" if strikers else ""
            take = partial(_ranked, agents, rounds, games, strikers, groups, asked.rounds)
            yield Measurement(name, take)
    for name in ("ordinary", "anytime"):
        yield Measurement(f"{name} interval", partial(_stopped, name, 1000 * asked.rounds))


def _planned(players: int, size: int, rounds: int, games: int) -> dict[str, float]:
    began = time.perf_counter()
    plan = _plan(players, rounds, games, size=size, seed=1)
    seconds = time.perf_counter() - began
    balance = balance_of(plan)
    return {
        "s": seconds,
        "games each, least": min(balance.games),
        "most": max(balance.games),
        "seats differ by": balance.seat_spread,
        "tables of a pair, least": balance.meetings[0],
        "most of a pair": balance.meetings[1],
        "their sd": balance.meetings_sd,
        "lowest possible": balance.least_sd,
        "random": sqrt(balance.mean_meetings * (1 - (size - 1) / (players - 1))),
    }


def _ranked(
    agents: int, rounds: int, games: int, strikers: int, groups: str, worlds: int
) -> dict[str, float]:
    """Return how good plain and adjusted means are beside the truth, on average."""
    runs = [
        play(agents, rounds, games, seed=seed, strikers=strikers, groups=groups)
        for seed in range(worlds)
    ]
    figures = {}
    for at, kind in enumerate(("mean", "adjusted")):
        for figure in ("spearman", "kendall", "error", "covered"):
            values = [getattr(run[at], figure) for run in runs]
            figures[f"{kind}: {figure}"] = float(np.mean(values))
    return figures


def _stopped(name: str, repetitions: int) -> dict[str, float]:
    ever, stopped, games = looked_at(repetitions)[name]
    return {"ever wrong": ever, "wrong where it stopped": stopped, "games when it stopped": games}


def looked_at(repetitions: int) -> dict[str, tuple[float, float, float]]:
    """Return shares of agents, and games, for ordinary and for anytime-valid intervals.

    Scores like those of a Hanabi agent that strikes out in 3 of 100 games; stopped at ± 0.35.
    """
    most, half_width = 1000, 0.35
    luck = np.random.default_rng(7)
    numbers = np.arange(FEWEST, most + 1)
    reaches = {
        "ordinary": np.array([t_quantile(int(n) - 1) / sqrt(n) for n in numbers]),
        "anytime": np.array(
            [anytime_interval(int(n), 0.0, 1.0, expected=most).half_width for n in numbers]
        ),
    }
    by_name: dict[str, list[tuple[bool, bool, int]]] = {name: [] for name in reaches}
    for _ in range(repetitions):
        scores = np.round(luck.normal(16.0, 2.0, most)) * (luck.random(most) > 0.03)
        sums, squares = scores.cumsum()[FEWEST - 1 :], (scores**2).cumsum()[FEWEST - 1 :]
        sds = np.sqrt((squares - sums**2 / numbers) / (numbers - 1))
        wrong_by = np.abs(sums / numbers - 16.0 * 0.97)
        for name, reach in reaches.items():
            wrong = wrong_by > reach * sds
            narrow = reach * sds <= half_width
            stop = int(narrow.argmax()) if narrow.any() else len(numbers) - 1
            by_name[name].append((bool(wrong.any()), bool(wrong[stop]), int(numbers[stop])))
    return {
        name: (
            float(np.mean([outcome[0] for outcome in outcomes])),
            float(np.mean([outcome[1] for outcome in outcomes])),
            float(np.mean([outcome[2] for outcome in outcomes])),
        )
        for name, outcomes in by_name.items()
    }


def play(
    agents: int,
    rounds: int,
    games: int,
    *,
    seed: int,
    strikers: int = 0,
    groups: str = "balanced",
    pair: float = 0.5,
    shared_score: bool = True,
) -> tuple[Outcome, Outcome]:
    """One tournament of synthetic agents: what means and adjusted means are worth."""
    size = _SIZE if shared_score else 4
    plan = (_plan if groups == "balanced" else _random)(agents, rounds, games, size=size, seed=seed)
    world = make_world(
        agents,
        seed=seed,
        games=plan.games,
        deals=rounds * games,
        strikers=strikers,
        pair=pair,
        shared_score=shared_score,
    )
    spec = _spec(rounds, games, size)
    rules: dict[int, Game] = {
        size: game_from_options("hanabi" if shared_score else "hearts", {"players": size})
    }
    result = standings(
        _played(plan, spec, world),
        [PlanParticipant(name=str(agent), agent=_REF) for agent in range(agents)],
        rules,
    )
    truth = world.truth(size)
    return _outcome(result, truth, adjusted=False), _outcome(result, truth, adjusted=True)


def _outcome(result: Standings, truth: Floats, *, adjusted: bool) -> Outcome:
    figures: dict[int, Figure] = {}
    for row in result.rows:
        figure = row.adjusted if adjusted else row.mean
        assert figure is not None
        figures[row.participant] = figure
    values = np.array([figures[agent].value for agent in range(len(truth))])
    reach = np.array([figures[agent].half_width or np.inf for agent in range(len(truth))])
    return Outcome(
        spearman=rank_correlation(values, truth),
        kendall=_kendall(values, truth),
        error=float(np.sqrt(((values - truth) ** 2).mean())),
        covered=float((np.abs(values - truth) <= reach).mean()),
    )


def rank_correlation(a: Floats, b: Floats) -> float:
    """Spearman's, for values without ties."""
    first, second = (values.argsort().argsort() for values in (a, b))
    return float(np.corrcoef(first, second)[0, 1])


def _kendall(a: Floats, b: Floats) -> float:
    above = np.triu_indices(len(a), 1)
    signs = [np.sign(values[:, None] - values[None, :])[above] for values in (a, b)]
    return float((signs[0] * signs[1]).mean())


def _played(plan: Plan, spec: TournamentSpec, world: World) -> Ledger:
    ledger = Ledger(plan, spec.policy, secret=_secret(world.seed))
    while not ledger.finished:
        ledger.add(*map(world.play, ledger.wanted))
    return ledger


def _secret(seed: int) -> bytes:
    return seed.to_bytes(32, "big")


def _spec(rounds: int, games: int, size: int) -> TournamentSpec:
    return TournamentSpec(
        game="hanabi", options={}, sizes=(size,), rounds=rounds, games_per_table=games
    )


def _plan(players: int, rounds: int, games: int, *, size: int, seed: int) -> Plan:
    spec = _spec(rounds, games, size)
    return plan_tournament(spec, players=players, fillers=0, secret=_secret(seed))


def _random(players: int, rounds: int, games: int, *, size: int, seed: int) -> Plan:
    """Draw every table independently, as courses do, without balancing."""
    tables: list[list[PlannedTable]] = []
    for number in range(rounds):
        row = []
        for at in range(players // size):
            table = number * (players // size) + at
            members = tuple(shuffled(range(players), _secret(seed * 1_000_003 + table))[:size])
            row.append(
                PlannedTable(
                    round=number,
                    number=table,
                    kind=TableKind.CROSS,
                    games=tuple(
                        PlannedGame(
                            index=table * games + game,
                            deal=number * games + game,
                            seating=members,
                        )
                        for game in range(games)
                    ),
                )
            )
        tables.append(row)
    return Plan(players=players, fillers=0, rounds=tuple(map(tuple, tables)))
