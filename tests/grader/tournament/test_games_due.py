"""The ledger: exactly the planned games, whatever faults there are and in whatever order."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.core.errors import PlanError, RecordError
from grader.core.records import FaultKind
from grader.tournament import (
    Consequence,
    Exclusion,
    Ledger,
    Plan,
    PlayedTable,
    Policy,
    TableKind,
    WantedGame,
    plan_tournament,
)
from tests.grader.tournament.made import SECRET, clean, spec, spoiled

Play = Callable[[WantedGame], PlayedTable]


def plan(players: int, fillers: int = 0, **fields: object) -> Plan:
    return plan_tournament(spec(**fields), players=players, fillers=fillers, secret=SECRET)


def ledger(of: Plan, *, exclusions: Iterable[Exclusion] = (), **policy: object) -> Ledger:
    return Ledger(of, Policy(**policy), secret=SECRET, exclusions=exclusions)


def faulty(
    *culprits: int, only: Iterable[int] | None = None, kind: FaultKind = FaultKind.CRASH
) -> Play:
    """Games in which these participants fail, all or only some games."""
    games = None if only is None else set(only)

    def play(game: WantedGame) -> PlayedTable:
        for culprit in culprits:
            if culprit in game.seating and (games is None or game.index in games):
                return spoiled(game, culprit, kind)
        return clean(game, game.index % 26)

    return play


def finish(course: Ledger, play: Play) -> int:
    """Play all that is wanted until nothing is; returns how many games that took."""
    games = 0
    while not course.finished:
        for game in course.wanted:
            course.add(play(game))
            games += 1
    return games


def test_without_faults_the_planned_games_are_played_and_no_others() -> None:
    of = plan(12, rounds=4, games_per_table=3, self_play_games=2)
    course = ledger(of)
    assert finish(course, faulty()) == of.games
    assert [game.planned.index for game in course.counted] == list(range(of.games))
    assert (course.wanted, course.void, course.charges) == ((), (), ())


def test_one_round_may_be_played_ahead_once_self_play_is_complete() -> None:
    of = plan(10, rounds=4)
    course = ledger(of)
    assert {game.table for game in course.wanted} == {0, 1, 2, 3}
    course.add(clean(course.wanted[0], 3))
    assert {game.table for game in course.wanted} == {1, 2, 3}
    course.add(clean(course.wanted[0], 3))
    assert {game.table for game in course.wanted} == {2, 3, 4, 5}
    course = ledger(plan(10, rounds=2, self_play_games=1))
    assert {game.table for game in course.wanted} == set(range(10))


def test_a_spoiled_game_is_played_again_on_the_same_deal_without_the_culprit() -> None:
    course = ledger(plan(11, rounds=1))
    first = course.wanted[0]
    culprit = first.seating[2]
    course.add(spoiled(first, culprit))
    again = next(game for game in course.wanted if game.index == first.index)
    assert again.deal == first.deal
    assert culprit not in again.seating
    assert [a for a, b in zip(again.seating, first.seating, strict=True) if a != b] == [
        again.seating[2]
    ]


def test_two_agents_that_fail_in_one_game_are_both_charged() -> None:
    course = ledger(plan(12, rounds=1))
    members = course.wanted[0].seating
    finish(course, faulty(members[0], members[1], only=[0]))
    assert [(charge.participant, charge.index, charge.seats) for charge in course.charges] == [
        (members[0], 0, 1),
        (members[1], 0, 1),
    ]
    assert not set(members[:2]) & set(course.counted[0].seating)


def test_fillers_fill_in_before_players_do_and_no_agent_twice_while_others_are_free() -> None:
    course = ledger(plan(10, 2, rounds=3))
    finish(course, faulty(4))
    filled = [set(game.seating) - set(game.planned.seating) for game in course.counted]
    assert any(filled)
    assert all(fillers <= {10, 11} for fillers in filled)
    course = ledger(plan(12, rounds=8))
    finish(course, faulty(3, 7))
    assert all(len(set(game.seating)) == len(game.seating) for game in course.counted)


def test_when_everybody_else_is_out_members_take_a_second_seat_or_the_game_is_void() -> None:
    course = ledger(plan(5, rounds=1))
    culprit = course.wanted[0].seating[0]
    course.add(spoiled(course.wanted[0], culprit))
    assert sorted(Counter(course.wanted[0].seating).values()) == [1, 1, 1, 2]
    course = ledger(plan(5, rounds=2))
    finish(course, faulty(0, 1, 2, 3, 4))
    assert (course.void, course.counted) == ((0, 1), ())


def test_an_agent_is_removed_after_as_many_faults_as_the_policy_allows_if_any() -> None:
    course = ledger(plan(15, rounds=9), faults_to_removal=3)
    finish(course, faulty(7))
    assert [(removal.participant, removal.faults) for removal in course.removed.values()] == [
        (7, 4)
    ]
    rounds = [game.round for game in course.counted if 7 in game.planned.seating]
    assert rounds == list(range(9))
    assert len(course.charges) == 4, "the round that was played ahead charged it once more"
    course = ledger(plan(10, 1, rounds=5), faults_to_removal=0)
    finish(course, faulty(3))
    assert len(course.charges) == 5
    assert not course.removed


def test_a_removed_agent_leaves_its_table_at_once_an_excluded_one_its_later_games() -> None:
    course = ledger(plan(10, 1, rounds=1, games_per_table=20), faults_to_removal=2)
    finish(course, faulty(3))
    assert [charge.index for charge in course.charges] == [
        game.planned.index for game in course.counted if 3 in game.planned.seating
    ][:2]
    course = ledger(plan(10, 1, rounds=4), exclusions=[Exclusion(participant=4, from_round=2)])
    finish(course, faulty())
    assert [game.round for game in course.counted if 4 in game.seating] == [0, 1]


@pytest.mark.parametrize(
    ("kind", "policy", "charged", "removed"),
    [
        (FaultKind.TIMEOUT, {"overtime": Consequence.PENALISED}, 6, False),
        (FaultKind.TIMEOUT, {"overtime": Consequence.COUNTED}, 3, True),
        (FaultKind.TIMEOUT, {"overtime": Consequence.REMOVED}, 2, True),
        (FaultKind.FORBIDDEN, {"forbidden": Consequence.REMOVED}, 2, True),
    ],
)
def test_overtime_and_forbidden_acts_lead_to_what_the_policy_says(
    kind: FaultKind, policy: Mapping[str, Consequence], charged: int, *, removed: bool
) -> None:
    course = ledger(plan(10, 1, rounds=6), **policy, faults_to_removal=2)
    finish(course, faulty(3, kind=kind))
    assert (len(course.charges), 3 in course.removed) == (charged, removed)


def test_an_agent_that_fails_in_self_play_is_removed_before_it_meets_others() -> None:
    course = ledger(plan(10, 1, rounds=3, self_play_games=3), faults_to_removal=3)
    finish(course, faulty(3))
    assert course.charges
    assert all(charge.in_self_play for charge in course.charges)
    assert course.counted
    assert all(3 not in game.seating for game in course.counted)
    assert len(course.void) == 3


def test_an_agent_excluded_from_the_first_round_has_no_games() -> None:
    of = plan(10, 1, rounds=3)
    course = ledger(of)
    results = []

    def play(game: WantedGame) -> PlayedTable:
        results.append(clean(game, 20))
        return results[-1]

    finish(course, play)
    cheat = Exclusion(participant=4, from_round=0, reason="cheated")
    after = Ledger(of, Policy(), secret=SECRET, exclusions=[cheat], results=results)
    assert not after.finished
    finish(after, play)
    assert all(4 not in game.seating for game in after.counted)
    assert len(after.counted) == of.games
    assert after.removed[4].reason == "cheated"


def test_results_that_nobody_requested_are_skipped() -> None:
    course = ledger(plan(10, rounds=1))
    strange = WantedGame(index=0, deal=0, table=0, seating=(0, 0, 0, 0, 0))
    course.add(clean(strange, 25))
    assert not course.counted
    finish(course, faulty())
    done = course.counted[0]
    again = WantedGame(
        index=done.planned.index, deal=done.planned.deal, table=0, seating=done.seating
    )
    course.add(spoiled(again, done.seating[0]))
    assert (len(course.counted), course.charges) == (2, ())


def test_the_first_of_two_results_counts_while_its_table_plays_on() -> None:
    course = ledger(plan(5, rounds=1, games_per_table=2))
    game = course.wanted[0]
    course.add(clean(game, 3), clean(game, 25))
    course.add(spoiled(game, 0))
    assert [each.scores for each in course.counted] == [(3,) * 5]
    assert (len(course.wanted), course.charges) == (1, ())


def test_a_game_of_another_tournament_and_a_negative_number_of_faults_are_refused() -> None:
    course = ledger(plan(10, rounds=1))
    with pytest.raises(RecordError, match="no game 2"):
        course.add(PlayedTable(index=2, seating=(0,) * 5, scores=(0,) * 5))
    with pytest.raises(PlanError, match="must not be negative"):
        Policy(faults_to_removal=-1)


@st.composite
def courses(draw: st.DrawFn) -> tuple[Plan, Policy, Play]:
    """Any small tournament whose agents fail as they like, but the same for the same game."""
    made = plan(
        draw(st.integers(5, 13)),
        draw(st.integers(0, 2)),
        rounds=draw(st.integers(1, 5)),
        games_per_table=draw(st.integers(1, 4)),
        self_play_games=draw(st.integers(0, 2)),
        sizes=draw(st.sampled_from([(5,), (2,), (3, 5)])),
    )
    policy = Policy(
        faults_to_removal=draw(st.integers(0, 3)), overtime=draw(st.sampled_from(Consequence))
    )
    odds = draw(st.lists(st.sampled_from([0, 0, 0, 5, 50, 100]), min_size=15, max_size=15))
    kind = draw(st.sampled_from([FaultKind.CRASH, FaultKind.TIMEOUT]))

    def play(game: WantedGame) -> PlayedTable:
        for member in game.seating:
            if hash((member, game.index, game.seating)) % 100 < odds[member]:
                return spoiled(game, member, kind)
        return clean(game, hash((game.index, game.seating)) % 26)

    return made, policy, play


@given(courses(), st.randoms(use_true_random=False))
@pytest.mark.slow
def test_outcome_depends_neither_on_order_nor_on_repetition(
    course: tuple[Plan, Policy, Play], random: object
) -> None:
    of, policy, play = course
    straight = Ledger(of, policy, secret=SECRET)
    finish(straight, play)
    shuffled = Ledger(of, policy, secret=SECRET)
    known: list[PlayedTable] = []
    while not shuffled.finished:
        game = random.choice(shuffled.wanted)  # type: ignore[attr-defined]
        known.append(play(game))
        shuffled.add(known[-1])
        if random.random() < 0.1:  # type: ignore[attr-defined]
            shuffled.add(random.choice(known))  # type: ignore[attr-defined]
    assert shuffled.counted == straight.counted
    assert shuffled.charges == straight.charges
    assert shuffled.removed == straight.removed


@given(courses(), st.data())
@pytest.mark.slow
def test_an_interrupted_tournament_continues_where_it_was(
    course: tuple[Plan, Policy, Play], data: st.DataObject
) -> None:
    of, policy, play = course
    straight = Ledger(of, policy, secret=SECRET)
    results: list[PlayedTable] = []

    def keep(game: WantedGame) -> PlayedTable:
        results.append(play(game))
        return results[-1]

    finish(straight, keep)
    kept = results[: data.draw(st.integers(0, len(results)))]
    resumed = Ledger(of, policy, secret=SECRET, results=data.draw(st.permutations(kept)))
    asked = {(each.index, each.seating) for each in kept}

    def play_new(game: WantedGame) -> PlayedTable:
        assert (game.index, game.seating) not in asked
        asked.add((game.index, game.seating))
        return play(game)

    finish(resumed, play_new)
    assert resumed.counted == straight.counted


@pytest.mark.slow
@given(courses())
def test_every_planned_game_counts_once_or_is_void(course: tuple[Plan, Policy, Play]) -> None:
    of, policy, play = course
    done = Ledger(of, policy, secret=SECRET)
    finish(done, play)
    counted = [game.planned.index for game in done.counted]
    spoiled_alone = {charge.index for charge in done.charges if charge.in_self_play}
    assert sorted([*counted, *done.void]) == list(range(of.games))
    assert spoiled_alone <= set(done.void)


@given(courses())
def test_everybody_who_stays_has_exactly_the_planned_games(
    course: tuple[Plan, Policy, Play],
) -> None:
    of, policy, play = course
    done = Ledger(of, policy, secret=SECRET)
    finish(done, play)
    planned: Counter[int] = Counter()
    had: Counter[int] = Counter()
    void = set(done.void)
    for table in of.tables:
        for game in table.games:
            if table.kind is TableKind.CROSS and game.index not in void:
                planned.update(game.seating)
    for counted in done.counted:
        if counted.kind is TableKind.CROSS:
            had.update(
                member
                for member, meant in zip(counted.seating, counted.planned.seating, strict=True)
                if member == meant
            )
    for charge in done.charges:
        if not charge.in_self_play and charge.index not in void:
            had[charge.participant] += charge.seats
    for player in range(of.players):
        if player not in done.removed:
            assert had[player] == planned[player]
