"""Agents with ``action`` and ``update``, as the adapter calls them."""

from typing import ClassVar

import pytest

from firebox.hanabi.example import example_messages
from firebox.loading import LoadError
from grader.interfaces.referee_python.firebox_referee.seat import RefereeSeat, referee_class

START, TURN, END = example_messages()


class Noting:
    """Keeps what it was called with."""

    made: ClassVar = []

    def __init__(self, seat, **referee):
        self.seat, self.referee, self.told = seat, referee, []
        self.made.append(self)

    def update(self, seat, event, **referee):
        self.told.append((seat, event))

    def action(self, observation, legal_actions, **referee):
        assert legal_actions == observation.legal_actions
        return legal_actions[-1]


def test_an_agent_is_made_told_and_asked_in_this_order():
    seat = RefereeSeat(Noting)
    assert seat.send(START) == {"type": "ready"}
    agent = Noting.made[-1]
    assert agent.seat == START["seat"]
    assert agent.referee.keys() == {"game", "options", "players", "random"}
    assert agent.referee["options"] == START["options"]
    reply = seat.send(TURN)
    assert reply["action"] == TURN["legal"][-1]
    assert [told for told, _ in agent.told] == [event.get("seat") for event in TURN["events"]]
    assert seat.send(END) is None
    assert len(agent.told) == len(TURN["events"]) + len(END["events"])


def test_an_answer_that_is_no_action_is_the_agents_error():
    class Silent(Noting):
        def action(self, **referee):
            return None

    seat = RefereeSeat(Silent)
    seat.send(START)
    with pytest.raises(TypeError, match="act"):
        seat.send(TURN)


def test_the_class_is_agent_or_the_only_one_with_both_methods():
    class Other(Noting):
        pass

    assert referee_class({"Agent": Other, "Noting": Noting}) is Other
    assert referee_class({"Noting": Noting, "int": int}) is Noting
    for namespace in ({}, {"Noting": Noting, "Other": Other}):
        with pytest.raises(LoadError, match="write a class Agent with action and update"):
            referee_class(namespace)
