"""Values that theory knows, computed from the rules of ``firebox_games`` and compared."""

from collections import defaultdict
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from itertools import permutations
from statistics import mean
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from firebox_games import connect_four, leduc_poker, pig
from firebox_games.goofspiel import Bidding, Goofspiel, bid
from firebox_games.goofspiel.agents.matching import Matching
from grader.core.deals import deal_seed
from grader.core.games import JsonObject, State
from grader.play.players import LocalPlayer, play_game
from tests.support.depth import deeper

SECRET = b"values of theory".ljust(32)


def after(state: Any, *actions: JsonObject) -> Any:
    copied = deepcopy(state)
    for action in actions:
        copied.apply(action)
    return copied


# --- Leduc poker ---------------------------------------------------------------------------------

Plan = dict[Any, int]
"""Numbers of a seat's sequences. A sequence ends with what the seat was told, and its action."""


class Tree(NamedTuple):
    """The sequence form of a game of two, as seats' messages divide it."""

    sequences: tuple[Plan, Plan]
    parents: tuple[Plan, Plan]
    """For each information set of a seat: the number of the sequence that leads to it."""
    chances: dict[tuple[int, int], float]
    """What seat 0 wins after two sequences, times the odds of the cards."""


def test_leduc_poker_is_worth_what_its_equilibrium_is(scipy: ModuleType) -> None:
    """The first player loses 0.0856 chips a game.

    The value is that of ``sequence_form_lp_test.py`` in OpenSpiel. The program is the one of Daphne
    Koller, Nimrod Megiddo and Bernhard von Stengel, “Fast algorithms for finding randomized
    strategies in game trees” (STOC 1994). Information sets are what ``events`` has told a seat: a
    message that tells more than a player of Leduc poker knows would change the value.
    """
    tree = tree_of_leduc()
    assert [len(sets) for sets in tree.parents] == [144, 144]
    assert value_of(tree, scipy.optimize.linprog) == pytest.approx(-0.085606424078, abs=1e-9)


def tree_of_leduc() -> Tree:
    tree = Tree(({"": 0}, {"": 0}), ({}, {}), defaultdict(float))
    deals = list(permutations(leduc_poker.RANKS * 2, 3))
    for cards in sorted(set(deals)):
        odds = deals.count(cards) / len(deals)
        walk(leduc_poker.Table(cards), (0, 0), odds, tree)
    return tree


def walk(state: State, at: tuple[int, int], odds: float, tree: Tree) -> None:
    """Enter what follows a state into the tree; ``at`` has both seats' last sequences."""
    seat = state.seat_to_act
    if seat is None:
        tree.chances[at] += odds * state.scores()[0]
        return
    told = str(state.events(seat))
    assert tree.parents[seat].setdefault(told, at[seat]) == at[seat], "a seat forgets"
    for action in state.legal_actions():
        numbers = tree.sequences[seat]
        number = numbers.setdefault((told, action["type"]), len(numbers))
        walk(after(state, action), (number, at[1]) if seat == 0 else (at[0], number), odds, tree)


def value_of(tree: Tree, linprog: Callable[..., Any]) -> float:
    """Return what seat 0 wins on average if both play an equilibrium."""
    payoffs = np.zeros([len(numbers) for numbers in tree.sequences])
    for at, worth in tree.chances.items():
        payoffs[at] = worth
    own, theirs = (flow_of(tree, seat) for seat in (0, 1))
    # Seat 0 chooses a plan x; p has what seat 1 can hold it to at each of its information sets.
    goal = np.concatenate([np.zeros(own.shape[1]), -np.eye(len(theirs))[0]])
    solved = linprog(
        goal,
        A_ub=np.hstack([-payoffs.T, theirs.T]),
        b_ub=np.zeros(theirs.shape[1]),
        A_eq=np.hstack([own, np.zeros((len(own), len(theirs)))]),
        b_eq=np.eye(len(own))[0],
        bounds=[(0, None)] * own.shape[1] + [(None, None)] * len(theirs),
    )
    assert solved.success, solved.message
    return float(-solved.fun)


