"""The smallest interface that every game offers to the referee.

A ``Game`` is a set of rules with its options fixed; a ``State`` is one play of it, from the deal to
the score. Both are pure: the deal is a function of a seed, and nothing here knows clocks, processes
or agents. Observations, actions and events are JSON objects (``str``-keyed mappings of JSON
values): a seat can only know what can be written in its messages.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar, Final, Self, TypeAlias

from grader.core.chance import Chance
from grader.core.games.grids import Grid, Row
from grader.core.games.lines import LineProtocol

JsonObject: TypeAlias = Mapping[str, Any]
"""A JSON object. Values may be shared between calls: treat everything below as immutable."""

MAX_PLAYERS: Final = 10
"""The most seats that a game may have."""


class OptionKind(StrEnum):
    """The kind of value that an option of the rules takes."""

    FLAG = "flag"
    """Yes or no."""
    NUMBER = "number"
    """A whole number."""
    TEXT = "text"
    """A few letters."""
    WORD = "word"
    """One of the words that ``OptionField.words`` lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """An option that an instructor may change, as a form shows it. The rules check it again."""

    name: str
    label: str
    kind: OptionKind
    words: tuple[str, ...] = ()


class ChanceIn(StrEnum):
    """The part of a game in which luck has a share."""

    NOTHING = "nothing"
    """The rules have no chance, so that deals are openings (``grader.core.games.openings``)."""
    DEAL = "deal"
    """Everything is drawn before the first turn."""
    PLAY = "play"
    """Dice, or cards that are drawn later: the deal's seed decides these as well."""


class ResultKind(StrEnum):
    """The meaning of a game's scores."""

    POINTS = "points"
    """Points of ``Game.unit``."""
    WIN_DRAW_LOSS = "win_draw_loss"
    """A win, a draw or a loss of two seats: 1, 0 or -1 (``grader.core.games.outcomes``)."""


class State(ABC):
    """One play, mutable through ``apply`` alone.

    ``events(seat)`` only ever grows, so that a caller can remember how far it has read.
    """

    @property
    @abstractmethod
    def turn(self) -> int:
        """Number of actions applied so far; the next action is action number ``turn``."""

    @property
    @abstractmethod
    def seat_to_act(self) -> int | None:
        """Seat that acts next, ``None`` when the game is over."""

    def acting(self) -> Sequence[int]:
        """Seats that act next, ``seat_to_act`` first; several if they act together.

        All of them are asked before any action is applied. ``apply`` then takes their actions one
        after another, in this order, and keeps them from every seat until it has the last one.
        ``JointState`` in ``grader.core.games.joint`` does that for rules in which seats act
        together.
        """
        return () if self.seat_to_act is None else (self.seat_to_act,)

    @property
    def pending(self) -> bool:
        """True if some, but not all, actions of seats that act together have been applied."""
        return False

    @property
    def continues(self) -> bool:
        """True if the seat to act has acted in this turn before, and its time runs on."""
        return False

    @property
    @abstractmethod
    def ending(self) -> str | None:
        """Why the game is over, a word from the game's own ``Ending`` enum; ``None`` before."""

    @abstractmethod
    def legal_actions(self) -> Sequence[JsonObject]:
        """Every action the seat to act may choose, in a documented order; empty when over."""

    def legal_for(self, seat: int) -> Sequence[JsonObject]:
        """Every action that a seat of ``acting`` may choose, in the same order."""
        return self.legal_actions() if seat == self.seat_to_act else ()

    def tolerated_actions(self) -> Sequence[JsonObject]:
        """Actions that are not legal but that ``apply`` accepts, as a course's engine did."""
        return ()

    @abstractmethod
    def apply(self, action: JsonObject) -> None:
        """Play an action for the seat to act. Fields that no action has are ignored.

        An agent's reply comes unchecked: in spite of its type, ``action`` may be any JSON value.

        Raises IllegalAction, with a reason that may be shown to students, when the rules refuse it
        or it is not an action at all (wrong types included: ``true`` and ``1.0`` are not ``1``).
        The state is then unchanged. The reason is short for every action: ``checks`` helps.
        """

    @abstractmethod
    def observe(self, seat: int) -> JsonObject:
        """Everything ``seat`` may know now, and nothing else."""

    @abstractmethod
    def events(self, seat: int) -> Sequence[JsonObject]:
        """Everything that has happened since the deal (included), as ``seat`` may see it.

        Each event has its ``type``.
        """

    def resample(self, seat: int, chance: Chance) -> Self | None:  # noqa: ARG002 - of games with secrets
        """Draw another play in which ``seat`` has had the same messages; leave this one unchanged.

        Hidden cards are dealt anew among their places, and pending actions of other seats may
        differ; how likely each play is, is up to the game. A game with secrets overrides this,
        and returns ``None`` if it cannot do it. With this, ``grader.conformance`` checks that
        messages keep the secrets.
        """
        return None

    @abstractmethod
    def scores(self) -> tuple[int, ...]:
        """Points per seat if the game ended now."""

    @abstractmethod
    def describe(self, action: JsonObject) -> str:
        """One line of English for a legal action in this state, before it is applied.

        Written for replays: it may tell what no seat knows (the card behind an index). For people
        seats and cards count from 1: ``seat 1 plays card 1``.
        """

    @abstractmethod
    def text(self) -> str:
        """The whole table, all cards face up, as plain text of at most 100 columns.

        Once the game is over it names the ending.
        """

    def rows(self, seat: int | None) -> Sequence[Row]:  # noqa: ARG002 - of games that draw rows
        """Cards, dice or counters as a seat sees them, which pages draw instead of ``text``.

        ``None`` sees every hand. Every state of a game has the same rows, or none.
        """
        return ()


