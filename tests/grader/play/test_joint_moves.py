"""Games in which seats act together: all are asked before any is told, each on its own clock."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from firebox_games.goofspiel import Goofspiel
from grader.core.games import GAMES, presented
from grader.core.position import play_on
from grader.core.prints import apart
from grader.core.records import BatchRequest, FaultKind, GameResult, Record, from_json, to_json
from grader.core.referee import TurnKind
from grader.play.batch import open_batch
from grader.play.slot import Slot
from grader.results.replay import render, replay
from grader.viewer import Seat, restored, viewed
from tests.support.agents import NOBODY, agent, packed, request_for
from tests.support.slots import UNCONFINED, confined

CLOCK = "import sys\nprint(time.monotonic(), file=sys.stderr)\n"
QUICK = agent(CLOCK)
SLOW = agent(CLOCK + "time.sleep(0.3)")
GAME = Goofspiel.from_options({"variant": "short"})


@pytest.fixture(autouse=True)
def _goofspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "goofspiel", Goofspiel)


def play(*sources: str, slot: Slot = UNCONFINED) -> GameResult:
    seats = tuple(range(len(sources)))
    request: BatchRequest = replace(
        request_for([0], seating=(0, 1), sha256=[NOBODY] * len(seats)),
        game="goofspiel",
        options={**GAME.options, "players": len(seats)},
        seating=seats,
        prints_of=seats,
    )
    with open_batch(request, [packed(source) for source in sources], slot) as batch:
        assert batch.playable, batch.builds
        (result,) = batch.games()
        return result


@pytest.mark.docker
@pytest.mark.usefixtures("docker_engine", "warm_sandboxes")
def test_no_seat_learns_from_its_clock_how_long_another_took() -> None:
    result, printed = apart(play(SLOW, QUICK, SLOW, slot=confined()))
    record = result.record
    assert record.fault is None
    woken = {entry.turn: float(entry.text) for entry in printed}
    for first in range(0, 12, 3):
        times = [woken[first + seat] for seat in range(3)]
        assert max(times) - min(times) < 0.25, "a slow seat was waited for"
    slow, quick = record.charged_us[0::3], record.charged_us[1::3]
    assert min(slow) > 250_000
    assert max(quick) < 250_000, "a seat pays for its own time alone"


@pytest.mark.slow
def test_a_record_with_joint_moves_is_stored_replayed_and_drawn() -> None:
    record = play(QUICK, agent("return observation.legal_actions[0]")).record
    assert record.actions == "b4 b1 b3 b2 b2 b3 b1 b4"
    again = from_json(to_json(record), Record)
    assert replay(again).scores() == record.scores
    assert "seat 2 bids 1" in render(again)
    scenes = list(restored(viewed(again, seats=[Seat(name="Ada"), Seat(name="Ben")])))
    assert [scene["seat"] for scene in scenes] == [None, *(0, 1) * 4]


FAILS = agent("raise ValueError(self.context.seat)")
ILLEGAL = agent("from firebox.any_game import Action\nreturn Action(type='bid', card=9)")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sources", "seat", "turn", "kind"),
    [
        ([FAILS, QUICK], 0, 0, FaultKind.CRASH),
        ([QUICK, FAILS], 1, 1, FaultKind.CRASH),
        ([QUICK, ILLEGAL], 1, 1, FaultKind.ILLEGAL),
        ([ILLEGAL, FAILS], 0, 0, FaultKind.ILLEGAL),
    ],
)
def test_a_fault_in_a_joint_move_is_the_first_seats(
    sources: Sequence[str], seat: int, turn: int, kind: FaultKind
) -> None:
    result = play(*sources)
    fault = result.record.fault
    assert fault is not None
    assert (fault.seat, fault.turn, fault.kind) == (seat, turn, kind)
    assert len(result.record.charged_us) == turn + 1
    replay(result.record)


def test_a_person_at_the_table_sees_no_bid_before_all_are_made() -> None:
    seed = bytes(32)
    asked = play_on(GAME, seed, ["b4"]).asked
    alone = play_on(GAME, seed, ["b3"]).asked
    assert asked is not None
    assert (asked.seat, asked.kind) == (1, TurnKind.ACT)
    assert asked == alone
    scenes = list(presented(GAME).scenes(seed, map(GAME.parse, ["b4", "b2"]), seat=1))
    assert [scene["said"] for scene in scenes[1:]] == [
        ["Seat 1 acts."],
        ["Seat 1 bids 4, seat 2 bids 2."],
    ]
    assert scenes[1]["text"] == scenes[0]["text"]
