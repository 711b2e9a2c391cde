"""N games of one agent under a fixed spec."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final, Self, cast

import msgspec
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import models
from django.db.models import Exists, OuterRef, Q

from grader.core.games import game_from_options
from grader.core.records import AgentRef, Mode, from_json
from grader.house.catalogue import title_of
from grader.interfaces import mode_of
from grader.results.evaluation import EvaluationSpec
from grader.results.figures import Against
from grader.results.insights import Insights
from webapp.grading.jobs.queues import Queue
from webapp.grading.jobs.runs import OPEN, Run, Status
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Assignment, Enrolment, Membership
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.releases import released_teams


class Kind(models.TextChoices):
    """The purpose of an evaluation."""

    SMOKE = "smoke", "first test"
    """A few public games right after the upload, on a lane of its own."""
    PRACTICE = "practice", "practice"
    """Public deals that everybody can play at home."""
    GRADED = "graded", "graded"
    """The assignment's secret deals; started by staff."""
    TRY = "try", "try"
    """The games of a first test for a draft, which is no submission: it counts nowhere."""


# The guide shows the docstrings of the members.
class Verdict(models.TextChoices):
    """The result of an evaluation."""

    NONE = "", "none yet"
    """Not finished."""
    ACCEPTED = "accepted", "accepted"
    """Played; single games may have ended in faults, which the figures include."""
    REJECTED = "rejected", "rejected"
    """The agent could not be compiled or loaded: no game was played."""
    FAULTY = "faulty", "faulty"
    """Stopped after too many faults in a row, or faulted in every game."""


TRANSITIONS: Final[Mapping[str, tuple[Status, ...]]] = {
    Status.QUEUED: (Status.PLAYING, Status.FINISHED, Status.FAILED, Status.CANCELLED),
    Status.PLAYING: (Status.FINISHED, Status.FAILED, Status.CANCELLED),
    Status.FAILED: (Status.QUEUED, Status.CANCELLED),
    Status.FINISHED: (),
    Status.CANCELLED: (),
}

_KEPT_SPECS: Final = 64


def _is_released() -> Q:
    """Filter what a team may see of its own: all but graded ones before their release."""
    released = released_teams().filter(pk=OuterRef("submission__team"))
    return ~Q(kind=Kind.GRADED) | Q(Exists(released))


@lru_cache(maxsize=_KEPT_SPECS)
def parsed_spec(spec: bytes) -> EvaluationSpec:
    """Read a spec, and keep it: they are few, and read all the time. Raises RecordError.

    Options come in the game's own order, as records spell them: PostgreSQL does not keep it.
    """
    parsed = from_json(spec, EvaluationSpec)
    return replace(parsed, options=dict(game_from_options(parsed.game, parsed.options).options))


class EvaluationQuerySet(models.QuerySet["Evaluation"]):
    """Evaluations, filtered by what a person may see and by what counts."""

    def visible_to(self, user: User | AnonymousUser) -> Self:
        """Return a team's own and house agents' for students; all of the course for its staff.

        Graded ones only after the release. Single games need ``permissions.may_see_games``.
        """
        if not user.is_authenticated:
            return self.none()
        if user.is_superuser:
            return self
        places = Enrolment.objects.active()
        enrolled = places.filter(course=OuterRef("assignment__course"), user=user)
        staff = Exists(enrolled.filter(role__in=STAFF_ROLES))
        house = ~Q(house_agent="") & Exists(enrolled)
        mine = Exists(Membership.objects.filter(team=OuterRef("submission__team"), user=user))
        return self.filter((mine & Exists(enrolled) & _is_released()) | house | staff)

    def released(self) -> Self:
        """Leave out graded ones of teams whose grades are held."""
        return self.filter(_is_released())

    def open(self) -> Self:
        """Evaluations that still wait for games."""
        return self.filter(status__in=OPEN)

    def failed(self) -> Self:
        """Return the evaluations that our machines gave up, and that can be sent again.

        Not those that staff cancelled, that a newer one has replaced, or of an archived course.
        """
        newer = Evaluation.objects.filter(
            Q(submission=OuterRef("submission")) | Q(submission__isnull=True),
            assignment=OuterRef("assignment"),
            kind=OuterRef("kind"),
            house_agent=OuterRef("house_agent"),
            pk__gt=OuterRef("pk"),
            status__in=(*OPEN, Status.FINISHED),
        )
        return self.filter(
            ~Exists(newer), status=Status.FAILED, assignment__course__archived_at__isnull=True
        )

    def of_house_agents(self) -> Self:
        """Return evaluations of house agents; an index leads to them past those of submissions."""
        return self.filter(house_agent__gt="")

    def replacing(self, earlier: "Evaluation") -> Self:
        """Return evaluations requested after ``earlier``, and played or to be played."""
        newer = self.filter(pk__gt=earlier.pk)
        return newer.filter(status__in=(*OPEN, Status.FINISHED))

    def current(self) -> Self:
        """Return the evaluations whose figures count: finished and not superseded."""
        return self.filter(is_current=True)

    def brief(self) -> Self:
        """Leave out JSON that tables do not show, which takes longer to read than all the rest."""
        return self.defer("spec", "histogram", "opponents", "insights", "against", "turn_ms")


