"""Groups of faults, and their order."""

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from grader.core.records import FaultKind
from grader.results.faults import FaultedGame, group_faults


def crashed(index: int, detail: str, kind: FaultKind = FaultKind.CRASH) -> FaultedGame:
    return FaultedGame(index=index, kind=kind, detail=detail)


def test_the_most_frequent_cause_comes_first_equal_ones_by_their_first_games() -> None:
    groups = group_faults(
        [crashed(4, "KeyError: 'R6'"), crashed(9, "ValueError"), crashed(7, "ValueError")]
    )
    assert [(group.cause, group.games) for group in groups] == [
        ("ValueError", (7, 9)),
        ("KeyError: 'R6'", (4,)),
    ]
    groups = group_faults([crashed(5, "b"), crashed(2, "a"), crashed(3, "c")])
    assert [group.cause for group in groups] == ["a", "c", "b"]


def test_groups_differ_by_kind_and_by_cause_but_for_its_figures() -> None:
    (group,) = group_faults(
        [crashed(1, "1.02 s were charged, 1 allowed"), crashed(0, "13 s were charged, 1 allowed")]
    )
    assert (group.cause, group.games) == ("13 s were charged, 1 allowed", (0, 1))
    games = [crashed(0, "gone"), crashed(1, "gone", FaultKind.IDLE)]
    assert [group.kind for group in group_faults(games)] == [FaultKind.CRASH, FaultKind.IDLE]
    games = [crashed(0, ""), crashed(1, ""), crashed(2, "", FaultKind.MEMORY)]
    assert [len(group.games) for group in group_faults(games)] == [2, 1]


def test_a_group_has_the_place_of_its_first_game() -> None:
    games = [replace(crashed(index, "x"), place=f"a.py:{index}") for index in (3, 2)]
    assert [group.place for group in group_faults(games)] == ["a.py:2"]


details = st.sampled_from(["a", "b 1", "b 2", "c"])
faulted = st.lists(
    st.builds(
        FaultedGame, index=st.integers(0, 99), kind=st.sampled_from(FaultKind), detail=details
    ),
    unique_by=lambda game: game.index,
)


@given(faulted)
def test_every_game_is_in_exactly_one_group(games: Sequence[FaultedGame]) -> None:
    grouped = [index for group in group_faults(games) for index in group.games]
    assert sorted(grouped) == sorted(game.index for game in games)


@given(faulted, st.randoms())
def test_the_order_in_which_games_came_in_makes_no_difference(
    games: list[FaultedGame], chance: object
) -> None:
    groups = group_faults(games)
    chance.shuffle(games)  # type: ignore[attr-defined]  # a random.Random, by hypothesis
    assert group_faults(games) == groups