def flow_of(tree: Tree, seat: int) -> Any:
    """Return the rows that a plan fulfils: 1 at the root, and nothing is lost at a set."""
    numbers, parents = tree.sequences[seat], tree.parents[seat]
    flow = np.zeros((1 + len(parents), len(numbers)))
    flow[0, 0] = 1
    rows = {told: row for row, told in enumerate(parents, start=1)}
    for told, parent in parents.items():
        flow[rows[told], parent] = -1
    for told, number in ((key[0], number) for key, number in numbers.items() if key):
        flow[rows[told], number] = 1
    return flow


# --- Connect Four --------------------------------------------------------------------------------

POSITIONS = {
    "2252576253462244111563365343671351441": -1,
    "7422341735647741166133573473242566": 1,
    "23163416124767223154467471272416755633": 0,
    "74425337641465475671176741236615215533": 0,
    "34441157374153736716346556774311552222": 0,
}
"""Columns from 1, and the score of Pascal Pons' solver, from its test set “End-Easy”
(blog.gamesolver.org/solving-connect-four/02-test-protocol). Positive: the player to move wins, and
has so many discs left, counted with the winning one. Negative: the other player does."""


@pytest.mark.parametrize("moves", POSITIONS)
def test_connect_four_is_won_and_drawn_where_a_solver_says_so(moves: str) -> None:
    board = connect_four.Board()
    for column in moves:
        board.apply(connect_four.drop(int(column) - 1))
    assert solved(board) == POSITIONS[moves]


