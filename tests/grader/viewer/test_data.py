"""The viewer's data: every scene, restored; small; and only checked fields."""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from grader.conformance import every_game
from grader.core.deals import deal_seed
from grader.core.errors import RecordError
from grader.core.games import (
    GAMES,
    Game,
    JsonObject,
    Presentation,
    State,
    game_from_options,
    presented,
)
from grader.core.games.scenes import actions_before, plain
from grader.core.records import Fault, FaultKind, Printed, Record
from grader.viewer import Seat, restored, viewed
from tests.grader.core.games.policies import at_random, cheating, played

SEED = deal_seed(b"what the viewer is sent", 0)
SEATS = (Seat(name="Ada", own=True), Seat(name="Ben"))
FIRST_VARIANTS = {next(iter(family.variants())) for family in GAMES.values()}


def a_record(game: Game, actions: Sequence[str] | None = None) -> Record:
    state = game.deal(SEED)
    if actions is None:
        rng = Random(5)  # noqa: S311 - repeatable test data
        actions = played(game, state, at_random, rng)
    else:
        for notation in actions:
            state.apply(game.parse(notation))
    return Record(
        game=game.name,
        rules_version=game.rules_version,
        options=dict(game.options),
        deal_seed=SEED.hex(),
        actions=" ".join(actions),
        charged_us=tuple(range(100, 100 + len(actions))),
        ending=state.ending or "",
        fault=None,
        scores=state.scores(),
    )


def broken_off(record: Record, *, turn: int, kind: FaultKind = FaultKind.CRASH) -> Record:
    """The record, ended by a fault; turn −1: while starting."""
    actions = record.actions.split()[: max(turn, 0)]
    game = game_from_options(record.game, record.options)
    fault = Fault(seat=turn % 2 if turn >= 0 else 0, kind=kind, turn=turn, detail="x\x1b[1m")
    return replace(
        record,
        actions=" ".join(actions),
        charged_us=record.charged_us[: turn + 1],
        ending="fault",
        fault=fault,
        scores=game.fault_scores,
    )


@pytest.fixture
def hanabi() -> Record:
    return a_record(game_from_options("hanabi", {}))


def parameters() -> Iterator[Any]:
    for name, game in every_game():
        slow = game.options["variant"] not in FIRST_VARIANTS
        yield pytest.param(game, id=name, marks=[pytest.mark.slow] if slow else [])


@pytest.mark.parametrize("game", list(parameters()))
def test_the_scenes_come_back_from_what_is_sent(game: Game) -> None:
    record = a_record(game)
    data = json.loads(json.dumps(viewed(record, seats=[Seat(name="Ada")] * game.seats)))
    scenes = list(presented(game).scenes(SEED, map(game.parse, record.actions.split())))
    assert list(restored(data)) == json.loads(json.dumps(scenes))
    assert len(data["charged_us"]) == actions_before(restored(data))[-1]
    assert data["scores"] == list(record.scores)


def test_a_game_of_ninety_turns_is_under_10_kb_compressed() -> None:
    """Discarding and hinting as long as it goes: no play without swaps is longer."""
    game = game_from_options("hanabi", {})
    state, actions = game.deal(SEED), []
    while state.seat_to_act is not None:
        legal = [game.notate(each) for each in state.legal_actions()]
        hints = [each for each in legal if each[0] == "h"]
        discards = [each for each in legal if each[0] == "d"]
        actions.append((hints or discards)[len(actions) % 3])
        state.apply(game.parse(actions[-1]))
    data = viewed(a_record(game, actions), seats=SEATS)
    assert len(data["turns"]) >= 89
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    assert len(gzip.compress(text.encode(), 6)) < 10_000


def test_the_data_have_seats_and_ending(hanabi: Record) -> None:
    data = viewed(hanabi, seats=SEATS)
    assert data["seats"] == [{"name": "Ada", "own": True}, {"name": "Ben", "own": False}]
    assert data["ending"] == "last life lost"
    assert data["options"] == hanabi.options
    assert (data["game"], data["title"]) == ("hanabi", "Hanabi")


def test_a_fault_is_the_last_turn_and_leaves_the_table_as_it_was(hanabi: Record) -> None:
    data = viewed(broken_off(hanabi, turn=3), seats=SEATS)
    *_, before, last = restored(data)
    assert len(data["turns"]) == 4
    assert plain(last["said"]) == "Seat 2 fails and ends the game: crash."
    assert (last["mark"], last["effect"]) == ("fault", "X\\x1b[1m")
    assert (last["move"], last["to_act"], last["seat"]) == (None, None, 1)
    assert last["hand0"] == before["hand0"]
    assert data["ending"] == "ended by a fault"


def test_a_fault_forfeits_the_points_made_before_it() -> None:
    game = game_from_options("hanabi", {})
    rng = Random(5)  # noqa: S311 - repeatable test data
    record = a_record(game, played(game, game.deal(SEED), cheating(0.0), rng))
    data = viewed(broken_off(record, turn=40), seats=SEATS)
    *_, before, last = restored(data)
    assert min(before["scores"]) > 0
    assert last["scores"] == data["scores"] == [0, 0]


def test_a_fault_while_starting_is_shown(hanabi: Record) -> None:
    data = viewed(broken_off(hanabi, turn=-1), seats=SEATS)
    assert plain(list(restored(data))[-1]["said"]) == "Seat 1 fails while starting: crash."
    assert data["charged_us"] == []


def test_the_data_have_output_only_if_it_is_given(hanabi: Record) -> None:
    assert viewed(hanabi, seats=SEATS)["printed"] == []
    printed = [Printed(turn=2, seat=0, text="thinking\x00\nhard")]
    data = viewed(hanabi, seats=SEATS, printed=printed)
    assert data["printed"] == [[2, 0, "thinking\\x00\nhard"]]


def test_a_record_that_contradicts_the_rules_is_refused(hanabi: Record) -> None:
    with pytest.raises(RecordError, match="scores"):
        viewed(replace(hanabi, scores=(25, 25)), seats=SEATS)


class Counting(State):
    """One, two, three: a play of the smallest game there is."""

    def __init__(self) -> None:
        self._turn = 0

    turn = property(lambda self: self._turn)  # type: ignore[assignment]
    seat_to_act = property(lambda self: None if self._turn == 3 else self._turn % 2)  # type: ignore[assignment]
    ending = property(lambda self: "counted" if self._turn == 3 else None)  # type: ignore[assignment]

    def legal_actions(self) -> Sequence[JsonObject]:
        return [] if self._turn == 3 else [{"type": "count"}]

    def apply(self, action: JsonObject) -> None:
        self._turn += 1

    def observe(self, seat: int) -> JsonObject:
        return {}

    def events(self, seat: int) -> Sequence[JsonObject]:
        return ()

    def scores(self) -> tuple[int, ...]:
        return (self._turn, self._turn)

    def describe(self, action: JsonObject) -> str:
        return f"seat {self.seat_to_act + 1} says {self._turn + 1}"

    def text(self) -> str:
        return "I" * self._turn


def test_a_game_that_draws_nothing_of_its_own_is_shown_as_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(GAMES["hanabi"], "deal", lambda _self, _seed: Counting())
    game = Presentation(game_from_options("hanabi", {}))
    shown = list(game.scenes(SEED, [{}, {}, {}]))
    assert [scene["text"] for scene in shown] == ["", "I", "II", "III"]
    assert plain(shown[2]["said"]) == "Seat 2 says 2."
    assert plain(shown[2]["brief"]) == "says 2"
    assert [scene["seat"] for scene in shown] == [None, 0, 1, 0]
    assert shown[-1]["scores"] == [3, 3]
