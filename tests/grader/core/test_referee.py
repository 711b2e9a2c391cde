"""The referee by itself: scripted answers in, one record out."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from firebox_games.connect_four import ConnectFour
from grader.core.deals import REFERENCE_SECRET, agent_seed, deal_seed
from grader.core.errors import RecordError
from grader.core.games import GAMES, Game, game_from_options
from grader.core.records import FaultKind, Record, to_json
from grader.core.referee import PlayerFailure, Reply, Turn, TurnKind, referee
from grader.results.replay import render, replay
from grader.viewer import Seat, viewed

SEED = deal_seed(REFERENCE_SECRET, 0)


@pytest.fixture
def game() -> Game:
    return game_from_options("hanabi", {"variant": "standard", "players": 2})


def play(
    game: Game, answers: Sequence[Reply | PlayerFailure] = (), *, seed: bytes = SEED
) -> tuple[Record, list[Turn]]:
    """Give the scripted answers to the first turns, and the first legal action to the others."""
    turns = []
    script = list(answers)
    generator = referee(game, seed)
    answer: Reply | PlayerFailure | None = None
    while True:
        try:
            turn = generator.send(answer) if turns else next(generator)
        except StopIteration as stop:
            return stop.value, turns
        turns.append(turn)
        answer = Reply(None, 0)
        if turn.kind is TurnKind.ACT:
            answer = script.pop(0) if script else Reply(turn.message["legal"][0], 11)
        elif turn.kind is TurnKind.END:
            answer = None


def test_every_seat_is_started_before_the_first_turn_and_learns_of_the_end(game: Game) -> None:
    _, turns = play(game)
    assert [(turn.kind, turn.seat) for turn in turns[:2]] == [
        (TurnKind.START, 0),
        (TurnKind.START, 1),
    ]
    assert [(turn.kind, turn.seat) for turn in turns[-2:]] == [(TurnKind.END, 0), (TurnKind.END, 1)]


def test_the_same_answers_give_the_same_record_byte_for_byte(game: Game) -> None:
    assert to_json(play(game)[0]) == to_json(play(game)[0])


def test_every_event_reaches_every_seat_exactly_once(game: Game) -> None:
    _, turns = play(game)
    told = [[event for turn in turns if turn.seat == seat
             for event in turn.message.get("events", ())] for seat in (0, 1)]  # fmt: skip
    assert [event["type"] for event in told[0]] == [event["type"] for event in told[1]]
    assert [event["type"] for event in told[0]].count("deal") == 1


def test_charged_time_is_recorded_per_turn(game: Game) -> None:
    record, _ = play(game)
    assert set(record.charged_us) == {11}
    assert len(record.charged_us) == len(record.actions.split())


def test_a_failure_to_answer_ends_the_game_as_that_seats_fault(game: Game) -> None:
    late = PlayerFailure(FaultKind.TIMEOUT, "took 1.300 s, allowed are 1 s", 1_300_000)
    record, turns = play(game, [late])
    assert record.fault is not None
    assert (record.fault.seat, record.fault.kind, record.fault.turn) == (0, FaultKind.TIMEOUT, 0)
    assert (record.ending, record.scores, record.actions) == ("fault", (0, 0), "")
    assert record.charged_us == (1_300_000,)
    assert turns[-1].message["ending"] == "fault"


def test_a_fault_forfeits_the_points_made_before_it(game: Game) -> None:
    first_card, seed = {"type": "play", "card": 0}, deal_seed(REFERENCE_SECRET, 3)
    state = game.deal(seed)
    state.apply(first_card)
    assert state.scores() == (1, 1)
    crash = PlayerFailure(FaultKind.CRASH, "ended", 0)
    record, turns = play(game, [Reply(first_card, 5), crash], seed=seed)
    assert (record.actions, record.scores) == ("p0", (0, 0))
    assert turns[-1].message["scores"] == (0, 0)


def test_an_action_the_rules_refuse_is_an_illegal_action(game: Game) -> None:
    record, _ = play(game, [Reply({"type": "play", "card": 99}, 5)])
    assert record.fault is not None
    assert (record.fault.seat, record.fault.kind, record.fault.turn) == (0, FaultKind.ILLEGAL, 0)


def test_an_action_that_the_adapter_refused_is_illegal_with_its_reason(game: Game) -> None:
    record, _ = play(game, [Reply({"type": "refused", "why": "an event of the kind 529"}, 5)])
    assert record.fault is not None
    assert (record.fault.kind, record.fault.detail) == (
        FaultKind.ILLEGAL,
        "an event of the kind 529",
    )


@pytest.mark.parametrize("why", ["x" * 9000, "\x1b[2Jgone\n\u202eabc\udc00", "", None, 7, 1e300])
def test_a_refusals_reason_is_short_and_printable_whatever_was_written(
    game: Game, why: object
) -> None:
    record, _ = play(game, [Reply({"type": "refused", "why": why}, 5)])
    assert record.fault is not None
    assert 0 < len(record.fault.detail) <= 200
    assert record.fault.detail.isprintable()
    to_json(record).encode()


def test_an_agent_that_does_not_start_loses_before_the_first_turn(game: Game) -> None:
    generator = referee(game, SEED)
    next(generator)
    end = generator.send(PlayerFailure(FaultKind.CRASH, "could not be loaded", 0))
    assert end.kind is TurnKind.END
    generator.send(None)
    with pytest.raises(StopIteration) as stop:
        generator.send(None)
    assert stop.value.value.fault.turn == -1


def test_nothing_an_agent_wrote_is_relayed_to_another_seat(game: Game) -> None:
    chatty = Reply({"type": "discard", "card": 0, "psst": "I hold R5"}, 5)
    hint, turns = play(game, [Reply({"type": "hint", "to": 1, "rank": 1, "psst": "R5"}, 5), chatty])
    assert hint is not None
    assert [turn.seat for turn in turns[:3]] == [0, 1, 0]
    assert all("psst" not in repr(turn.message) for turn in turns)


def test_the_agents_own_seed_differs_per_seat_and_is_not_the_deals(game: Game) -> None:
    _, turns = play(game)
    seeds = [turn.message["seed"] for turn in turns[:2]]
    assert seeds == [agent_seed(SEED, 0), agent_seed(SEED, 1)]
    assert seeds[0] != seeds[1]
    assert all(seed < 1 << 53 for seed in seeds)


def test_a_turn_continues_after_a_swap_and_its_time_with_it() -> None:
    game = game_from_options("hanabi", {"variant": "gcc"})
    swap = Reply({"type": "swap", "first": 0, "second": 1}, 5)
    _, turns = play(game, [swap, swap])
    acts = [(turn.seat, turn.continued) for turn in turns if turn.kind is TurnKind.ACT]
    assert acts[:4] == [(0, False), (0, True), (0, True), (1, False)]


def test_a_fault_of_one_of_two_lets_the_other_win_wherever_the_game_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(GAMES, "connect_four", ConnectFour)
    moves = [Reply({"type": "drop", "column": column}, 5) for column in (3, 4)]
    late = PlayerFailure(FaultKind.TIMEOUT, "late", 1_000_001)
    record, turns = play(ConnectFour(), [*moves, late])
    assert record.fault is not None
    assert (record.fault.seat, record.scores) == (0, (-1, 1))
    assert [turn.message["scores"] for turn in turns[-2:]] == [(-1, 1)] * 2
    replay(record)
    assert "Seat 2 won." in render(record)
    assert viewed(record, seats=[Seat(name="Ada"), Seat(name="Ben")])["scores"] == [-1, 1]
    with pytest.raises(RecordError, match="a faulted game scores"):
        replay(replace(record, scores=(0, 0)))
