"""Driving an agent in this process: the same calls and replies as behind pipes."""

from typing import Any

import pytest

from firebox import Agent, Context, any_game
from firebox.adapter import LocalSeat, warm_up
from firebox.hanabi import Hint, Observation, Play
from firebox.seat import GAMES as LIBRARY
from grader.core.games import GAMES, game_from_options
from grader.play.players import LocalPlayer, play_game
from tests.grader.interfaces.python.transcripts import end, start, turn
from tests.support.every import every


class Recording(Agent):
    """Remembers its calls."""

    def __init__(self) -> None:
        self.calls: list[Any] = []

    def start(self, context: Context) -> None:
        self.context = context
        self.calls.append("start")

    def on_event(self, event: Any) -> None:
        self.calls.append(type(event).__name__)

    def act(self, observation: Observation) -> Any:
        self.calls.append("act")
        return Hint(1, color="R")


def test_replies_are_those_of_the_wire() -> None:
    seat = LocalSeat(Recording)
    assert seat.send(start()) == {"type": "ready"}
    hint = {"type": "hint", "to": 1, "color": "R"}
    assert seat.send(turn(5)) == {"type": "action", "turn": 5, "action": hint}
    assert seat.send(end()) is None


def test_events_come_before_the_turn_they_belong_to() -> None:
    agent = Recording()
    seat = LocalSeat(lambda: agent)
    seat.send(start())
    seat.send(turn())
    seat.send(end())
    assert agent.calls == (
        [
            "start",
            "Dealt",
            "Hinted",
            "Played",
            "Drawn",
            "Discarded",
            "Drawn",
            "Swapped",
            "act",
            "Played",
        ]
    )


def test_the_context_says_what_the_start_message_says() -> None:
    agent = Recording()
    LocalSeat(lambda: agent).send(start(seat=1))
    context = agent.context
    assert (context.game, context.seat, context.players, context.seed) == ("hanabi", 1, 2, 7)
    assert context.options["hint_tokens"] == 8
    with pytest.raises(TypeError):
        context.options["hint_tokens"] = 9  # type: ignore[index] - that is the point


def test_the_same_seed_gives_the_same_random_numbers() -> None:
    numbers = [Context.from_wire(start(seed=seed)).random.random() for seed in (3, 3, 4)]
    assert numbers[0] == numbers[1] != numbers[2]


def test_the_generator_continues_where_it_stopped() -> None:
    context = Context.from_wire(start())
    assert context.random.random() != context.random.random()


def test_a_class_that_only_acts_is_enough() -> None:
    class Duck:
        def act(self, observation: Observation) -> Play:
            return Play(observation.turn)

    seat = LocalSeat(Duck)
    seat.send(start())
    reply = seat.send(turn(2))
    assert reply is not None
    assert reply["action"] == {"type": "play", "card": 2}


def test_the_library_has_types_for_every_game() -> None:
    assert list(LIBRARY) == list(GAMES)


class First(Agent):
    """Takes the first legal action."""

    def on_event(self, event: Any) -> None:
        assert event is not None

    def act(self, observation: Any) -> Any:
        return observation.legal_actions[0]


@pytest.mark.parametrize("name", GAMES)
def test_an_agent_plays_every_game_with_the_librarys_types(name: str) -> None:
    game = game_from_options(name, {})
    record = play_game(game, bytes(32), [LocalPlayer(First) for _ in range(game.seats)])
    assert record.fault is None
    assert record.actions


def test_a_process_warms_up_with_an_example_of_every_game() -> None:
    warm_up()


def test_fields_of_a_game_without_types_of_its_own_are_attributes() -> None:
    class Careful(Recording):
        def act(self, observation: any_game.Observation) -> Any:
            assert observation.board[1].piece == "knight"
            assert "clock" not in observation
            with pytest.raises(AttributeError, match="no field clock; its fields are board"):
                observation.clock  # noqa: B018 - reading it is the test
            assert observation.events[0] == any_game.Event(type="begin", by=None)
            last = observation.legal_actions[-1]
            assert {last} == {any_game.Action(type="move", to=[3, 4])}
            return any_game.Action(type="move", to=last.to)

    seat = LocalSeat(Careful)
    seat.send(start(game="chess"))
    moves = [{"type": "pass"}, {"type": "move", "to": [3, 4]}]
    message = {"type": "turn", "turn": 0, "legal": moves, "events": [{"type": "begin", "by": None}]}
    reply = seat.send(message | {"observation": {"board": [None, {"piece": "knight"}]}})
    assert reply == {"type": "action", "turn": 0, "action": {"type": "move", "to": [3, 4]}}


@every("value", [None, "p0", 3, {"type": "play", "card": 0}, Play])
def test_returning_no_action_is_a_type_error_that_names_it(value: Any) -> None:
    class Confused(Agent):
        def act(self, observation: Observation) -> Any:
            return value

    seat = LocalSeat(Confused)
    seat.send(start())
    with pytest.raises(TypeError, match="act\\(\\) must return Play, Discard, Hint or Swap"):
        seat.send(turn())
