"""Hanabi's options: what may differ between courses, the named variants, and their validation.

``standard`` is the printed rule book (R & R Games 2011) with the choices of the Hanabi Learning
Environment (Bard et al. 2019, arXiv:1902.00506), where three strikes score nothing; ``uwa`` is of
the University of Western Australia, ``gcc`` of Grove City College, ``ensta`` of ENSTA Paris in its
strict era (since April 2020; before it, override ``empty_hints`` and ``strikeout_score``),
``cs221`` the simulator of Lin and Xu.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Final

from grader.core.games import checks
from grader.core.games.base import JsonObject, OptionField, OptionKind

COLORS: Final = "RYGWB"
"""Red, yellow, green, white, blue: the order of the sorted deck, regardless of ``colors``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HanabiOptions:
    """All rules that an instructor can choose; ``read_options`` is the way to make one."""

    variant: str
    """The named variant that filled the options that were not given."""
    players: int
    """Seats at the table, 2 to 5."""
    colors: str
    """The five colour letters in the order in which actions and observations list them."""
    hand_size: int
    """Cards dealt to each seat."""
    hint_tokens: int
    """Tokens at the start; there can never be more."""
    lives: int | None
    """The misplay that takes the last of them ends the game; ``None`` with ``misplay: token``."""
    misplay: str
    """``strike``: costs a life. ``token``: costs a hint token if there is one, nothing if not."""
    strikeout_score: str
    """After the last life is lost the table scores ``zero``, or may ``keep`` its points."""
    five_returns_token: bool
    """True if completing a colour returns a hint token."""
    discard_at_max: str
    """Discarding while all tokens are there: ``illegal``, or ``allowed`` (and gains nothing)."""
    empty_hints: bool
    """True if a hint may touch no card."""
    last_round: str
    """The event that starts the last round, of one turn per seat: ``after_last_draw`` or, one card
    later, ``after_failed_draw``, when a seat should draw and cannot; then a seat that is a card
    short may discard the one that it lacks, which returns a token."""
    draw_position: str
    """``end``: cards move up and the new one is last. ``slot``: it takes the place of the one that
    left; once the deck is empty, that place stays empty."""
    swaps: bool
    """True if a seat may exchange two of its cards, in sight of all, before it acts."""

    def json(self) -> JsonObject:
        """All options by name, in the order above."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


_STANDARD: Final[JsonObject] = MappingProxyType(
    {
        "players": 2,
        "colors": COLORS,
        "hint_tokens": 8,
        "lives": 3,
        "misplay": "strike",
        "strikeout_score": "zero",
        "five_returns_token": True,
        "discard_at_max": "illegal",
        "empty_hints": False,
        "last_round": "after_last_draw",
        "draw_position": "end",
        "swaps": False,
    }
)

VARIANTS: Final[Mapping[str, JsonObject]] = MappingProxyType(
    {
        "standard": _STANDARD,
        "gcc": MappingProxyType(
            {**_STANDARD, "colors": "RBGYW", "discard_at_max": "allowed", "swaps": True}
        ),
        "uwa": MappingProxyType(
            {**_STANDARD, "colors": "BRGWY", "empty_hints": True, "draw_position": "slot"}
        ),
        "ensta": MappingProxyType({**_STANDARD, "colors": "RBGWY"}),
        "cs221": MappingProxyType(
            {
                **_STANDARD,
                "players": 3,
                "hand_size": 4,
                "hint_tokens": 7,
                "lives": None,
                "misplay": "token",
                "five_returns_token": False,
                "discard_at_max": "allowed",
                "last_round": "after_failed_draw",
            }
        ),
    }
)
"""Named sets of options. Without ``hand_size``, 2 or 3 seats have 5 cards, 4 or 5 have 4."""

VARIANT_TITLES: Final = {
    "standard": "Standard rules",
    "uwa": "Western Australia rules",
    "gcc": "Grove City rules",
    "ensta": "ENSTA Paris rules",
    "cs221": "Stanford CS221 rules",
}


BUILT_IN_OPTIONS: Final = (
    "hand_size",
    "hint_tokens",
    "misplay",
    "last_round",
    "draw_position",
)
"""Options that the agents of most courses have built in: those of such an interface are fixed."""
_MISPLAY: Final = ("strike", "token")
_STRIKEOUT_SCORE: Final = ("zero", "keep")
_DISCARD_AT_MAX: Final = ("illegal", "allowed")
_LAST_ROUND: Final = ("after_last_draw", "after_failed_draw")
_DRAW_POSITION: Final = ("end", "slot")


def _word(name: str, label: str, words: tuple[str, ...]) -> OptionField:
    return OptionField(name=name, label=label, kind=OptionKind.WORD, words=words)


OPTION_FIELDS: Final = (
    OptionField(name="hand_size", label="Cards in a hand", kind=OptionKind.NUMBER),
    OptionField(name="hint_tokens", label="Hint tokens", kind=OptionKind.NUMBER),
    OptionField(name="lives", label="Lives", kind=OptionKind.NUMBER),
    OptionField(name="colors", label="Order of colours", kind=OptionKind.TEXT),
    _word("misplay", "A misplay costs", _MISPLAY),
    _word("strikeout_score", "Score after the last life", _STRIKEOUT_SCORE),
    _word("discard_at_max", "Discarding with all hint tokens", _DISCARD_AT_MAX),
    _word("last_round", "The last round begins", _LAST_ROUND),
    _word("draw_position", "A drawn card goes", _DRAW_POSITION),
    OptionField(
        name="five_returns_token",
        label="A completed colour returns a hint token",
        kind=OptionKind.FLAG,
    ),
    OptionField(name="empty_hints", label="Hints that touch no card", kind=OptionKind.FLAG),
    OptionField(name="swaps", label="Swapping own cards", kind=OptionKind.FLAG),
)


def implied(chosen: JsonObject) -> JsonObject:
    """Return implied options: if a misplay costs a token, there are no lives."""
    return {**chosen, "lives": None} if chosen.get("misplay") == "token" else chosen


def read_options(given: JsonObject) -> HanabiOptions:
    """Fill and validate options. Raises RulesError naming option, value and what is allowed."""
    checks.refuse_unknown(given, [field.name for field in fields(HanabiOptions)])
    variant = checks.word({"variant": "standard", **given}, "variant", VARIANTS)
    chosen = {**VARIANTS[variant], **given}
    players = checks.integer(chosen, "players", 2, 2 if variant == "gcc" else 5)
    chosen.setdefault("hand_size", 5 if players <= 3 else 4)
    misplay = checks.word(chosen, "misplay", _MISPLAY)
    return HanabiOptions(
        variant=variant,
        players=players,
        colors=_colors(chosen),
        # Below 2, a seat could face an empty hand in the last round and have no legal action.
        hand_size=checks.integer(chosen, "hand_size", 2, 5),
        hint_tokens=checks.integer(chosen, "hint_tokens", 1, 20),
        lives=_lives(chosen, misplay),
        misplay=misplay,
        strikeout_score=checks.word(chosen, "strikeout_score", _STRIKEOUT_SCORE),
        five_returns_token=checks.flag(chosen, "five_returns_token"),
        discard_at_max=checks.word(chosen, "discard_at_max", _DISCARD_AT_MAX),
        empty_hints=checks.flag(chosen, "empty_hints"),
        last_round=checks.word(chosen, "last_round", _LAST_ROUND),
        draw_position=checks.word(chosen, "draw_position", _DRAW_POSITION),
        swaps=checks.flag(chosen, "swaps"),
    )


def _colors(options: JsonObject) -> str:
    value = options["colors"]
    if type(value) is not str or sorted(value) != sorted(COLORS):
        raise checks.refused("colors", value, f"{COLORS} in any order")
    return value


def _lives(options: JsonObject, misplay: str) -> int | None:
    if misplay == "strike":
        return checks.integer(options, "lives", 1, 9)
    if options["lives"] is not None:
        raise checks.refused("lives", options["lives"], "null while misplay is 'token'")
    return None