class Game(ABC):
    """Rules with their options fixed. Immutable; equal options give equal games.

    A frozen dataclass of the options is all of that.
    """

    name: ClassVar[str]
    """Lower-case word of at most 20 characters, used in options, records and URLs. A package of
    several games puts its own name before it: ``openspiel:gin_rummy``."""
    rules_version: ClassVar[int]
    """Raised whenever the same deal and actions could give another record."""
    title: ClassVar[str]
    is_installed: ClassVar[bool] = True
    """False for a game that results are kept of, and that cannot be played here any more."""
    folder: ClassVar[str] = ""
    """SHA-256 of a folder that an instructor uploaded, whose rules run in a sandbox alone: the site
    knows its facts, and cannot play it. Empty for games whose rules are installed."""
    lower_is_better: ClassVar[bool] = False
    """True if lower scores are better."""
    competitive: ClassVar[bool] = False
    """True if seats play against one another: each has a score of its own, and what copies of one
    agent score among themselves says nothing about it."""
    result: ClassVar[ResultKind] = ResultKind.POINTS
    """The meaning of scores: points, or a win, a draw or a loss."""
    unit: ClassVar[Fraction] = Fraction(1)
    """The points that a score of 1 stands for, of which every score is a multiple: 1/2 where there
    are half points. Scores are whole numbers everywhere; people and figures have points."""
    chance: ClassVar[ChanceIn] = ChanceIn.DEAL
    """The part of the game in which luck has a share."""
    hides_nothing: ClassVar[bool] = False
    """True if every seat knows the whole table, as in chess: a person is shown ``State.text``."""
    view: ClassVar[Grid | None] = None
    """The table as a grid, which pages draw; ``None`` for a drawing of its own, or text."""
    lines: ClassVar[LineProtocol | None] = None
    """The lines of programs that were written for another referee; ``None`` if there are none."""
    lost_score: ClassVar[int | None] = None
    """The score of a lost game; ``None`` if the game has no such score."""
    lost_reason: ClassVar[str] = ""
    """Why games are lost, in words that continue “lost games scored nothing: …”."""
    practice_blocks: ClassVar[bytes] = b""
    """Blocks of the first practice deals, if an order was chosen (step 6 of
    ``grader.core.deals``)."""
    default_players: ClassVar[int] = 2
    endings: ClassVar[Mapping[str, str]] = {}
    """Descriptions of the endings for people, by the game's own word of at most 20 characters.

    ``fault`` and ``stopped`` are words of the site."""
    options_type: ClassVar[type]
    """The dataclass of the options; the docstrings of its fields explain them."""
    variant_titles: ClassVar[Mapping[str, str]] = {}
    """Names of the variants for people: ``gcc`` is *Grove City rules*."""
    option_fields: ClassVar[tuple[OptionField, ...]] = ()
    """Options that may differ from a variant, in the order in which forms ask for them."""

    @classmethod
    def variant_title(cls, variant: str) -> str:
        """Return a variant's name for people."""
        return cls.variant_titles.get(variant, f"{variant} rules")

    @property
    def rules_title(self) -> str:
        """The name of these rules for people, without changes of single options."""
        return self.variant_title(str(self.options["variant"]))

    @classmethod
    @abstractmethod
    def variants(cls) -> Mapping[str, JsonObject]:
        """Named sets of options, by name; each may still be overridden option by option."""

    @classmethod
    @abstractmethod
    def from_options(cls, options: JsonObject) -> Self:
        """Validate options: a ``variant`` (default ``standard``), ``players``, and overrides.

        Raises RulesError naming the option, the value and what is allowed.
        """

    @classmethod
    def implied(cls, chosen: JsonObject) -> JsonObject:
        """Return an option's chosen value and the values of others that follow from it."""
        return chosen

    @property
    @abstractmethod
    def options(self) -> JsonObject:
        """All options, explicitly, in a fixed order: what records and start messages carry.

        ``type(self).from_options(self.options)`` equals this game.
        """

    @property
    @abstractmethod
    def seats(self) -> int:
        """Number of seats, each played by one player."""

    @property
    @abstractmethod
    def fault_scores(self) -> tuple[int, ...]:
        """Points per seat of a game that an agent's fault ended (Hanabi: all zero)."""

    def forfeit(self, seat: int) -> tuple[int, ...]:  # noqa: ARG002 - of games that tell seats apart
        """Points per seat of a game that a fault of ``seat`` ended.

        By default ``fault_scores``, whoever is at fault. Where two play against each other, the
        innocent one wins.
        """
        return self.fault_scores

    def own_fault_score(self, seat: int) -> int:
        """Points of ``seat`` in a game that its own fault ended."""
        return self.forfeit(seat)[seat]

    @property
    @abstractmethod
    def score_range(self) -> tuple[int, int]:
        """Lowest and highest possible score of a seat, for axes and histograms."""

    @abstractmethod
    def deal(self, seed: bytes) -> State:
        """Start a play from a 32-byte deal seed; the same seed always gives the same deal."""

    @property
    def distinct_deals(self) -> int | None:
        """The number of deals that differ; ``None`` for more than an evaluation ever plays."""
        return None

    @abstractmethod
    def notate(self, action: JsonObject) -> str:
        """Shortest form of an action, without spaces, for records (``p0``, ``h1R``)."""

    @abstractmethod
    def parse(self, notation: str) -> JsonObject:
        """Inverse of ``notate``. Raises RecordError on anything else."""
