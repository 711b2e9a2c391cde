"""A game in the middle is what its deal and actions make of it."""

import pytest

from firebox.seat import LocalSeat
from grader.conformance import every_game
from grader.core.deals import deal_seed
from grader.core.errors import IllegalAction, RecordError
from grader.core.games import Game, game_from_options
from grader.core.position import LocalFault, accepted, play_on
from grader.core.referee import TurnKind
from grader.house import agent
from grader.house.catalogue import AGENTS, answering
from tests.support.every import every

SEED = deal_seed(b"a game in the middle", 0)
HANABI = game_from_options("hanabi", {"players": 3})


def piers() -> LocalSeat:
    return LocalSeat(agent("piers"))


def test_a_new_game_asks_the_first_seat_after_telling_all_to_start() -> None:
    position = play_on(HANABI, SEED, [])
    assert [turn.kind for turn, _ in position.answered] == [TurnKind.START] * 3
    assert (position.seat, position.actions) == (0, ())
    assert position.asked is not None
    assert position.legal == HANABI.deal(SEED).legal_actions()


def test_players_in_this_process_answer_until_another_seat_acts() -> None:
    position = play_on(HANABI, SEED, ["p0"], {1: piers().send, 2: piers().send})
    assert position.seat == 0
    assert len(position.actions) == 3
    assert position.actions[0] == "p0"


def test_a_game_can_be_cut_anywhere_and_continues_unchanged() -> None:
    def everybody() -> dict[int, object]:
        return {seat: piers().send for seat in range(3)}

    whole = play_on(HANABI, SEED, [], everybody())  # type: ignore[arg-type]
    assert whole.asked is None
    for cut in range(0, len(whole.actions), 7):
        again = play_on(HANABI, SEED, whole.actions[:cut], everybody())  # type: ignore[arg-type]
        assert again == whole


def test_a_replaced_seat_gets_exactly_the_same_messages() -> None:
    before = play_on(HANABI, SEED, ["p0"])
    after = play_on(HANABI, SEED, ["p0", "p0", "p0", "p0"])
    assert after.told_to(1)[:1] == before.told_to(1)
    assert after.told_to(1)[1] == (before.asked, "p0")


@every("game", [game for _, game in every_game()][::5])
def test_a_finished_game_asks_nobody(game: Game) -> None:
    state, actions = game.deal(SEED), []
    while state.seat_to_act is not None:
        action = state.legal_actions()[0]
        actions.append(game.notate(action))
        state.apply(action)
    position = play_on(game, SEED, actions)
    assert (position.asked, position.seat, position.legal) == (None, None, ())
    with pytest.raises(RecordError, match="over before action"):
        play_on(game, SEED, [*actions, actions[-1]])


def test_actions_or_answers_of_ours_that_the_rules_refuse_are_our_fault() -> None:
    with pytest.raises(RecordError, match="action 0: the rules refuse d0"):
        play_on(HANABI, SEED, ["d0"])

    def wrong(message: object) -> dict[str, object]:
        return {"action": {"type": "discard", "card": 0}}

    with pytest.raises(LocalFault, match="seat 0 in turn 0"):
        play_on(HANABI, SEED, [], {0: wrong})


def test_an_answer_is_checked_as_the_referee_checks_it() -> None:
    assert accepted(HANABI, SEED, ["p0"], {"type": "play", "card": 2}) == "p2"
    for action, why in (
        ({"type": "play", "card": True}, "card is true"),
        ({"type": "discard", "card": 0}, "all 8 hint tokens"),
        ({"type": "refused", "why": "null"}, "null"),
    ):
        with pytest.raises(IllegalAction, match=why):
            accepted(HANABI, SEED, [], action)


def test_people_are_answered_by_agents_that_play_at_once() -> None:
    hearts = game_from_options("hearts", {"players": 4})
    assert list(answering(hearts)) == ["hearts/low_card", "hearts/careful", "hearts/guarded"]
    assert "information" in answering(HANABI)
    assert not any(name.startswith("cs221/") for name in answering(HANABI))
    assert all(each.local is None or each.local() for each in AGENTS.values())
