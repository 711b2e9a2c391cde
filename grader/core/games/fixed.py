"""Games whose rules have no options, apart from the number of players."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import ClassVar, Self

from grader.core.games import checks
from grader.core.games.base import Game, JsonObject


@dataclass(frozen=True)
class FixedOptions:
    """The options that every game has."""

    variant: str = "standard"
    """The named set of options."""
    players: int = 2
    """The number of players."""


@dataclass(frozen=True)
class FixedRules(Game):
    """A game with one variant. A subclass names it, deals, and reads and writes actions."""

    players: int = 2

    fewest_players: ClassVar[int] = 2
    most_players: ClassVar[int] = 2
    options_type: ClassVar[type] = FixedOptions

    @classmethod
    def variants(cls) -> Mapping[str, JsonObject]:
        """The one variant."""
        return {"standard": {}}

    @classmethod
    def from_options(cls, options: JsonObject) -> Self:
        """Take the number of players, and nothing else."""
        default = asdict(FixedOptions(players=cls.default_players))
        values = {**default, **options}
        checks.refuse_unknown(values, default)
        checks.word(values, "variant", cls.variants())
        return cls(checks.integer(values, "players", cls.fewest_players, cls.most_players))

    @property
    def options(self) -> JsonObject:
        """All options."""
        return asdict(FixedOptions(players=self.players))

    @property
    def seats(self) -> int:
        """A seat for each player."""
        return self.players

    @property
    def fault_scores(self) -> tuple[int, ...]:
        """The worst score for everybody."""
        low, high = self.score_range
        return (high if self.lower_is_better else low,) * self.seats
