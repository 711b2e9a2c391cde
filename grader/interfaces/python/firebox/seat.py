"""The wire's messages, turned into calls of an agent's methods and back: no pipes, no JSON.

The one place that knows in which order an agent is called, whether it plays behind pipes in the
sandbox (``firebox.adapter``) or in this process (tests, house agents).
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final, TypeAlias

import firebox
from firebox import Agent, Context, any_game

JsonObject: TypeAlias = Mapping[str, Any]

GAMES: Final[Mapping[str, ModuleType]] = {
    module.name: import_module(f"firebox.{module.name}")
    for module in iter_modules(firebox.__path__)
    if module.ispkg
}
"""The package of each game that has types of its own; ``any_game`` serves all others."""


class LocalSeat:
    """An agent of a given class, driven with messages of the wire.

    Whatever the agent raises comes through, and a TypeError if it returns no action.
    """

    def __init__(self, agent_class: Callable[[], Any]) -> None:
        """Create the agent. Anything with a method ``act`` will do; the other two are optional."""
        self._agent = agent_class()
        self._on_event = _overridden(self._agent, "on_event")
        self.game: ModuleType
        """The game's module, once the ``start`` message has come."""

    def send(self, message: JsonObject) -> dict[str, Any] | None:
        """Handle one message, whatever its type; the reply, if it has one."""
        kind = message["type"]
        if kind == "turn":
            action = self.game.action_to_wire(self.act(message))
            return {"type": "action", "turn": message["turn"], "action": action}
        if kind == "start":
            self.start(message)
            return {"type": "ready"}
        self.end(message)
        return None

    def start(self, message: JsonObject) -> None:
        """Tell the agent about the game."""
        context = self._begin(message)
        start = _overridden(self._agent, "start")
        if start is not None:
            start(context)

    def _begin(self, message: JsonObject) -> Context:
        self.game = GAMES.get(message["game"], any_game)
        context = Context.from_wire(message)
        self._options = context.options
        self._observation = self.game.observation_from_wire
        self._actions = self.game.ACTION_TYPES
        return context

    def act(self, message: JsonObject) -> Any:
        """The agent's action, one of the game's types, for a ``turn`` message."""
        if self._on_event is not None:
            self._tell(self._on_event, message["events"])
        action = self._agent.act(self._observation(message, self._options))
        if type(action) not in self._actions:
            self.game.action_to_wire(action)  # raises the TypeError that says what is expected
        return action

    def end(self, message: JsonObject) -> None:
        """Tell the agent the last events."""
        if self._on_event is not None:
            self._tell(self._on_event, message["events"])

    def _tell(self, on_event: Callable[[Any], None], events: Sequence[JsonObject]) -> None:
        typed = self.game.event_from_wire
        for event in events:
            on_event(typed(event))


def _overridden(agent: object, method: str) -> Callable[[Any], None] | None:
    """Return the agent's own ``method``; ``None`` if it has none or the base class's empty one."""
    function: Callable[[Any], None] | None = getattr(agent, method, None)
    return None if getattr(function, "__func__", None) is getattr(Agent, method) else function
