"""The losses of a game add up to the points missing from its score."""

from functools import cache

import pytest

from grader import house
from grader.core.deals import deal_seed
from grader.core.games import GAMES, Game, game_from_options, presented
from grader.core.games.presentation import Loss, Presentation
from grader.core.records import Record
from grader.play.players import LocalPlayer, play_game

AGENTS = {
    "hanabi": (house.agent("random_legal"), house.agent("iggi")),
    "hearts": (house.agent("hearts/low_card"), house.agent("hearts/careful")),
}
GAMES_EACH = 3


def rules(name: str, variant: str) -> Game:
    return game_from_options(name, {"variant": variant, "players": GAMES[name].default_players})


@cache
def records(name: str, variant: str) -> list[Record]:
    game = rules(name, variant)
    return [
        play_game(game, deal_seed(bytes(32), index), [LocalPlayer(kind) for _ in range(game.seats)])
        for kind in AGENTS[name]
        for index in range(GAMES_EACH)
    ]


def losses(game: Game, record: Record, seat: int = 0) -> list[Loss]:
    actions = [game.parse(notation) for notation in record.actions.split()]
    return list(presented(game).losses(bytes.fromhex(record.deal_seed), actions, seat))


@pytest.mark.parametrize(
    ("name", "variant"),
    [("hanabi", "standard"), ("hanabi", "gcc"), ("hearts", "standard")],
)
def test_losses_add_up_to_the_missing_points(name: str, variant: str) -> None:
    game = rules(name, variant)
    for record in records(name, variant):
        for seat in range(game.seats):
            lost = sum(loss.points for loss in losses(game, record, seat))
            score = record.scores[seat]
            assert lost == (score if game.lower_is_better else game.score_range[1] - score)


@pytest.mark.parametrize("name", ["hanabi", "hearts"])
def test_each_loss_has_a_known_cause_and_a_turn_of_the_game(name: str) -> None:
    game = rules(name, "standard")
    for record in records(name, "standard"):
        for loss in losses(game, record):
            assert loss.cause in presented(game).loss_causes
            assert 0 <= loss.turn < len(record.actions.split())
            assert loss.words


def test_a_game_without_losses_has_none() -> None:
    hanabi = rules("hanabi", "standard")
    assert list(Presentation(hanabi).losses(bytes(32), (), 0)) == []


def test_the_loss_of_a_discarded_card_names_it() -> None:
    hanabi = rules("hanabi", "standard")
    found = [loss for record in records("hanabi", "standard") for loss in losses(hanabi, record)]
    discarded = next(loss for loss in found if loss.cause == "discarded")
    assert discarded.words == f"The last {discarded.card} is discarded"
