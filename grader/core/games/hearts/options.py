"""Hearts' options: what may differ between tables, the named variants, and their validation.

``standard`` is the common game of four, with passing, as J. McLeod describes it at pagat.com
(*Hearts*, 2024): the queen of spades breaks hearts, nobody bleeds on the first trick, a moon costs
the others 26. ``fit2102`` is the game of Monash University's course FIT2102: two or four players,
no passing, and the queen does not break hearts.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Final

from grader.core.games import checks
from grader.core.games.base import JsonObject, OptionField, OptionKind

MAX_HANDS: Final = 50
"""A game ends after this many hands, regardless of the totals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeartsOptions:
    """All rules that an instructor can choose; ``read_options`` is the way to make one."""

    variant: str
    """The named variant that filled the options that were not given."""
    players: int
    """Seats at the table, 2 to 4. With three the two of diamonds is left out."""
    hands: int
    """Number of hands in a game; 0: as many as it takes to reach ``end_at``."""
    end_at: int
    """Without a number of hands: the total that ends the game, once the lowest is one seat's."""
    passing: str
    """``cycle``: three cards to the left, to the right, across, then none, and so on; three players
    do not pass across, two only across. ``none``: nobody passes cards."""
    bleeding: str
    """The first trick. ``strict``: no heart and not the queen of spades, unless the whole hand is
    such cards. ``lenient``: who cannot follow suit may play them."""
    queen_breaks: bool
    """True if the queen of spades breaks hearts, like a heart."""
    moon: str
    """The score for taking all 26 points: ``others`` get 26 each and this seat none, or ``self``,
    this seat gets -26."""

    def json(self) -> JsonObject:
        """All options by name, in the order above."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


_STANDARD: Final[JsonObject] = MappingProxyType(
    {
        "players": 4,
        "hands": 0,
        "end_at": 100,
        "passing": "cycle",
        "bleeding": "strict",
        "queen_breaks": True,
        "moon": "others",
    }
)

VARIANTS: Final[Mapping[str, JsonObject]] = MappingProxyType(
    {
        "standard": _STANDARD,
        "fit2102": MappingProxyType({**_STANDARD, "passing": "none", "queen_breaks": False}),
    }
)


OPTION_FIELDS: Final = (
    OptionField(name="hands", label="Hands in a game (0: until the total)", kind=OptionKind.NUMBER),
    OptionField(name="end_at", label="Total that ends a game", kind=OptionKind.NUMBER),
    OptionField(
        name="passing",
        label="Cards are passed",
        kind=OptionKind.WORD,
        words=("cycle", "none"),
    ),
    OptionField(
        name="bleeding",
        label="Points in the first trick",
        kind=OptionKind.WORD,
        words=("strict", "lenient"),
    ),
    OptionField(
        name="queen_breaks", label="The queen of spades breaks hearts", kind=OptionKind.FLAG
    ),
    OptionField(
        name="moon",
        label="Who takes all points changes the totals of",
        kind=OptionKind.WORD,
        words=("others", "self"),
    ),
)


def read_options(given: JsonObject) -> HeartsOptions:
    """Fill and validate options. Raises RulesError naming option, value and what is allowed."""
    checks.refuse_unknown(given, [field.name for field in fields(HeartsOptions)])
    variant = checks.word({"variant": "standard", **given}, "variant", VARIANTS)
    chosen = {**VARIANTS[variant], **given}
    players = checks.integer(chosen, "players", 2, 4)
    if variant == "fit2102" and players == 3:
        raise checks.refused("players", 3, "2, 4")
    return HeartsOptions(
        variant=variant,
        players=players,
        hands=checks.integer(chosen, "hands", 0, MAX_HANDS),
        end_at=checks.integer(chosen, "end_at", 1, 500),
        passing=checks.word(chosen, "passing", ("cycle", "none")),
        bleeding=checks.word(chosen, "bleeding", ("strict", "lenient")),
        queen_breaks=checks.flag(chosen, "queen_breaks"),
        moon=checks.word(chosen, "moon", ("others", "self")),
    )
