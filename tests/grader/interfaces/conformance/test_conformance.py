"""One strategy, written once for every interface, plays the same games in all of them.

Each agent in ``agents`` follows the rules in ``agents/README.md`` with nothing but what its own
interface tells it. So an adapter that lost an event, counted a token wrongly, named a colour or a
card by another's number, or showed more or less than it should, would play another game.
"""

from collections.abc import Callable
from itertools import combinations
from typing import Final, NamedTuple

import pytest

from grader.core.records import Mode, Record
from grader.interfaces import INTERFACES
from tests.grader.interfaces.conformance.playing import INTERFACE_OF, Play, Played, meant
from tests.support.depth import deeper

GAMES: Final = {
    2: deeper(12, deep=200),
    3: deeper(8, deep=100),
    4: deeper(8, deep=100),
    5: deeper(8, deep=100),
}
"""By the number of players."""

pytestmark = [
    pytest.mark.docker,
    pytest.mark.slow,
    pytest.mark.usefixtures("docker_engine", "warm_sandboxes"),
]


class Pair(NamedTuple):
    """Two agents of the strategy, and the rules by which each of them plays."""

    left: str
    right: str
    rules: str
    """The variant that the left one plays by."""
    other_rules: str
    """That of the right one, mostly the same."""
    players: tuple[int, ...]
    exactly: bool
    """Whether records have the same actions; if not, then the same with cards for positions."""
    reason: str
    """Why these can be compared, and why not more exactly."""


ANY: Final = deeper((2, 5), deep=(2, 3, 4, 5))
"""Two play without a word on who is meant; five have smaller hands and name the one who is told."""
_ITS_OWN: Final = "the rules that agents of the left one were written for, and Python is told"
PAIRS: Final = (
    Pair("uwa_java", "python", "uwa", "uwa", ANY, True, _ITS_OWN),
    Pair("gcc_cpp", "python", "gcc", "gcc", (2,), True, _ITS_OWN + "; nobody swaps"),
    Pair("ensta_python", "python", "ensta", "ensta", ANY, True, _ITS_OWN),
    Pair("cs221_python", "python", "cs221", "cs221", ANY, True, _ITS_OWN),
    Pair("cs221_python_2", "python", "cs221", "cs221", ANY, True, "what is translated, as well"),
    Pair("cs221_python_2", "cs221_python", "cs221", "cs221", ANY, True, "one interface"),
    Pair(
        *("ensta_python", "gcc_cpp", "ensta", "gcc", (2,), True),
        "they differ in swaps and in a discard at eight tokens, which nobody here does",
    ),
    Pair(
        *("ensta_python", "uwa_java", "ensta", "uwa", ANY, False),
        "they differ in hints that touch nothing, which nobody gives, and in where a drawn card"
        " goes: the strategy looks at cards by age, and records are compared by cards",
    ),
    Pair(
        *("gcc_cpp", "uwa_java", "gcc", "uwa", (2,), False),
        "as above, and as ensta with gcc",
    ),
    Pair(
        *("cs221_python", "ensta_python", "cs221", "cs221", ANY, True),
        "ENSTA's types have no number of the rules built in but where an agent puts it, and its"
        " adapter follows any rules: so this agent plays by those of cs221",
    ),
)
THROUGH_PYTHON: Final = {
    frozenset({"cs221_python", "uwa_java"}): "hanabAI's State starts with 8 tokens and 5 cards, and"
    " a misplay costs a fuse: there are no rules that both would play by",
    frozenset({"cs221_python", "gcc_cpp"}): "Player.h is told of fuses, and of HAND_SIZE and"
    " MAX_HINTS: there are no rules that both would play by",
}
"""Pairs of which each is compared with the same Python class alone, by its own rules."""

MIXED: Final = (
    (("uwa_java", "python"), "uwa"),
    (("python", "uwa_java", "python", "uwa_java"), "uwa"),
    (("gcc_cpp", "python"), "gcc"),
    (("python", "ensta_python", "ensta_python"), "ensta"),
    (("cs221_python", "python", "cs221_python_2"), "cs221"),
)
"""Tables of several agents of the strategy, by seats."""


@pytest.fixture(scope="module")
def played(docker_engine: object) -> Played:
    """Games that the tests of this file have played: most are compared several times."""
    return Played()


def alone(agent: str, variant: str, players: int, mode: Mode | None = None) -> Play:
    return Play(agents=(agent,), variant=variant, players=players, games=GAMES[players], mode=mode)


def compared(pair: Pair) -> Callable[[Record], str | list[str]]:
    return (lambda record: record.actions) if pair.exactly else meant


CASES: Final = [(pair, players) for pair in PAIRS for players in pair.players]


@pytest.mark.parametrize(
    ("pair", "players"), CASES, ids=[f"{pair[0]}-{pair[1]}-{players}" for pair, players in CASES]
)
def test_two_interfaces_play_the_same_games(played: Played, pair: Pair, players: int) -> None:
    what = compared(pair)
    left = played.records(alone(pair.left, pair.rules, players))
    right = played.records(alone(pair.right, pair.other_rules, players))
    assert len(left) == len(right) == GAMES[players]
    for one, other in zip(left, right, strict=True):
        assert one.deal_seed == other.deal_seed
        assert what(one) == what(other), (pair.reason, one, other)
        assert one.scores == other.scores


@pytest.mark.parametrize("players", ANY)
def test_one_process_for_all_seats_plays_as_one_for_each(played: Played, players: int) -> None:
    team = played.records(alone("ensta_python", "ensta", players))
    seat = played.records(alone("ensta_python", "ensta", players, Mode.SEAT))
    assert ({one.mode for one in team}, {one.mode for one in seat}) == ({Mode.TEAM}, {Mode.SEAT})
    assert [one.actions for one in team] == [one.actions for one in seat]


@pytest.mark.parametrize(("agents", "variant"), MIXED, ids=["-".join(seats) for seats, _ in MIXED])
def test_a_table_of_several_interfaces_plays_as_one_of_them_alone(
    played: Played, agents: tuple[str, ...], variant: str
) -> None:
    players, games = len(agents), deeper(4, deep=20)
    mixed = played.records(Play(agents=agents, variant=variant, players=players, games=games))
    same = played.records(alone("python", variant, players))
    assert len(mixed) == games
    assert [one.actions for one in mixed] == [one.actions for one in same][:games]


def test_every_pair_of_interfaces_is_compared_or_there_is_a_reason() -> None:
    courses = [name for name in INTERFACE_OF if name not in {"python", "cs221_python_2"}]
    variants = {
        name
        for name, each in INTERFACES.items()
        if each.rules.variant and each.rules.game in {"", "hanabi"}
    }
    assert set(INTERFACE_OF.values()) == variants | {"python"}
    done = {frozenset({pair.left, pair.right}) for pair in PAIRS}
    for course in courses:
        assert frozenset({course, "python"}) in done
    for left, right in combinations(courses, 2):
        pair = frozenset({left, right})
        assert (pair in done) is not (pair in THROUGH_PYTHON)
