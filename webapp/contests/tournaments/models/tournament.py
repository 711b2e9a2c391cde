"""A tournament: its settings, its secret, how far it is, and who may see it."""

from collections.abc import Mapping
from typing import Final, Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Q
from django.utils import timezone

from grader.core.games import Game
from grader.core.records import from_json
from grader.tournament import CrossPlay, rules_of
from webapp.contests.tables.contests import Contest, new_secret
from webapp.grading.jobs.runs import Run, Status
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, EnrolmentState, LeaderboardVisibility
from webapp.teaching.courses.models.course import STAFF_ROLES

__all__ = ["Stage", "Tournament", "new_secret"]


class Stage(models.TextChoices):
    """The part of the tournament that the course may see. It only moves forward."""

    HIDDEN = "hidden", "hidden"
    """Only staff see it."""
    PARTICIPANTS = "participants", "participants"
    """Everybody in the course sees the participants and the rules, but no result."""
    RESULTS = "results", "results"
    """Standings and games too; the secret once the tournament is over."""


TRANSITIONS: Final[Mapping[str, tuple[Status, ...]]] = {
    Status.QUEUED: (Status.PLAYING, Status.FINISHED, Status.FAILED, Status.CANCELLED),
    Status.PLAYING: (Status.FINISHED, Status.FAILED, Status.CANCELLED),
    Status.FAILED: (Status.QUEUED, Status.CANCELLED),
    Status.FINISHED: (Status.QUEUED,),
    Status.CANCELLED: (Status.QUEUED,),
}
"""The transitions from each status: unlike an evaluation it goes on after a cancellation,
and after its end if a participant is disqualified. Games that were played are always kept."""


class TournamentQuerySet(models.QuerySet["Tournament"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Return the course's tournaments for its staff, and the released ones for its students."""
        if not user.is_authenticated:
            return self.none()
        if user.is_superuser:
            return self
        mine = Q(
            assignment__course__enrolments__user=user,
            assignment__course__enrolments__state=EnrolmentState.ACTIVE,
        )
        staff = Q(assignment__course__enrolments__role__in=STAFF_ROLES)
        return self.filter(mine & (staff | ~Q(stage=Stage.HIDDEN)))

    def public(self) -> Self:
        """Return the released tournaments of assignments whose boards are public."""
        return self.filter(
            stage=Stage.RESULTS,
            assignment__leaderboard=LeaderboardVisibility.PUBLIC,
            assignment__opens_at__lte=timezone.now(),
        )

    def openable_by(self, user: User | AnonymousUser) -> Self:
        """Return the tournaments that the user may see in their courses, and all public ones."""
        if not user.is_authenticated:
            return self.public()
        own = Q(pk__in=self.visible_to(user).values("pk"))
        return self.filter(own | Q(pk__in=self.public().values("pk")))


class Tournament(Run, Contest):
    """Spec, secret and participants determine the plan; the games determine the standings."""

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="tournaments")
    title = models.CharField(max_length=120)
    commitment = models.CharField(max_length=64, editable=False)
    """Hash of the secret, published with the participants."""

    stage = models.CharField(max_length=12, choices=Stage, default=Stage.HIDDEN)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    requested_at = models.DateTimeField()
    """The cut-off: submissions that counted then take part."""

    n_games = models.PositiveIntegerField()
    """Planned. Games that are repeated after a fault are not among them."""
    games_done = models.PositiveIntegerField(default=0)
    """Planned games that count or are permanently void."""
    faults = models.PositiveIntegerField(default=0)
    cross_play_json = models.TextField(blank=True)

    transitions = TRANSITIONS
    objects = TournamentQuerySet.as_manager()

    class Meta:
        ordering = ("-requested_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(status__in=Status.values), name="tournament_status_known"
            ),
            models.CheckConstraint(
                condition=Q(stage__in=Stage.values), name="tournament_stage_known"
            ),
            models.CheckConstraint(
                condition=Q(n_games__gte=1, games_done__lte=models.F("n_games")),
                name="tournament_at_most_n_games",
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.FINISHED)
                | (
                    Q(games_done=models.F("n_games"), finished_at__isnull=False)
                    & ~Q(standings_json="")
                ),
                name="tournament_finished_is_complete",
            ),
            models.CheckConstraint(
                condition=~Q(commitment=""), name="tournament_secret_is_committed"
            ),
        )

    def __str__(self) -> str:
        return self.title

    @property
    def is_public(self) -> bool:
        """True if anybody may see its standings."""
        assignment = self.assignment
        return (
            self.stage == Stage.RESULTS
            and assignment.leaderboard == LeaderboardVisibility.PUBLIC
            and assignment.opens_at <= timezone.now()
        )

    @property
    def is_over(self) -> bool:
        return self.status in (Status.FINISHED, Status.CANCELLED)

    @property
    def percent(self) -> int:
        return 100 * self.games_done // self.n_games

    @property
    def rules(self) -> Mapping[int, Game]:
        return rules_of(self.parsed_spec)

    @property
    def cross_play(self) -> CrossPlay | None:
        return from_json(self.cross_play_json, CrossPlay) if self.cross_play_json else None

    @property
    def public_secret(self) -> bytes | None:
        """The secret once the course may know it: results released, and nothing to be played."""
        return bytes(self.secret) if self.stage == Stage.RESULTS and self.is_over else None
