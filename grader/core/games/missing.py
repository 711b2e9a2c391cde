"""Games whose rules are not here: their results can be read, and nothing can be played."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from typing import Any, ClassVar, Self

import msgspec

from grader.core.errors import GraderError, RulesError
from grader.core.games.base import Game, JsonObject, ResultKind, State


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """The parts of a game that its results are shown with. JSON can keep them."""

    name: str
    title: str
    rules_version: int
    lower_is_better: bool
    competitive: bool
    lost_score: int | None
    default_players: int
    endings: Mapping[str, str]
    score_range: tuple[int, int]
    """With the default options."""
    result: ResultKind = ResultKind.POINTS
    unit: str = "1"
    """A fraction, ``1/240``."""


def facts_of(game: type[Game]) -> GameFacts:
    """Return the facts of an installed game."""
    default = game.from_options({"players": game.default_players})
    own = {field.name: getattr(game, field.name) for field in fields(GameFacts)}
    endings = {str(word): text for word, text in game.endings.items()}
    made = {"endings": endings, "score_range": default.score_range, "unit": str(game.unit)}
    return GameFacts(**{**own, **made})


class GameWithoutRules(Game):
    """A game that is known by its facts alone."""

    def deal(self, seed: bytes) -> State:  # noqa: ARG002 - as of all games
        """Refuse."""
        raise self._refusal()

    def notate(self, action: JsonObject) -> str:  # noqa: ARG002
        """Refuse."""
        raise self._refusal()

    def parse(self, notation: str) -> JsonObject:  # noqa: ARG002
        """Refuse."""
        raise self._refusal()

    @abstractmethod
    def _refusal(self) -> GraderError:
        """Say why the rules are not here."""


@dataclass(frozen=True)
class MissingGame(GameWithoutRules):
    """The game that an assignment was for. Every option that it had is accepted."""

    is_installed = False
    facts: ClassVar[GameFacts]

    given: tuple[tuple[str, Any], ...]

    @classmethod
    def variants(cls) -> Mapping[str, JsonObject]:
        return {}

    @classmethod
    def from_options(cls, options: JsonObject) -> Self:
        defaults = {"variant": "standard", "players": cls.default_players}
        return cls(tuple({**defaults, **options}.items()))

    @property
    def options(self) -> JsonObject:
        return dict(self.given)

    @property
    def seats(self) -> int:
        return int(self.options["players"])

    @property
    def fault_scores(self) -> tuple[int, ...]:
        low, high = self.score_range
        return (high if self.lower_is_better else low,) * self.seats

    @property
    def score_range(self) -> tuple[int, int]:
        return self.facts.score_range

    def _refusal(self) -> RulesError:
        return RulesError(f"{self.title} {self.rules_version} is not installed here")


@cache
def missing_game(facts: str) -> type[MissingGame]:
    """Return the class of a game with these facts, as JSON."""
    known = msgspec.json.decode(facts, type=GameFacts)
    own = {field.name: getattr(known, field.name) for field in fields(GameFacts)}
    del own["score_range"]
    made = {"facts": known, "unit": Fraction(known.unit)}
    return type(f"Missing{known.name}", (MissingGame,), {**own, **made})
