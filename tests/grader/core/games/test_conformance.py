"""Every game, variant and number of seats passes every check."""

from copy import deepcopy
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from firebox_games.connect_four import ConnectFour
from firebox_games.goofspiel import Bidding, Goofspiel
from firebox_games.leduc_poker import LeducPoker, Table
from grader.conformance import CHECKS, Trial, actions, every_game, findings, graded, secrecy
from grader.core import games
from grader.core.games import GAMES, State, checks
from grader.core.games.grids import Row
from tests.support.depth import deeper
from tests.support.every import every

VIEW = ConnectFour.view
X = VIEW.pieces[0]
FAST = "hanabi-standard-2"
"""Checked in the fast run too; the others play whole games for longer."""


def parameters():
    for name, game in every_game():
        marks = [] if name == FAST else [pytest.mark.slow]
        yield pytest.param(game, id=name, marks=marks)


@pytest.mark.parametrize("game", list(parameters()))
def test_a_game_conforms(game):
    assert list(findings(Trial(game, looks=deeper(13, deep=100)), CHECKS)) == []


def test_every_folder_of_rules_is_a_game_of_its_name():
    folders = {path.parent.name for path in Path(games.__file__).parent.glob("*/__init__.py")}
    assert folders == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_every_variant_of_a_game_is_checked(name):
    checked = {game.options["variant"] for _, game in every_game() if game.name == name}
    assert checked == set(GAMES[name].variants())


class TellsBids(Bidding):
    def observe(self, seat):
        return {**super().observe(seat), "bids": [self._held.get(n) for n in range(seat)]}


class TellsPrizes(Bidding):
    def events(self, seat):
        return [*super().events(seat), *[{"type": "order", "prizes": self.prizes}][: self.turn]]


class OffersByPrize(Bidding):
    def legal_for(self, seat):
        return super().legal_for(seat)[:: 1 if self.prizes[-1] % 2 else -1]


class ShowsBids(Bidding):
    def rows(self, seat):
        return [Row(title="Bids", cards=tuple(map(str, self._held.values())))]


class NeverSamples(Bidding):
    def resample(self, seat, chance):
        return deepcopy(self)


@every(
    ("state", "hides_nothing", "said"),
    [
        (Bidding, False, None),
        (TellsBids, False, "cannot tell apart by the rules differ in its `observe`."),
        (TellsPrizes, False, "cannot tell apart by the rules differ in its `events`."),
        (
            OffersByPrize,
            False,
            "cannot tell apart by the rules differ in its `legal_for`.",
        ),
        (ShowsBids, False, "cannot tell apart by the rules differ in its `rows`."),
        (NeverSamples, False, "`resample` drew the same play 26 times, in a game that hides"),
        (NeverSamples, True, None),
    ],
)
def test_a_game_that_tells_a_secret_is_caught_by_resampling(state, hides_nothing, said):
    class Told(Goofspiel):
        def deal(self, seed):
            return state(super().deal(seed).prizes, self.seats)

    Told.hides_nothing = hides_nothing
    check = graded.a_seat_learns_nothing_secret
    problem = next(check(Trial(Told())), None)
    assert problem is None if said is None else said in problem


class NoResample(Table):
    resample = State.resample


class TellsHands(Table):
    def __init__(self, cards):
        super().__init__(cards)
        self.told = [{"type": "hands", "cards": list(self.hands)}]

    def events(self, seat):
        return self.told


class TellsFirstHand(Table):
    """Keeps a secret a second time as soon as a seat has acted, and tells all seats."""

    def apply(self, action):
        super().apply(action)
        if self.turn == 1:
            self.played.append({"type": "hand", "card": self.hands[0]})


@every(
    ("state", "hides_nothing", "said"),
    [
        (Table, False, None),
        (NoResample, False, "The game hides something and has no `resample`"),
        (
            TellsHands,
            False,
            "`observe(0)['hand']` equals `events(0)[0]['cards'][0]` after 0 actions in each of 40",
        ),
        (
            TellsFirstHand,
            False,
            "`observe(0)['hand']` equals `events(0)[2]['card']` after 1 action in each of 40",
        ),
        (NoResample, True, "seat 0 is not told what `observe(1)['hand']` tells"),
    ],
)
def test_a_game_that_declares_its_secrets_wrongly_is_refused(state, hides_nothing, said):
    class Declared(LeducPoker):
        def deal(self, seed):
            hands = super().deal(seed)
            return state([*hands.hands, hands.middle])

    Declared.hides_nothing = hides_nothing
    problems = [each.problem for each in findings(Trial(Declared()), secrecy.CHECKS)]
    assert problems == [] if said is None else said in problems[0]


class NamesCards(Table):
    def rows(self, seat):
        return [replace(row, cards=("Queen",)) for row in super().rows(seat)]


class SaysAnotherSeat(Table):
    def describe(self, action):
        return f"seat {2 - self.mover} {action['type']}s"


class KeepsItsSeat(Table):
    seat_to_act = property(lambda self: self.mover)


class TellsOwnList(Table):
    def events(self, seat):
        return [{"type": "paid", "paid": self.paid}, *super().events(seat)]


class ObservesSet(Table):
    def observe(self, seat):
        return {**super().observe(seat), "folded": {self.folded}}


class NeverTheSame(Table):
    plays = count()

    def __init__(self, cards):
        super().__init__(cards)
        self.mover = next(self.plays) % 2


class NamesNothing(Table):
    """Has actions with a field that is ``None``, which a reply must not leave out."""

    def legal_actions(self):
        return [{**each, "card": None} for each in super().legal_actions()]

    def apply(self, action):
        super().apply(checks.chosen(action, self.legal_actions()))


class Carded(LeducPoker):
    def parse(self, notation):
        return {**super().parse(notation), "card": None}


def test_an_action_may_have_a_field_that_is_null():
    class Played(Carded):
        __module__ = LeducPoker.__module__

        def deal(self, seed):
            table = super().deal(seed)
            return NamesNothing([*table.hands, table.middle])

    assert list(findings(Trial(Played()), actions.CHECKS)) == []


@pytest.mark.slow
@every(
    ("kind", "change", "said"),
    [
        (ConnectFour, {"view": replace(VIEW, field="bord")}, "`observe(0)['bord']` is no list of"),
        (ConnectFour, {"view": replace(VIEW, pieces={})}, "`view` has no piece for"),
        (ConnectFour, {"view": replace(VIEW, pieces={0: X, 1: X})}, "are ['X', 'X']."),
        (ConnectFour, {"opening_moves": 50}, "50 moves end the game: lower `opening_moves`"),
        (LeducPoker, {"competitive": False}, "and `competitive` is False"),
        (LeducPoker, NamesCards, "`rows(None)` has a card with the face 'Queen'."),
        (LeducPoker, SaysAnotherSeat, "`describe` says 'seat 2"),
        (LeducPoker, KeepsItsSeat, "Seat 0 is to act at turn"),
        (LeducPoker, TellsOwnList, "An event changes after it was told"),
        (LeducPoker, ObservesSet, "has a value that JSON lacks"),
        (LeducPoker, NeverTheSame, "Two deals from the same seed differ"),
    ],
)
def test_a_slip_of_an_author_is_named_before_its_consequences(kind, change, said):
    class Slip(kind):
        __module__ = kind.__module__

        def deal(self, seed):
            table = super().deal(seed)
            return table if isinstance(change, dict) else change([*table.hands, table.middle])

    for name, value in change.items() if isinstance(change, dict) else ():
        setattr(Slip, name, value)
    assert said in next(findings(Trial(Slip()), CHECKS)).problem
