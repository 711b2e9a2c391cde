"""Messages of the wire as calls of ``action`` and ``update``."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from firebox.loading import LoadError
from firebox.seat import JsonObject, LocalSeat


class RefereeSeat(LocalSeat):
    """An agent made as ``Agent(seat, **referee)``; its exceptions propagate."""

    def __init__(self, agent_class: Callable[..., Any]) -> None:
        self._class: Final = agent_class

    def start(self, message: JsonObject) -> None:
        """Make the agent."""
        context = self._begin(message)
        self._agent = self._class(
            context.seat,
            game=context.game,
            options=context.options,
            players=context.players,
            random=context.random,
        )

    def act(self, message: JsonObject) -> Any:
        """Tell the agent what happened, and ask it for an action."""
        self._update(message["events"])
        observation = self._observation(message, self._options)
        action = self._agent.action(
            observation=observation, legal_actions=observation.legal_actions
        )
        if type(action) not in self._actions:
            self.game.action_to_wire(action)  # raises the TypeError that says what is expected
        return action

    def end(self, message: JsonObject) -> None:
        """Tell the agent the last events."""
        self._update(message["events"])

    def _update(self, events: Sequence[JsonObject]) -> None:
        for event in events:
            self._agent.update(event.get("seat"), self.game.event_from_wire(event))


def referee_class(namespace: Mapping[str, Any]) -> type[Any]:
    """Return the class ``Agent``, or the only one with both methods. Raises LoadError."""
    named = namespace.get("Agent")
    if isinstance(named, type):
        return named
    classes = [
        value
        for value in namespace.values()
        if isinstance(value, type) and hasattr(value, "action") and hasattr(value, "update")
    ]
    if len(classes) == 1:
        return classes[0]
    raise LoadError("agent.py defines no agent: write a class Agent with action and update")
