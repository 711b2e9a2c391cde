"""Types for agents written in Python: subclass ``Agent``, implement ``act``.

    from firebox import Agent
    from firebox.hanabi import Action, Observation

    class Cautious(Agent):
        def act(self, observation: Observation) -> Action:
            return observation.legal_actions[0]

One object of your class plays one seat of one game, in a process of its own. Nothing survives to
the next game: no files, no network, no other processes. What you print goes to the game's log.
This package needs nothing but Python 3.11 or newer.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import Any, Final

__all__ = ["PROTOCOL", "Agent", "Context"]

PROTOCOL: Final = 1
"""Version of the wire protocol that this package speaks."""


@dataclass(frozen=True)
class Context:
    """Information that an agent receives before the game begins."""

    game: str
    """The game's name, for example ``hanabi``."""
    options: Mapping[str, Any]
    """All options of the rules, written out: ``options["hint_tokens"]``. Read-only."""
    seat: int
    """Your seat, from 0. It stays the same for the whole game."""
    players: int
    """The number of seats."""
    seed: int
    """A number below 2^53 for your own randomness, different in every game and seat."""

    @cached_property
    def random(self) -> Random:
        """A generator seeded with ``seed``. Use it instead of the module's functions, so that a
        game can be played again exactly as it was."""
        return Random(self.seed)  # noqa: S311 - for playing, not for secrets

    @classmethod
    def from_wire(cls, message: Mapping[str, Any]) -> "Context":
        """Read the wire's ``start`` message."""
        return cls(
            game=message["game"],
            options=MappingProxyType(message["options"]),
            seat=message["seat"],
            players=message["players"],
            seed=message["seed"],
        )


class Agent(ABC):
    """One player in one seat of one game. Your class is created without arguments."""

    def start(self, context: Context) -> None:  # noqa: B027 - optional on purpose
        """Called once, before anything else. Prepare here: this has a time limit of its own."""

    @abstractmethod
    def act(self, observation: Any) -> Any:
        """Choose an action; called whenever it is your turn.

        ``observation`` holds everything you may know, and ``observation.legal_actions`` all that
        you may do. Both types are in the game's module, for example ``firebox.hanabi``.
        """

    def on_event(self, event: Any) -> None:  # noqa: B027 - optional on purpose
        """Called for each event, in order, just before ``act`` and at the end.

        Optional: the same events are in ``observation.events``.
        """
