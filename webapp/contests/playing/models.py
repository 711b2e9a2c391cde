"""A person's game with agents: a deal, the actions so far, and who sits where.

Everything else follows by the rules. Such games count nowhere.
"""

import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Self

import msgspec
from django.conf import settings
from django.db import models
from django.db.models import Q

from grader.core.deals import SECRET_BYTES
from grader.core.errors import RecordError
from grader.core.games import Game, game_from_options
from grader.core.records import AgentLimits, AgentRef, Fault
from grader.house.catalogue import AGENTS, title_of
from webapp.base.transitions import Advancing
from webapp.teaching.courses.models import Assignment

YOU: Final = "you"
"""The name of the person's seat."""


def new_deal() -> str:
    """Draw a deal that follows from no secret: 64 hexadecimal digits."""
    return secrets.token_hex(SECRET_BYTES)


class GameStatus(models.TextChoices):
    """The state of a person's game, and its end."""

    PLAYING = "playing", "being played"
    FINISHED = "finished", "finished"
    FAULTED = "faulted", "ended by a fault"
    LEFT = "left", "you left the game"
    IDLE = "idle", "ended because nobody acted"
    FAILED = "failed", "ended by a fault of ours"
    """No grader could play a submission, or the rules were updated."""


_ENDS: Final = tuple(status for status in GameStatus if status is not GameStatus.PLAYING)
TRANSITIONS: Final[Mapping[str, tuple[GameStatus, ...]]] = {
    GameStatus.PLAYING: _ENDS,
    **dict.fromkeys(_ENDS, ()),
}
"""A game that has ended never changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupant:
    """The occupant of a seat: the person, unless it names a house agent or a submission."""

    name: str
    house: str = ""
    """A house agent, which answers in this process unless it is ``sandboxed``."""
    sandboxed: bool = False
    """True for a house agent that is slow or has a runtime of its own: graders play it."""
    submission: int | None = None
    agent: AgentRef | None = None
    """The program that graders play."""

    @property
    def title(self) -> str:
        return title_of(self.house) or self.name

    @property
    def needs_grader(self) -> bool:
        return self.sandboxed or self.submission is not None

    @property
    def introduction(self) -> str:
        """``Piers, a careful partner``."""
        agent = AGENTS.get(self.house)
        return self.name if agent is None else agent.introduction

    @property
    def label(self) -> str:
        words = self.introduction
        return f"{words} (slower: a grader plays it)" if self.sandboxed else words


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The game, and the turn in it, from which another one is played on."""

    address: Annotated[str, msgspec.Meta(pattern="^(/[^/]|$)")]
    """The page of the game, on this site; empty in an imported course. It checks again who may
    see it."""
    title: str
    turns: Annotated[int, msgspec.Meta(ge=0)]
    move: str
    """The action that followed there, in the game's notation; empty if a fault did."""

    @property
    def query(self) -> str:
        """The query of the turn in addresses of the game's pages."""
        return f"?turn={self.turns - 1}" if self.turns else "?turn=deal"


class HumanGameQuerySet(models.QuerySet["HumanGame"]):
    """People's games."""

    def open(self) -> Self:
        """Return the games that go on."""
        return self.filter(status=GameStatus.PLAYING)


class HumanGame(Advancing):
    """One game of one person with agents."""

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="human_games")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="human_games")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    """The person's; ``None`` if they only watch agents, who may then see all cards."""
    seats = models.JSONField()
    game = models.CharField(max_length=60)
    rules_version = models.PositiveIntegerField()
    options = models.JSONField()
    """All options of the rules, as the assignment had them."""
    limits = models.JSONField()

    deal_seed = models.CharField(max_length=64, default=new_deal)
    """Not shown before the game has ended, unless it is that of the game's origin."""
    actions = models.TextField(blank=True)
    """In the game's notation, separated by single spaces."""
    turns = models.PositiveIntegerField(default=0)
    charged_us = models.JSONField(default=list)
    """For each action the time charged in microseconds; null for the person and house agents."""

    status = models.CharField(max_length=10, choices=GameStatus, default=GameStatus.PLAYING)
    created_at = models.DateTimeField()
    acted_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    fault = models.JSONField(null=True, blank=True)
    printed = models.TextField(blank=True)
    """Output of the submission at fault."""
    differs_at = models.PositiveIntegerField(null=True, blank=True)
    """The first turn that a submission answered otherwise when it was told the game so far."""
    system_fault = models.TextField(blank=True)
    origin = models.JSONField(null=True, blank=True)

    transitions = TRANSITIONS
    objects = HumanGameQuerySet.as_manager()

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                condition=Q(status__in=GameStatus.values), name="human_game_status_known"
            ),
            models.CheckConstraint(
                condition=Q(status=GameStatus.PLAYING, ended_at__isnull=True)
                | (~Q(status=GameStatus.PLAYING) & Q(ended_at__isnull=False)),
                name="human_game_ended_at",
            ),
            models.CheckConstraint(
                condition=~Q(status=GameStatus.FAULTED) | Q(fault__isnull=False),
                name="human_game_fault",
            ),
        )
        indexes = (
            models.Index(fields=["status", "acted_at"], name="human_game_idle"),
            models.Index(fields=["person", "status"], name="human_game_person"),
        )

    def __str__(self) -> str:
        return f"game {self.uuid}"

    @property
    def is_open(self) -> bool:
        return self.status == GameStatus.PLAYING

    @property
    def rules(self) -> Game:
        """The game with its options. Raises RecordError if the rules have changed since."""
        rules = game_from_options(self.game, self.options)
        if not rules.is_installed:
            raise RecordError(f"{rules.title} is not installed on this site any more")
        if rules.rules_version != self.rules_version or dict(rules.options) != self.options:
            raise RecordError("the rules have been updated since this game began")
        return rules

    @property
    def seed(self) -> bytes:
        return bytes.fromhex(self.deal_seed)

    @property
    def notations(self) -> tuple[str, ...]:
        return tuple(self.actions.split())

    @property
    def occupants(self) -> tuple[Occupant, ...]:
        return msgspec.convert(self.seats, tuple[Occupant, ...])

    @property
    def others(self) -> tuple[Occupant, ...]:
        """The other seats' agents, in the order of their seats."""
        return tuple(occupant for seat, occupant in enumerate(self.occupants) if seat != self.seat)

    @property
    def played_on_from(self) -> Origin | None:
        return None if self.origin is None else msgspec.convert(self.origin, Origin)

    @property
    def agent_limits(self) -> AgentLimits:
        return msgspec.convert(self.limits, AgentLimits)

    @property
    def ending_fault(self) -> Fault | None:
        return None if self.fault is None else msgspec.convert(self.fault, Fault)
