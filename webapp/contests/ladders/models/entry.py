"""An agent on a ladder: one version of a team's, or a house agent."""

from typing import Self

from django.db import models
from django.db.models import Q

from webapp.contests.ladders.models.ladder import Ladder
from webapp.contests.tables.contests import ContestEntry
from webapp.grading.submissions.models import Submission


class Departure(models.TextChoices):
    """The reason why an agent plays no more. Its rating stays as it was."""

    NONE = "", "plays"
    REPLACED = "replaced", "a later version took its place"
    """It comes back if that one leaves."""
    WITHDRAWN = "withdrawn", "withdrawn"
    """By its team or by staff."""
    FAULTY = "faulty", "its faults ended too many games"
    UNBUILDABLE = "unbuildable", "it could not be built"


class LadderEntryQuerySet(models.QuerySet["LadderEntry"]):
    """Entries by whether they play."""

    def active(self) -> Self:
        """Return the entries that play."""
        return self.filter(departure=Departure.NONE)


class LadderEntry(ContestEntry):
    """An entry of a ladder. Its number is never given again."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="entries")
    version = models.PositiveIntegerField(default=0)
    """From 1 among the team's on this ladder; 0 for a house agent."""
    submission = models.ForeignKey(
        Submission, models.PROTECT, null=True, blank=True, related_name="ladder_entries"
    )
    ms_per_game = models.FloatField(null=True, blank=True)
    """The approximate time of a game with it; ``None`` if unknown."""
    entered_at = models.DateTimeField()
    departure = models.CharField(
        max_length=12, choices=Departure, blank=True, default=Departure.NONE
    )
    left_at = models.DateTimeField(null=True, blank=True)

    objects = LadderEntryQuerySet.as_manager()

    class Meta(ContestEntry.Meta):
        constraints = (
            models.UniqueConstraint(fields=["ladder", "number"], name="ladder_entry_number"),
            models.UniqueConstraint(
                fields=["ladder", "submission"],
                condition=Q(submission__isnull=False),
                name="ladder_entry_once",
            ),
            models.UniqueConstraint(
                fields=["ladder", "house_agent"],
                condition=~Q(house_agent=""),
                name="ladder_entry_house_once",
            ),
            models.CheckConstraint(
                condition=Q(submission__isnull=False, house_agent="", version__gte=1)
                | (Q(submission__isnull=True, version=0) & ~Q(house_agent="")),
                name="ladder_entry_is_team_or_house",
            ),
            models.CheckConstraint(
                condition=Q(departure="", left_at__isnull=True)
                | (~Q(departure="") & Q(left_at__isnull=False)),
                name="ladder_entry_left_at_some_time",
            ),
            models.CheckConstraint(
                condition=Q(departure__in=Departure.values), name="ladder_entry_departure_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}" if self.version else self.name

    @property
    def plays(self) -> bool:
        return self.departure == Departure.NONE

    @property
    def needs_word(self) -> bool:
        """Return whether it left for a reason that its team, which gets an e-mail, has to mend."""
        return self.departure in {Departure.FAULTY, Departure.UNBUILDABLE}
