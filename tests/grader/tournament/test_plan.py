"""Plans: balanced whatever the numbers, the same for the same secret, other deals for no table."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.errors import PlanError, RulesError
from grader.tournament import (
    ParticipantRole,
    Plan,
    PlanParticipant,
    TableKind,
    TournamentSpec,
    balance_of,
    plan_tournament,
    players_and_fillers,
    rounds_for_games,
    rounds_for_precision,
    rules_of,
)
from tests.grader.tournament.made import REF, SECRET, spec
from tests.support.every import every

SIZES = st.lists(st.integers(2, 5), min_size=1, max_size=2, unique=True).map(tuple)


@st.composite
def plans(draw: st.DrawFn, *, duplicates: bool = False) -> tuple[TournamentSpec, Plan]:
    made = spec(
        sizes=draw(SIZES),
        rounds=draw(st.integers(1, 12)),
        games_per_table=draw(st.integers(1, 6)),
        self_play_games=draw(st.integers(0, 2)),
        duplicates=duplicates,
    )
    players, fillers = draw(st.integers(1 if duplicates else 5, 24)), draw(st.integers(0, 3))
    secret = draw(st.binary(min_size=16, max_size=16))
    return made, plan_tournament(made, players=players, fillers=fillers, secret=secret)


def appearances(plan: Plan) -> Counter[int]:
    return Counter(
        member
        for table in plan.tables
        if table.kind is TableKind.CROSS
        for game in table.games
        for member in game.seating
    )


@given(plans())
def test_everybody_plays_equally_often_give_or_take_one_table_a_size(
    made: tuple[TournamentSpec, Plan],
) -> None:
    settings, plan = made
    played = [appearances(plan)[player] for player in range(plan.players)]
    assert max(played) - min(played) <= settings.games_per_table * (plan.fillers == 0)


@given(plans())
def test_everybody_sits_in_every_seat_equally_often_give_or_take_one(
    made: tuple[TournamentSpec, Plan],
) -> None:
    assert balance_of(made[1]).seat_spread <= 1


@pytest.mark.slow
@given(plans(duplicates=True))
def test_with_duplicates_everybody_plays_exactly_equally_often(
    made: tuple[TournamentSpec, Plan],
) -> None:
    _, plan = made
    assert len({appearances(plan)[player] for player in range(plan.players)}) == 1
    assert all(player < plan.players for player in appearances(plan))
    assert balance_of(plan).seat_spread <= 1


@given(plans())
def test_no_agent_sits_at_two_tables_of_a_round_or_twice_at_one(
    made: tuple[TournamentSpec, Plan],
) -> None:
    _, plan = made
    assert plan.rounds
    for tables in plan.rounds:
        if tables and tables[0].kind is TableKind.CROSS:
            members = Counter(member for table in tables for member in table.members)
            assert all(members[player] <= 1 for player in range(plan.players))


@given(plans())
def test_games_are_numbered_and_tables_of_a_round_share_their_deals(
    made: tuple[TournamentSpec, Plan],
) -> None:
    _, plan = made
    games = [game for table in plan.tables for game in table.games]
    assert [game.index for game in games] == list(range(plan.games))
    assert [table.number for table in plan.tables] == list(range(sum(map(len, plan.rounds))))
    seen: set[int] = set()
    for tables in plan.rounds:
        deals = {tuple(game.deal for game in table.games) for table in tables}
        assert len(deals) == 1
        assert not seen & set(*deals)
        seen |= set(*deals)


@given(plans())
def test_members_of_a_table_are_the_same_in_all_its_games(
    made: tuple[TournamentSpec, Plan],
) -> None:
    assert made[1].tables
    for table in made[1].tables:
        assert {tuple(sorted(game.seating)) for game in table.games} == {table.members}


def test_the_plan_is_a_function_of_secret_settings_and_numbers() -> None:
    settings = spec(rounds=4, games_per_table=3)
    plan = plan_tournament(settings, players=17, fillers=2, secret=SECRET)
    assert plan == plan_tournament(settings, players=17, fillers=2, secret=SECRET)
    assert plan != plan_tournament(settings, players=17, fillers=2, secret=SECRET[::-1])


def test_a_known_plan_does_not_change() -> None:
    """A change would break the verification of every tournament that was played."""
    settings = spec(sizes=(4, 5), rounds=12, games_per_table=3, self_play_games=1)
    plan = plan_tournament(settings, players=43, fillers=0, secret=SECRET)
    seatings = [game.seating for table in plan.tables for game in table.games]
    assert seatings[86] == (4, 3, 23, 0)
    assert hashlib.sha256(repr(seatings).encode()).hexdigest() == (
        "2383e9cf45ce97ce19b6534636567afc6cec79c3a18180b35657eb970a2f119e"
    )


def test_pauses_are_shared_equally_or_spared_by_fillers_who_sit_apart() -> None:
    plan = plan_tournament(spec(sizes=(5,), rounds=7), players=7, fillers=0, secret=SECRET)
    assert balance_of(plan).games == (5, 5)
    plan = plan_tournament(spec(sizes=(5,), rounds=9), players=17, fillers=2, secret=SECRET)
    assert balance_of(plan).games == (9, 9)
    for table in plan.tables:
        assert sum(member >= 17 for member in table.members) <= 1


def test_pairs_meet_as_evenly_as_possible() -> None:
    plan = plan_tournament(spec(sizes=(5,), rounds=25), players=60, fillers=0, secret=SECRET)
    balance = balance_of(plan)
    assert balance.mean_meetings == pytest.approx(25 * 4 / 59)
    assert balance.meetings[1] - balance.meetings[0] <= 3
    assert balance.meetings_sd < 0.55
    assert balance.least_sd <= balance.meetings_sd


def test_rotated_deals_are_played_from_every_seat() -> None:
    settings = spec(sizes=(4,), rounds=3, games_per_table=8, rotated=True)
    plan = plan_tournament(settings, players=12, fillers=0, secret=SECRET)
    assert plan.tables
    for table in plan.tables:
        places = {(game.deal, seat, member) for game in table.games
                  for seat, member in enumerate(game.seating)}  # fmt: skip
        assert len(places) == 2 * 4 * 4


def test_self_play_comes_first_with_everybody_in_all_seats() -> None:
    plan = plan_tournament(spec(self_play_games=2), players=6, fillers=0, secret=SECRET)
    tables = plan.rounds[0]
    assert [set(table.members) for table in tables] == [{player} for player in range(6)]
    assert all(len(table.games) == 2 for table in tables)


def test_too_few_players_short_secrets_and_impossible_sizes_are_refused() -> None:
    with pytest.raises(PlanError, match="3 players do not fill a table of 5: name fillers"):
        plan_tournament(spec(), players=3, fillers=0, secret=SECRET)
    with pytest.raises(PlanError, match="0 players"):
        plan_tournament(spec(), players=0, fillers=9, secret=SECRET)
    with pytest.raises(ValueError, match="at least 16 bytes"):
        plan_tournament(spec(), players=5, fillers=0, secret=b"short")
    with pytest.raises(RulesError):
        rules_of(spec(sizes=(5, 6)))


@every(
    ("fields", "complaint"),
    [
        ({"sizes": ()}, "sizes of tables"),
        ({"sizes": (5, 5)}, "sizes of tables"),
        ({"sizes": (0,)}, "sizes of tables"),
        ({"rounds": 0}, "rounds is 0"),
        ({"games_per_table": 0}, "games_per_table is 0"),
        ({"self_play_games": -1}, "self-play"),
        ({"sizes": (4,), "rotated": True, "games_per_table": 7}, r"multiple of the seats \(4\)"),
    ],
)
def test_settings_that_contradict_one_another_are_refused(
    fields: dict[str, object], complaint: str
) -> None:
    with pytest.raises(PlanError, match=complaint):
        spec(**fields)


def test_rounds_follow_from_a_number_of_games_or_from_a_precision() -> None:
    settings = spec(games_per_table=20)
    assert rounds_for_games(settings, players=200, fillers=0, games=20_000) == 25
    assert rounds_for_games(settings, players=200, fillers=0, games=20_001) == 26
    needed = rounds_for_precision(spec(), players=50, fillers=0, half_width=0.5, table_sd=2.0)
    assert needed == 62  # (1.96 · 2 / 0.5)² = 61.5


@pytest.mark.parametrize(
    "fields",
    [{"rounds": 10**30}, {"games_per_table": 10**12}, {"self_play_games": 10**12}],
)
def test_more_games_than_can_be_planned_are_refused_at_once(fields: dict[str, int]) -> None:
    with pytest.raises(PlanError, match="at most 1,000,000 games"):
        plan_tournament(spec(**fields), players=10, fillers=0, secret=SECRET)


def test_fillers_come_last() -> None:
    def made(*roles: ParticipantRole) -> list[PlanParticipant]:
        return [PlanParticipant(name="", agent=REF, role=role) for role in roles]

    order = made(ParticipantRole.ENTRANT, ParticipantRole.REFERENCE, ParticipantRole.FILLER)
    assert players_and_fillers(order) == (2, 1)
    with pytest.raises(PlanError, match="fillers must come after"):
        players_and_fillers(order[::-1])