_Manager = models.Manager.from_queryset(EvaluationQuerySet)


class _WithoutTries(_Manager["Evaluation"]):
    """Evaluations of what was handed in, and of house agents: no list and no figure has tries."""

    def get_queryset(self) -> EvaluationQuerySet:
        return cast("EvaluationQuerySet", super().get_queryset().exclude(kind=Kind.TRY))


class Evaluation(Run):
    """N games of one agent: a submission, or a house agent as a reference; or a try of a draft."""

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="evaluations")
    submission = models.ForeignKey(
        Submission, models.PROTECT, null=True, blank=True, related_name="evaluations"
    )
    house_agent = models.CharField(max_length=80, blank=True)
    kind = models.CharField(max_length=8, choices=Kind)
    interface = models.CharField(max_length=20)
    interface_options = models.JSONField(default=list, blank=True)
    sha256 = models.CharField(max_length=64)
    """Digest of the agent's archive: exactly which version played."""
    opponents = models.JSONField(default=list, blank=True)
    """AgentRefs as JSON: which versions of the spec's opponents play, in its order."""
    spec = models.JSONField()
    """EvaluationSpec as JSON, frozen at the request, regardless of later changes."""
    keeps_prints = models.BooleanField(default=False)
    """True if graders return the agent's output; never in graded games."""
    n_games = models.PositiveIntegerField()
    """The spec's; fewer once a practice evaluation's mean is known as precisely as it asks."""

    verdict = models.CharField(max_length=10, choices=Verdict, blank=True, default=Verdict.NONE)
    is_current = models.BooleanField(default=False)
    """Finished, and the latest of its kind for this agent: the one whose figures count."""
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    """``None``: the site itself."""
    requested_at = models.DateTimeField()

    games_done = models.PositiveIntegerField(default=0)
    faults = models.PositiveIntegerField(default=0)
    stop_index = models.PositiveIntegerField(null=True, blank=True)
    """The last game that is needed, if consecutive faults stop it; later ones score nothing."""

    lost = models.PositiveIntegerField(null=True, blank=True)
    mean = models.FloatField(null=True, blank=True)
    sd = models.FloatField(null=True, blank=True)
    standard_error = models.FloatField(null=True, blank=True)
    low = models.FloatField(null=True, blank=True)
    high = models.FloatField(null=True, blank=True)
    won = models.FloatField(null=True, blank=True)
    """Share of the games that were won; only against opponents."""
    against = models.JSONField(null=True, blank=True)
    """The share won of each opponent: ``grader.results.figures.Against`` as JSON."""
    histogram = models.JSONField(default=list, blank=True)
    """Pairs of score and number of games, ascending."""
    ms_per_game = models.FloatField(null=True, blank=True)
    turn_ms = models.JSONField(default=dict, blank=True)
    """Charged milliseconds of the agent's turns: ``median``, ``p99``, ``max``."""
    second_plays = models.PositiveIntegerField(default=0)
    """Games played twice, because the host lost time in a timeout."""

    games_removed_at = models.DateTimeField(null=True, blank=True, editable=False)
    """The time at which its games were deleted; its figures stay."""

    insights = models.JSONField(null=True, blank=True)
    """Statistics of lost points and time: ``grader.results.insights`` as JSON; ``None`` until
    it is computed, soon after the end."""

    transitions = TRANSITIONS
    objects = _WithoutTries()
    with_tries = EvaluationQuerySet.as_manager()

    class Meta:
        ordering = ("-requested_at", "-pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(submission__isnull=False, house_agent="") & ~Q(kind=Kind.TRY)
                | Q(submission__isnull=True, kind=Kind.TRY, house_agent="")
                | (Q(submission__isnull=True) & ~Q(kind=Kind.TRY) & ~Q(house_agent="")),
                name="evaluation_of_one_agent",
            ),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="evaluation_kind_known"),
            models.CheckConstraint(
                condition=Q(status__in=Status.values), name="evaluation_status_known"
            ),
            models.CheckConstraint(
                condition=Q(verdict__in=Verdict.values), name="evaluation_verdict_known"
            ),
            models.CheckConstraint(
                condition=Q(n_games__gte=1, games_done__lte=models.F("n_games")),
                name="evaluation_at_most_n_games",
            ),
            models.CheckConstraint(
                condition=Q(faults__lte=models.F("games_done")),
                name="evaluation_faults_are_games",
            ),
            models.CheckConstraint(
                condition=Q(stop_index__isnull=True) | Q(stop_index__lt=models.F("n_games")),
                name="evaluation_stops_at_a_game",
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.FINISHED)
                | (~Q(verdict="") & Q(finished_at__isnull=False)),
                name="evaluation_finished_has_verdict",
            ),
            models.CheckConstraint(
                condition=~Q(status=Status.FINISHED)
                | Q(verdict=Verdict.REJECTED)
                | Q(games_done=models.F("n_games"), mean__isnull=False),
                name="evaluation_finished_is_complete",
            ),
            models.CheckConstraint(
                condition=Q(is_current=False) | Q(status=Status.FINISHED),
                name="evaluation_current_is_finished",
            ),
            models.UniqueConstraint(
                fields=["submission", "kind"],
                condition=Q(is_current=True, submission__isnull=False),
                name="evaluation_one_current",
            ),
            models.UniqueConstraint(
                fields=["assignment", "house_agent", "kind"],
                condition=Q(is_current=True, submission__isnull=True) & ~Q(kind=Kind.TRY),
                name="evaluation_one_current_house",
            ),
            models.UniqueConstraint(
                fields=["submission", "kind"],
                condition=Q(status__in=OPEN, submission__isnull=False),
                name="evaluation_one_open",
            ),
            models.UniqueConstraint(
                fields=["assignment", "house_agent", "kind"],
                condition=Q(status__in=OPEN, submission__isnull=True) & ~Q(kind=Kind.TRY),
                name="evaluation_one_open_house",
            ),
        )
        indexes = (
            models.Index(fields=["assignment", "kind", "is_current"], name="evaluation_board"),
            models.Index(fields=["assignment", "status"], name="evaluation_status"),
            models.Index(fields=["assignment", "house_agent"], name="evaluation_house"),
        )

    def __str__(self) -> str:
        return f"{self.get_kind_display()} of {self.agent_name}"

    @property
    def agent_name(self) -> str:
        if self.kind == Kind.TRY:
            return "your draft"
        return title_of(self.house_agent) or str(self.submission)

    @property
    def queue(self) -> Queue:
        return Queue.SMOKE if self.kind == Kind.TRY else Queue(self.kind)

    @property
    def agent(self) -> AgentRef:
        """The program that plays, as graders know it: the same each time it is sent."""
        return AgentRef(
            interface=self.interface, sha256=self.sha256, options=tuple(self.interface_options)
        )

    @property
    def agents(self) -> tuple[AgentRef, ...]:
        refs = from_json(msgspec.json.encode(self.opponents), tuple[AgentRef, ...])
        return (self.agent, *refs)

    @property
    def wins(self) -> Against | None:
        if self.against is None:
            return None
        return from_json(msgspec.json.encode(self.against), Against)

    @property
    def parsed_insights(self) -> Insights | None:
        if self.insights is None:
            return None
        return from_json(msgspec.json.encode(self.insights), Insights)

    @property
    def awaits_insights(self) -> bool:
        is_try = self.kind == Kind.TRY
        return (
            not is_try
            and self.status == Status.FINISHED
            and self.mean is not None
            and self.insights is None
        )

    @property
    def mode(self) -> Mode:
        """The seats that share a process. Raises RecordError for an unknown interface."""
        spec = self.parsed_spec
        return mode_of([agent.interface for agent in self.agents], spec.seating, spec.mode)

    @property
    def parsed_spec(self) -> EvaluationSpec:
        """The spec as a value. Raises RecordError if another version wrote it."""
        spec = parsed_spec(msgspec.json.encode(self.spec))
        return replace(spec, options=dict(spec.options))  # nobody changes the one that is kept

    @property
    def stopped_early(self) -> bool:
        return self.n_games < int(self.spec["n_games"])

    @property
    def games_needed(self) -> int:
        """The number of games needed: all, or those up to the one that stopped it."""
        return self.n_games if self.stop_index is None else self.stop_index + 1
