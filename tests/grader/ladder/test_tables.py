"""The next table of a ladder: by need, balanced, on common deals; and it ends."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.ladder import (
    Contender,
    Goal,
    LadderTable,
    games_at_table,
    next_table,
    table_batch,
)
from grader.ladder.tables import MAX_GAMES
from tests.support.every import every

SECRET = bytes(range(32))
NEVER = Goal(half_width=0.0, max_games=10**6)

Widths = Callable[[int, int], float | None]
"""From a number and its games so far: the ± of its interval."""


def shrinking(_number: int, games: int) -> float | None:
    return 10 / games**0.5 if games > 12 else None


def unknown(_number: int, _games: int) -> None:
    return None


def play(
    numbers: list[int],
    tables: list[LadderTable],
    *,
    count: int,
    seats: int = 2,
    widths: Widths = shrinking,
    goal: Goal = NEVER,
) -> list[LadderTable]:
    for _ in range(count):
        games = Counter(member for table in tables for member in table.members)
        contenders = [
            Contender(
                number=each, games=12 * games[each], half_width=widths(each, 12 * games[each])
            )
            for each in numbers
        ]
        table = next_table(contenders, tables, seats=seats, goal=goal, secret=SECRET)
        if table is None:
            break
        tables = [*tables, table]
    return tables


def games_of(tables: list[LadderTable]) -> Counter[int]:
    return Counter(member for table in tables for member in table.members)


@given(crowd=st.integers(2, 12), seats=st.integers(2, 5), count=st.integers(1, 60), data=st.data())
def test_a_table_has_different_members_that_are_on_the_ladder(
    crowd: int, seats: int, count: int, data: st.DataObject
) -> None:
    numbers = data.draw(st.lists(st.integers(0, 99), min_size=crowd, max_size=crowd, unique=True))
    tables = play(numbers, [], count=count, seats=seats)
    assert len(tables) == (count if crowd >= seats else 0)
    for table in tables:
        assert len(set(table.members)) == seats
        assert set(table.members) <= set(numbers)
    assert [table.number for table in tables] == list(range(len(tables)))


@given(crowd=st.integers(4, 12), seats=st.integers(2, 4), count=st.integers(1, 80))
def test_no_agent_sits_twice_in_a_round_and_no_round_repeats(
    crowd: int, seats: int, count: int
) -> None:
    tables = play(list(range(crowd)), [], count=count, seats=seats)
    for number in {table.round for table in tables}:
        seated = [member for table in tables if table.round == number for member in table.members]
        assert len(seated) == len(set(seated))
    assert all(later.round - table.round in {0, 1} for table, later in pairwise(tables))


@pytest.mark.slow
@given(crowd=st.integers(4, 12), seats=st.integers(2, 4))
def test_everybody_keeps_playing_equally_often(crowd: int, seats: int) -> None:
    games = games_of(play(list(range(crowd)), [], count=10 * crowd, seats=seats))
    assert max(games.values()) - min(games[number] for number in range(crowd)) <= 2


@pytest.mark.slow
@given(crowd=st.integers(4, 10), seats=st.integers(2, 4))
def test_pairs_meet_equally_often(crowd: int, seats: int) -> None:
    tables = play(list(range(crowd)), [], count=12 * crowd, seats=seats)
    met = Counter(pair for table in tables for pair in combinations(sorted(table.members), 2))
    pairs = [met[pair] for pair in combinations(range(crowd), 2)]
    assert max(pairs) - min(pairs) <= 3


def test_the_tables_of_a_round_play_the_same_deals_and_other_rounds_others() -> None:
    tables = play(list(range(6)), [], count=30)
    deals = {
        number: [
            tuple(game.deal for game in table_batch(table, 4).games)
            for table in tables
            if table.round == number
        ]
        for number in {table.round for table in tables}
    }
    assert all(len(each) == 3 and len(set(each)) == 1 for each in deals.values())
    assert len({deal for each in deals.values() for deal in each[0]}) == 4 * len(deals)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_sits_in_every_seat_equally_often_at_a_table(seats: int) -> None:
    table = LadderTable(number=7, round=3, members=tuple(range(10, 10 + seats)))
    games = table_batch(table, games_at_table(seats, [1.0])).games
    assert len(games) % seats == 0
    assert len({game.deal for game in games}) == len({game.index for game in games}) == len(games)
    for member in table.members:
        taken = Counter(game.seating.index(member) for game in games)
        assert set(taken.values()) == {len(games) // seats}


@given(versions=st.integers(2, 4), seats=st.integers(2, 3), count=st.integers(1, 20))
def test_versions_of_a_team_never_share_a_table(versions: int, seats: int, count: int) -> None:
    teams = {number: f"team {number // versions}" for number in range(3 * versions)}
    tables: list[LadderTable] = []
    for _ in range(count):
        contenders = [
            Contender(number=number, games=0, half_width=None, team=team)
            for number, team in teams.items()
        ]
        table = next_table(contenders, tables, seats=seats, goal=NEVER, secret=SECRET)
        assert table is not None
        assert len({teams[member] for member in table.members}) == seats
        tables.append(table)
    alone = [Contender(number=each, games=0, half_width=None, team="one") for each in range(4)]
    assert next_table(alone, tables, seats=2, goal=NEVER, secret=SECRET) is None


def test_games_of_different_tables_have_different_numbers() -> None:
    tables = play(list(range(6)), [], count=20)
    indices = [game.index for table in tables for game in table_batch(table, MAX_GAMES).games]
    assert len(indices) == len(set(indices))


def test_a_new_version_enters_with_the_next_table() -> None:
    before = play(list(range(8)), [], count=60)
    after = play([*range(8), 20], before, count=1)
    assert 20 in after[-1].members
    games = games_of(play([*range(8), 20], before, count=30)[60:])
    assert games[20] == max(games.values())


def test_the_widest_interval_is_served_first() -> None:
    before = play(list(range(8)), [], count=40)

    def widths(number: int, _games: int) -> float:
        return 3.0 if number == 5 else 1.0 if number == 2 else 0.1

    goal = Goal(half_width=0.5, max_games=10**6)
    for table in play(list(range(8)), before, count=10, widths=widths, goal=goal)[40:]:
        assert 5 in table.members or 2 in table.members


def test_no_table_is_made_for_agents_that_left_need_no_games_or_are_too_few() -> None:
    before = play(list(range(6)), [], count=30)
    for table in play([0, 1, 2, 4, 5], before, count=30)[30:]:
        assert 3 not in table.members
    goal = Goal(half_width=1.0, max_games=10**6)
    tables = play(list(range(6)), [], count=10_000, goal=goal)
    assert min(games_of(tables).values()) * 12 >= 100
    assert len(tables) < 6 * 10
    assert len(play([*range(6), 9], tables, count=1, goal=goal)) == len(tables) + 1
    goal = Goal(half_width=0.01, max_games=240)
    games = games_of(play(list(range(6)), [], count=10_000, goal=goal, widths=unknown))
    assert all(20 <= each <= 22 for each in games.values())
    assert play([0, 1, 2], [], count=3, seats=4) == []


def test_the_same_secret_chooses_the_same_tables_and_another_others() -> None:
    contenders = [Contender(number=each, games=0, half_width=None) for each in range(40)]
    chosen = [
        next_table(contenders, [], seats=5, goal=NEVER, secret=secret)
        for secret in (SECRET, SECRET, bytes(32))
    ]
    assert chosen[0] == chosen[1] != chosen[2]


@every(
    ("paces", "games"),
    [
        ([10.0, 30.0], 12),
        ([10.0, None], 2),
        ([900.0, 30.0], 10),
        ([60_000.0, 30.0], 2),
        ([None, None], 2),
    ],
)
def test_slow_and_unknown_agents_play_fewer_games_at_a_table(
    paces: list[float | None], games: int
) -> None:
    assert games_at_table(2, paces) == games
