"""Games that are over, as people may play on from any turn of them.

Their pages check who may see a game before one is made here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from grader.core.games import Game, JsonObject, presented
from grader.core.games.scenes import actions_before, plain
from grader.core.position import state_after
from webapp.base.errors import Refused
from webapp.contests.playing.models import Origin
from webapp.teaching.courses.models import Assignment


@dataclass(frozen=True, kw_only=True)
class PastGame:
    """A game that is over, by whatever it was played."""

    assignment: Assignment
    rules: Game
    deal_seed: str
    actions: tuple[str, ...]
    """In the game's notation, without that of a fault."""
    names: tuple[str, ...]
    keys: Mapping[str, str] = field(default_factory=dict)
    """Keys of ``agents_for`` by the names of agents that have another name there."""
    address: str
    title: str
    is_faulted: bool
    """True if a fault ended it: its page opens at its last turn."""

    @cached_property
    def scenes(self) -> Sequence[JsonObject]:
        seed, actions = bytes.fromhex(self.deal_seed), map(self.rules.parse, self.actions)
        return tuple(presented(self.rules).scenes(seed, actions))

    def turns_at(self, scene: int) -> int:
        """Return the number of actions that led to a scene."""
        return actions_before(self.scenes)[scene]

    def require_going_on(self, turns: int) -> None:
        """Raise Refused unless somebody is to act after these many actions."""
        seed = bytes.fromhex(self.deal_seed)
        if state_after(self.rules, seed, self.actions[:turns]).seat_to_act is None:
            raise Refused("The game is over there. Choose an earlier turn.")

    def next_words(self, turns: int) -> str:
        """Return what happened next, as a sentence; nothing if a fault did."""
        acted = (scene for scene in self.scenes if scene["seat"] is not None)
        following = next((scene for at, scene in enumerate(acted) if at == turns), None)
        return "" if following is None else plain(following["said"])

    def origin(self, turns: int) -> Origin:
        """Return the note of it in a game that is played on from there."""
        move = self.actions[turns] if turns < len(self.actions) else ""
        return Origin(address=self.address, title=self.title, turns=turns, move=move)
