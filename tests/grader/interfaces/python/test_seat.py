"""Driving an agent in this process: the same calls and replies as behind pipes."""

from typing import Any

import pytest

from firebox import Agent, Context, any_game
from firebox.adapter import LocalSeat
from firebox.hanabi import Observation, Play
from firebox.seat import GAMES as LIBRARY
from grader.core.games import GAMES, game_from_options
from grader.play.players import LocalPlayer, play_game
from tests.grader.interfaces.python.transcripts import start, turn


def test_the_context_says_what_the_start_message_says_and_has_its_random_numbers() -> None:
    context = Context.from_wire(start(seat=1))
    assert (context.game, context.seat, context.players, context.seed) == ("hanabi", 1, 2, 7)
    assert context.options["hint_tokens"] == 8
    with pytest.raises(TypeError):
        context.options["hint_tokens"] = 9  # type: ignore[index] - that is the point
    numbers = [Context.from_wire(start(seed=seed)).random.random() for seed in (3, 3, 4)]
    assert numbers[0] == numbers[1] != numbers[2]


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


def test_fields_of_a_game_without_types_of_its_own_are_attributes() -> None:
    class Careful(Agent):
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
