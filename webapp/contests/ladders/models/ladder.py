"""A ladder: its settings, its secret, whether it plays."""

import uuid
from dataclasses import replace
from typing import Self

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q

from grader.core.games import Game, game_from_options
from grader.ladder import Goal
from grader.tournament import TournamentSpec, rules_of
from webapp.contests.tables.contests import Contest, new_secret
from webapp.teaching.courses.models import Assignment

__all__ = ["Ladder", "new_secret"]


class LadderQuerySet(models.QuerySet["Ladder"]):
    """Ladders by whether they play."""

    def open(self) -> Self:
        """Return the open ladders: at most one of an assignment."""
        return self.filter(closed_at__isnull=True)

    def playing(self) -> Self:
        """Return the ladders that are neither closed nor paused."""
        return self.open().filter(paused_at__isnull=True)


class Ladder(Contest):
    """Agents of one assignment that keep meeting at tables, at the lowest priority."""

    uuid = models.UUIDField(unique=True, default=uuid.uuid4, editable=False)
    """The name that graders know it by."""
    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="ladders")

    half_width = models.FloatField(
        default=0.5,
        validators=[MinValueValidator(0.05), MaxValueValidator(10.0)],
        help_text="An agent needs no more games once its rating is known to ± this many points.",
    )
    max_games = models.PositiveIntegerField(
        default=1000,
        validators=[MinValueValidator(10), MaxValueValidator(10_000)],
        help_text="An agent also needs no more games after this many.",
    )
    versions = models.PositiveSmallIntegerField(
        default=2,
        validators=[MinValueValidator(1), MaxValueValidator(10)],
        help_text="How many of a team’s latest accepted submissions play, each with a rating.",
    )

    opened_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_because = models.TextField(blank=True)
    """The failure for which the site paused it; empty if a person did."""
    closed_at = models.DateTimeField(null=True, blank=True)
    """The time from which its standings no longer change."""

    n_games = models.PositiveIntegerField(default=0)

    objects = LadderQuerySet.as_manager()

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(closed_at__isnull=True),
                name="ladder_one_open",
            ),
            models.CheckConstraint(
                condition=Q(half_width__gt=0, max_games__gte=1, versions__gte=1),
                name="ladder_can_be_played",
            ),
        )

    def __str__(self) -> str:
        return f"ladder of {self.assignment}"

    @property
    def is_open(self) -> bool:
        return self.closed_at is None

    @property
    def parsed_spec(self) -> TournamentSpec:
        """The spec as a value. Raises RecordError if another version wrote it."""
        spec = super().parsed_spec
        return replace(spec, options=dict(game_from_options(spec.game, spec.options).options))

    @property
    def rules(self) -> Game:
        return next(iter(rules_of(self.parsed_spec).values()))

    @property
    def seats(self) -> int:
        return self.parsed_spec.sizes[0]

    @property
    def goal(self) -> Goal:
        return Goal(half_width=self.half_width, max_games=self.max_games)
