"""A ladder of agents of known strength: what ratings are worth, when it stops, what it costs."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest

from grader.core.games import game_from_options
from grader.core.records import Fault, FaultKind
from grader.ladder import (
    Contender,
    Goal,
    LadderTable,
    RatedGame,
    ladder_standings,
    next_table,
    table_batch,
)
from grader.ladder.tables import MAX_GAMES
from grader.tournament import ParticipantRole, PlanParticipant, PlayedTable, Standing, WantedGame
from tests.bench.synthetic import World, make_world
from tests.bench.tournaments import rank_correlation
from tests.grader.tournament.made import REF, SECRET, clean, spoiled

Play = Callable[[WantedGame], PlayedTable]
EVERY = 10
"""Tables between two looks at the standings."""


@dataclass
class Simulation:
    """A ladder as the site runs it, with numbers for games."""

    play: Play
    seats: int = 2
    game: str = "hanabi"
    goal: Goal = field(default_factory=lambda: Goal(half_width=0.5, max_games=2000))
    house: frozenset[int] = frozenset()
    tables: list[LadderTable] = field(default_factory=list)
    games: list[RatedGame] = field(default_factory=list)
    ever: set[int] = field(default_factory=set)

    def standings(self, active: list[int]) -> dict[int, Standing]:
        self.ever |= set(active)
        found = ladder_standings(
            self.games,
            {
                number: PlanParticipant(
                    name=str(number),
                    agent=REF,
                    role=ParticipantRole.REFERENCE
                    if number in self.house
                    else ParticipantRole.ENTRANT,
                )
                for number in self.ever
            },
            active=active,
            rules=game_from_options(self.game, {"players": self.seats}),
        )
        return {row.participant: row for row in found.rows}

    def run(self, active: list[int], *, tables: int = 10_000) -> dict[int, Standing]:
        """Play until no agent needs games, at most ``tables`` tables; return the standings."""
        rows = self.standings(active)
        for at in range(tables):
            if at % EVERY == 0:
                rows = self.standings(active)
            table = next_table(
                [self._contender(number, rows) for number in active],
                self.tables,
                seats=self.seats,
                goal=self.goal,
                secret=SECRET,
            )
            if table is None:
                break
            self.tables.append(table)
            self.games += [
                RatedGame(table=table.number, round=table.round, played=self.play(game))
                for game in table_batch(table, MAX_GAMES // self.seats * self.seats).games
            ]
        return self.standings(active)

    def _contender(self, number: int, rows: dict[int, Standing]) -> Contender:
        games = MAX_GAMES * sum(number in table.members for table in self.tables)
        adjusted = rows[number].adjusted if number in rows else None
        width = None if adjusted is None else adjusted.half_width
        return Contender(number=number, games=games, half_width=width)


def ratings(rows: dict[int, Standing], numbers: list[int]) -> np.ndarray:
    return np.array([figure.value for each in numbers if (figure := rows[each].adjusted)])


def world_of(agents: int, *, shared_score: bool = True, seed: int = 5) -> World:
    return make_world(
        agents, seed=seed, games=40_000, deals=40_000, pair=0.3, shared_score=shared_score
    )


@pytest.mark.parametrize(("seats", "game"), [(2, "hanabi"), (4, "hearts")])
def test_the_order_comes_out_within_some_games_and_the_ladder_stops(seats: int, game: str) -> None:
    world, active = world_of(12, shared_score=game == "hanabi"), list(range(12))
    ladder = Simulation(play=world.play, seats=seats, game=game)
    rows = ladder.run(active)
    truth = world.truth(seats)
    assert rank_correlation(ratings(rows, active), truth) > 0.9
    assert np.abs(ratings(rows, active) - truth).mean() < 0.5
    widths = [figure.half_width or 9 for row in rows.values() if (figure := row.adjusted)]
    assert max(widths) <= 0.5
    assert len(ladder.games) < 12 * 400, "so many games does each agent cost at most"


def test_a_new_version_is_rated_by_games_of_its_own_and_the_others_rest() -> None:
    world, active = world_of(12), list(range(11))
    ladder = Simulation(play=world.play)
    ladder.run(active)
    before = len(ladder.tables)
    rows = ladder.run([*active, 11])
    added = ladder.tables[before:]
    assert sum(11 in table.members for table in added) > 0.7 * len(added)
    assert len(added) < before / 2
    assert rows[11].adjusted is not None
    assert abs(rows[11].adjusted.value - world.truth(2)[11]) < 1


def test_agents_that_left_and_house_agents_have_no_rank_and_their_games_count() -> None:
    ladder = Simulation(play=lambda game: clean(game, sum(game.seating)))
    ladder.run(list(range(6)), tables=60)
    rows = ladder.standings([0, 1, 2, 3, 4])
    assert rows[5].adjusted_rank is None
    assert [rows[number].adjusted_rank for number in range(5)] == [5, 4, 3, 2, 1]
    assert rows[0].games == ladder.standings(list(range(6)))[0].games
    ladder = Simulation(play=lambda game: clean(game, sum(game.seating)), house=frozenset({5}))
    rows = ladder.run(list(range(6)), tables=60)
    assert rows[5].adjusted is not None
    assert rows[5].adjusted_rank is None
    assert rows[4].adjusted_rank == 1


def test_a_spoiled_game_counts_as_faulted_for_its_culprit_alone() -> None:
    def failing(game: WantedGame) -> PlayedTable:
        return spoiled(game, 3) if 3 in game.seating else clean(game, 10)

    rows = Simulation(play=failing).run(list(range(6)), tables=30)
    assert rows[3].mean is not None
    assert (rows[3].mean.value, rows[3].faults) == (0, rows[3].games)
    assert {row.mean.value for each, row in rows.items() if each != 3 and row.mean} == {10}
    fault = Fault(seat=1, kind=FaultKind.CRASH, turn=0, detail="")
    game = PlayedTable(index=0, seating=(0, 4), scores=(0, 0), fault=fault)
    ladder = Simulation(play=lambda _: game)
    ladder.games.append(RatedGame(table=0, round=0, played=game))
    rows = ladder.standings([0, 4])
    assert (rows[4].games, rows[4].faults, rows[0].games) == (1, 1, 0)


def test_before_any_game_everybody_has_a_row_without_figures() -> None:
    rows = Simulation(play=lambda game: clean(game, 1)).standings([0, 4, 9])
    assert sorted(rows) == [0, 4, 9]
    assert all(row.adjusted is None for row in rows.values())
