"""Games whose folder an instructor uploaded: facts, which a sandbox told. No rules are here.

The rules run in a sandbox on a grader. The site shows such a game by its facts, and each play of it
by the scenes that a grader drew. What a sandbox told is untrusted: reading it bounds every value.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final, Self, TypeAlias

import msgspec

from grader.core.errors import GameFault, RecordError, RulesError
from grader.core.games.base import ChanceIn, Game, JsonObject, ResultKind
from grader.core.games.grids import Colour, Grid, Piece
from grader.core.games.missing import GameWithoutRules
from grader.core.words import printable

UPLOADED: Final = "uploaded:"
"""The beginning of such games' names. The digest in a name keeps versions apart."""
_DIGITS: Final = 16
_MOST_SCORE: Final = 10**9

Word: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]{0,19}\Z")]
Line: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=_MOST_SCORE)]
Score: TypeAlias = Annotated[int, msgspec.Meta(ge=-_MOST_SCORE, le=_MOST_SCORE)]
Value: TypeAlias = (
    Annotated[str, msgspec.Meta(max_length=100)]
    | Annotated[int, msgspec.Meta(ge=-_MOST_SCORE, le=_MOST_SCORE)]
    | bool
    | None
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceFacts:
    """A ``Piece``, with the value that stands for it in observations."""

    value: Value
    letter: Annotated[str, msgspec.Meta(min_length=1, max_length=2)]
    words: Line
    colour: Colour
    is_disc: bool
    seat: Annotated[int, msgspec.Meta(ge=0, lt=10)] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GridFacts:
    """A ``Grid``."""

    field: Line
    pieces: Annotated[tuple[PieceFacts, ...], msgspec.Meta(max_length=100)]
    cell: Annotated[tuple[Line, ...], msgspec.Meta(min_length=1, max_length=2)]

    @property
    def grid(self) -> Grid:
        """The grid that pages draw."""
        pieces = {
            piece.value: Piece(
                letter=printable(piece.letter),
                words=printable(piece.words),
                colour=piece.colour,
                is_disc=piece.is_disc,
                seat=piece.seat,
            )
            for piece in self.pieces
        }
        return Grid(field=self.field, pieces=pieces, cell=self.cell)


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesFacts:
    """One variant with one number of players."""

    variant: Word
    players: Annotated[int, msgspec.Meta(ge=1, le=10)]
    options: Annotated[dict[str, Value], msgspec.Meta(max_length=40)]
    """All options, in the game's own order."""
    score_range: tuple[Score, Score]
    forfeits: Annotated[tuple[tuple[Score, ...], ...], msgspec.Meta(min_length=1, max_length=10)]
    """By the seat whose fault ended a game, the points of each seat."""
    distinct_deals: Count | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleFacts:
    """The first turn of a practice game with the default players: what starter kits show."""

    seat: Annotated[int, msgspec.Meta(ge=0, lt=10)]
    events: list[dict[str, Any]]
    observation: dict[str, Any]
    legal: list[dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedFacts:
    """The parts of an uploaded game that pages and graders know."""

    own_name: Word
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    rules_version: Count
    lower_is_better: bool
    competitive: bool
    result: ResultKind
    unit: Annotated[str, msgspec.Meta(pattern=r"^[1-9][0-9]{0,8}(/[1-9][0-9]{0,8})?\Z")]
    """A fraction, ``1/2``."""
    hides_nothing: bool
    chance: ChanceIn
    lost_score: Score | None
    lost_reason: Annotated[str, msgspec.Meta(max_length=200)]
    default_players: Annotated[int, msgspec.Meta(ge=1, le=10)]
    endings: Annotated[dict[Word, Line], msgspec.Meta(max_length=40)]
    variant_titles: Annotated[dict[Word, Line], msgspec.Meta(max_length=20)]
    guide: Annotated[str, msgspec.Meta(max_length=20_000)]
    """The game's page in the guide, as Markdown."""
    view: GridFacts | None
    example: ExampleFacts | None
    """``None`` on graders, which play such turns."""
    rules: Annotated[tuple[RulesFacts, ...], msgspec.Meta(min_length=1, max_length=60)]


def read_facts(text: bytes | str) -> UploadedFacts:
    """Read facts that a sandbox told. Raises GameFault."""
    try:
        facts = msgspec.json.decode(text, type=UploadedFacts)
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise GameFault(f"what the rules say about themselves cannot be used: {error}") from error
    for rules in facts.rules:
        low, high = rules.score_range
        forfeits = [score for scores in rules.forfeits for score in scores]
        if low > high or not low <= min(forfeits) <= max(forfeits) <= high:
            raise GameFault(f"`score_range` is {low} to {high}, and a score is beyond it")
        if {len(rules.forfeits), *map(len, rules.forfeits)} != {rules.players}:
            raise GameFault(f"`forfeit` does not give {rules.players} scores for each seat")
        if (rules.options.get("variant"), rules.options.get("players")) != (
            rules.variant,
            rules.players,
        ):
            raise GameFault("`options` lack the variant or the players that they were made of")
        for name, value in rules.options.items():
            if not name.isidentifier() or printable(f"{value}") != f"{value}":
                raise GameFault(f"the option {name!a} has no name of Python, or cannot be shown")
    first = facts.rules[0].variant
    if (first, facts.default_players) not in {(each.variant, each.players) for each in facts.rules}:
        raise GameFault(f"{first} is not for {facts.default_players} players, the default")
    return facts


@dataclass(frozen=True)
class UploadedGame(GameWithoutRules):
    """A game by its facts. A grader plays it by a subclass that asks a sandbox."""

    facts: ClassVar[UploadedFacts]
    variant: str
    players: int

    @classmethod
    def variants(cls) -> Mapping[str, JsonObject]:
        """The variants that the rules named."""
        return {rules.variant: {"variant": rules.variant} for rules in cls.facts.rules}

    @classmethod
    def from_options(cls, options: JsonObject) -> Self:
        """Find the rules of this variant and number of players: single options cannot differ."""
        variant = options.get("variant", next(iter(cls.variants())))
        counts = [rules.players for rules in cls.facts.rules if rules.variant == variant]
        default = cls.default_players if cls.default_players in counts else min(counts, default=0)
        players = options.get("players", default)
        for rules in cls.facts.rules:
            if rules.variant == variant and rules.players == players:
                break
        else:
            known = variant in cls.variants()
            wrong = f"{players!r} players" if known else f"a variant {variant!r}"
            raise RulesError(
                f"{cls.title} has no {wrong}"[:200], option="players" if known else "variant"
            )
        for name, value in options.items():
            if name not in rules.options or rules.options[name] != value:
                raise RulesError(f"{cls.title} has no such option: {name[:40]}", option=name)
        return cls(rules.variant, rules.players)

    @property
    def _rules(self) -> RulesFacts:
        return next(
            rules
            for rules in self.facts.rules
            if (rules.variant, rules.players) == (self.variant, self.players)
        )

    @property
    def options(self) -> JsonObject:
        """All options."""
        return dict(self._rules.options)

    @property
    def seats(self) -> int:
        """A seat for each player."""
        return self.players

    @property
    def fault_scores(self) -> tuple[int, ...]:
        """The scores of a game that a fault of the first seat ended."""
        return self._rules.forfeits[0]

    def forfeit(self, seat: int) -> tuple[int, ...]:
        """Return what the rules said for a fault of this seat."""
        return self._rules.forfeits[seat]

    @property
    def score_range(self) -> tuple[int, int]:
        """The bounds of a seat's score. A grader refuses other scores."""
        return self._rules.score_range

    @property
    def distinct_deals(self) -> int | None:
        """The number of deals, as the rules counted them."""
        return self._rules.distinct_deals

    def _refusal(self) -> RecordError:
        return RecordError(f"the rules of {self.title} were uploaded and run on graders alone")


def name_of(facts: UploadedFacts, sha256: str) -> str:
    """Return the name of the game in a folder with this digest."""
    return f"{UPLOADED}{facts.own_name}_{sha256[:_DIGITS]}"


def facts_digest(facts: UploadedFacts) -> str:
    """Return the SHA-256 of what the rules must say again whenever they are played."""
    rules = tuple(replace(each, distinct_deals=None) for each in facts.rules)
    told = replace(facts, guide="", example=None, rules=rules)
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()


def for_requests(game: type[Game]) -> dict[str, Any]:
    """Return the fields of a request to graders that are of uploaded games alone."""
    if not issubclass(game, UploadedGame):
        return {}
    return {"game_folder": game.folder, "game_facts": facts_digest(game.facts)}


_ATTRIBUTES: Final = tuple(
    field.name
    for field in fields(UploadedFacts)
    if field.name not in {"own_name", "guide", "view", "example", "rules", "unit"}
)


@lru_cache(maxsize=256)
def uploaded_game(
    facts: str, sha256: str, kind: type[UploadedGame] = UploadedGame
) -> type[UploadedGame]:
    """Return the class of a game with these facts, as JSON. Raises GameFault."""
    known = read_facts(facts)
    own: dict[str, Any] = {name: getattr(known, name) for name in _ATTRIBUTES}
    own |= {
        "title": printable(known.title),
        "lost_reason": printable(known.lost_reason),
        "endings": {word: printable(text) for word, text in known.endings.items()},
        "variant_titles": {word: printable(text) for word, text in known.variant_titles.items()},
        "name": name_of(known, sha256),
        "facts": known,
        "folder": sha256,
        "unit": Fraction(known.unit),
        "view": known.view.grid if known.view else None,
        "__doc__": printable(known.guide),
    }
    return type(f"Uploaded{known.own_name}", (kind,), own)