def solved(board: connect_four.Board, low: int = -22, high: int = 22) -> int:
    """Return the position's score, by alpha-beta search over the rules."""
    if board.ending:
        # The player who moved last has won, if anybody has.
        return 0 if board.winner is None else -(22 - (board.turn + 1) // 2)
    for action in board.legal_actions():
        low = max(low, -solved(after(board, action), -high, -low))
        if low >= high:
            break
    return low


@pytest.mark.slow
@pytest.mark.deep
def test_connect_four_on_four_by_four_is_a_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    """John Tromp, “John's Connect Four Playground” (tromp.github.io/c4/c4.html), has this board."""
    for name in ("COLUMNS", "ROWS"):
        monkeypatch.setattr(connect_four, name, 4)
    assert outcome(connect_four.Board(), {}) == 0


def outcome(board: connect_four.Board, known: dict[str, int]) -> int:
    """Return what the player to move gets at best: 1 for a win, 0 for a draw, -1 for a loss."""
    place = board.text()
    if place not in known:
        if board.ending:
            known[place] = 0 if board.winner is None else -1
        else:
            best = -1
            for action in board.legal_actions():
                best = max(best, -outcome(after(board, action), known))
                if best == 1:
                    break
            known[place] = best
    return known[place]


# --- Goofspiel -----------------------------------------------------------------------------------

Combine = Callable[[Any, int], float]
"""What seat 0 leads by: of the leads after each pair of bids (a row for each own bid, a column for
each of the other's, both in ascending order), and the number of the prize's card among the own."""


def against_random(leads: Any, _: int) -> float:
    return float(max(leads.mean(axis=1)))


def matching_random(leads: Any, match: int) -> float:
    return float(leads.mean(axis=1)[match])


def in_equilibrium(leads: Any, _: int, *, linprog: Callable[..., Any]) -> float:
    """The value of a matrix game: the most that one mixture of rows guarantees."""
    rows, columns = leads.shape
    solved = linprog(
        [*[0] * rows, -1],
        A_ub=np.hstack([-leads.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=[[*[1] * rows, 0]],
        b_eq=[1],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return float(-solved.fun)


def lead(state: Bidding, combine: Combine, known: dict[Any, float]) -> float:
    """Return what seat 0 leads by at the end, without the points that it has."""
    if state.ending:
        return 0.0
    own, theirs, shown = state.hand(0), state.hand(1), state.shown_prizes
    left = sorted(set(range(1, len(state.prizes) + 1)) - set(shown))
    place = (*own, 0, *theirs, 0, shown[-1], *left)
    if place not in known:
        before = state.won[0] - state.won[1]
        leads = np.zeros((len(own), len(theirs)))
        for row, column in np.ndindex(leads.shape):
            played = after(state, bid(own[row]), bid(theirs[column]))
            leads[row, column] = played.won[0] - played.won[1] - before
            orders = [[*shown, prize, *(n for n in left if n != prize)] for prize in left]
            leads[row, column] += mean(
                lead(turned(played, order), combine, known) for order in orders or [shown]
            )
        match = own.index(shown[-1]) if shown[-1] in own else 0
        known[place] = combine(leads, match)
    return known[place]


def turned(state: Bidding, prizes: list[int]) -> Bidding:
    other = deepcopy(state)
    other.prizes = prizes
    return other


def of_prizes(cards: int, combine: Combine) -> list[float]:
    """Return the lead of seat 0 by the prize that is turned up first."""
    known: dict[Any, float] = {}
    orders = (
        [first, *(n for n in range(1, cards + 1) if n != first)] for first in range(1, cards + 1)
    )
    return [lead(Bidding(order, 2), combine, known) for order in orders]


@pytest.mark.slow
def test_matching_is_best_against_random_bids() -> None:
    """Sheldon Ross, “Goofspiel: the game of pure strategy” (1971), proves it for every number."""
    for cards in range(3, deeper(5, deep=6)):
        best = of_prizes(cards, against_random)
        assert mean(best) > 0
        assert of_prizes(cards, matching_random) == pytest.approx(best)


def test_goofspiel_is_worth_nothing_to_either_seat(scipy: ModuleType) -> None:
    """It is the same game for both, whatever prize comes first."""
    combine = partial(in_equilibrium, linprog=scipy.optimize.linprog)
    for cards in range(3, deeper(4, deep=5)):
        assert of_prizes(cards, combine) == pytest.approx([0] * cards, abs=1e-7)


class OneAbove:
    """Bids one more than the prize, and its lowest card for the highest prize."""

    def start(self, context: object) -> None: ...

    def act(self, observation: Any) -> Any:
        cards = {action.card: action for action in observation.legal_actions}
        return cards.get(observation.prize + 1, cards[min(cards)])


def test_matching_loses_all_but_one_prize_to_bids_one_above() -> None:
    """So that it is no equilibrium: 13 prizes are worth 91, and it wins the highest alone."""
    game = Goofspiel()
    for number in range(3):
        seats = [LocalPlayer(Matching), LocalPlayer(OneAbove)]
        record = play_game(game, deal_seed(SECRET, number), seats)
        assert record.scores == (13, 78)


# --- Pig -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_first_player_of_pig_wins_as_often_as_two_perfect_ones_do() -> None:
    """Todd Neller and Clifton Presser, “Optimal Play of the Dice Game Pig” (2004): 53.06 %."""
    wins, holds = best_play_of_pig()
    assert wins[0, 0, 0] == pytest.approx(0.5306, abs=5e-5)
    games = deeper(400, deep=10_000)
    won = sum(first_wins(holds, number) for number in range(games))
    deviation = (games * 0.5306 * 0.4694) ** 0.5
    assert abs(won - games * 0.5306) < 3 * deviation


def first_wins(holds: Any, number: int) -> int:
    """Play a game as ``holds`` says: by banked points of the mover, of the other, and unbanked."""
    table = pig.Pig().deal(deal_seed(SECRET, number))
    while not table.ending:
        other = table.banked[1 - table.mover]
        at = table.banked[table.mover], other, min(table.unbanked, pig.TARGET)
        table.apply(pig.HOLD if holds[at] else pig.ROLL)
    return int(table.banked[0] >= pig.TARGET)


def best_play_of_pig() -> tuple[Any, Any]:
    """Return the mover's chance to win, and where it holds, by value iteration."""
    banked = np.arange(pig.TARGET)
    unbanked = np.arange(pig.TARGET + pig.SIDES + 1)
    total = banked[:, None] + unbanked
    wins = np.broadcast_to((total >= pig.TARGET)[:, None], (pig.TARGET, *total.shape)).astype(float)
    is_over = wins == 1
    after_hold = np.minimum(total, pig.TARGET - 1)
    while True:
        turned = 1 - wins[:, :, 0].T  # the mover has lost the turn
        rolled = sum(wins[:, :, number : number - pig.SIDES or None] for number in range(2, 7)) + 0
        hold = turned[after_hold].transpose(0, 2, 1)
        roll = np.zeros_like(hold)
        roll[:, :, : -pig.SIDES] = (turned[:, :, None] + rolled) / pig.SIDES
        better = np.where(is_over, 1, np.maximum(roll, hold))
        if np.abs(better - wins).max() < 1e-7:
            return better, is_over | (hold >= roll)
        wins = better
