"""An assignment: the game, the limits, how it is evaluated and graded, and when."""

import secrets
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, Self

import msgspec
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.safestring import SafeString

from grader.core.deals import PRACTICE_SECRET, SECRET_BYTES
from grader.core.games import DEFAULT_GAME, Game, game_from_options
from grader.core.games.versions import version_of
from grader.core.records import AgentLimits, Mode, from_json
from grader.results.grading_scheme import GradingScheme
from webapp.base.errors import Refused
from webapp.base.interfaces import DEFAULT
from webapp.base.timezones import validate_date
from webapp.people.accounts.models import User
from webapp.teaching.courses.deadlines import DeadlineRule, Terms
from webapp.teaching.courses.models.course import (
    Course,
    EnrolmentState,
    LeaderboardVisibility,
    PlayWith,
    Role,
)
from webapp.teaching.courses.models.dates import (
    DUE_TOO_EARLY,
    PENALTY_ENDS,
    LatePolicyFields,
    end_errors,
)
from webapp.teaching.courses.models.game_folder import NO_FOLDER, has_folder
from webapp.teaching.courses.stored_schemes import scheme_json, scheme_of_json
from webapp.teaching.courses.validation import settings_errors

AT_LEAST_ONE: Final = MinValueValidator(1)
MAX_AUDITED: Final = 100
"""An audit of more games would hold a grader for longer than anything else."""
SLUG_TAKEN: Final = "Another assignment of this course has this short name."


def new_secret() -> bytes:
    """A fresh evaluation secret: it determines every graded deal of one assignment."""
    return secrets.token_bytes(SECRET_BYTES)


# See webapp/decisions/practice-secret.md
def default_practice_secret() -> bytes:
    """The secret of an assignment without a game: its creation sets the game's own."""
    return PRACTICE_SECRET


def default_limits() -> dict[str, Any]:
    """The limits an assignment starts with, as JSON."""
    return dict(msgspec.to_builtins(AgentLimits()))


def default_options() -> dict[str, Any]:
    """The rules an assignment starts with."""
    return {"variant": "standard", "players": 2}


def default_interfaces() -> list[str]:
    """Return the default interfaces of an assignment."""
    return [DEFAULT]


def default_scheme() -> dict[str, Any]:
    """Full credit at a mean of 15, one point more for every full point above it."""
    return scheme_json(GradingScheme(full_mean=Decimal(15), bonus_points=Decimal(1)))


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    """Assignments, filtered by what a person may see."""

    def visible_to(self, user: User | AnonymousUser, *, at: datetime | None = None) -> Self:
        """Return the assignments that the user may see: all for staff, opened ones for students."""
        if not user.is_authenticated:
            return self.none()
        if user.is_superuser:
            return self
        mine = Q(course__enrolments__user=user, course__enrolments__state=EnrolmentState.ACTIVE)
        staff = ~Q(course__enrolments__role=Role.STUDENT)
        return self.filter(mine & (staff | Q(opens_at__lte=at or timezone.now())))


class Assignment(LatePolicyFields):
    """A task for students of a course."""

    # The names and help texts of columns are those of the form, and names in the audit log.

    course = models.ForeignKey(Course, models.CASCADE, related_name="assignments")
    slug = models.SlugField("short name in addresses", help_text="Letters, digits and hyphens.")
    title = models.CharField(max_length=120)
    description = models.TextField(
        blank=True, help_text="Plain text; an empty line begins a new paragraph."
    )

    game = models.CharField(max_length=60, default=DEFAULT_GAME)
    options = models.JSONField(default=default_options)
    game_version = models.CharField(max_length=40, blank=True, editable=False)
    """The version of a game from a package that all games of the assignment are played with, so
    that a board never mixes two (``grader.core.games.versions``). Empty for our own games."""
    """Rules and seats, as given: ``variant``, ``players`` and overrides; ``rules`` has them all."""
    opponents = models.JSONField(default=list, blank=True)
    """Names of the house agents that agents are evaluated against, in the order in which they are
    played; none where copies of an agent play together."""
    interfaces = models.JSONField(
        "languages and interfaces",
        default=default_interfaces,
        help_text="Students upload agents for one of these. If there are several, the site"
        " recognises from the sources which one an agent is for.",
    )
    """Names; the first is the default."""
    interface_options = models.JSONField("options of an interface", default=list, blank=True)
    """Names of those interfaces' own options that are switched on."""
    mode = models.CharField(
        "processes",
        max_length=4,
        blank=True,
        default="",
    )
    """A Mode, for all agents; empty: as each interface prefers."""
    checks_student_number = models.BooleanField(
        "files are named with the student number",
        default=False,
        help_text=SafeString(
            "A file such as <code>Agent12345678.java</code> must have the student number of"
            " the student who uploads it. The numbers are on the page of people."
        ),
    )
    limits = models.JSONField(default=default_limits)
    """AgentLimits as JSON."""
    max_consecutive_faults = models.PositiveSmallIntegerField(
        "maximum faults in a row",
        default=20,
        help_text="After these an evaluation stops. 0: never.",
    )

    n_games = models.PositiveIntegerField("graded games", default=1000, validators=[AT_LEAST_ONE])
    practice_games = models.PositiveIntegerField(
        default=100, validators=[AT_LEAST_ONE], help_text="After every upload, on public deals."
    )
    practice_half_width = models.FloatField(
        "stop practice once the mean is known to ±",
        null=True,
        blank=True,
        help_text="Half the width of the mean's interval. It saves games if an agent's scores vary"
        " little. Empty: all practice games are played. Graded games never stop early.",
    )
    smoke_games = models.PositiveIntegerField(
        "games of the first test",
        default=10,
        validators=[AT_LEAST_ONE],
        help_text="Immediately after every upload.",
    )
    audited_games = models.PositiveSmallIntegerField(
        default=10,
        validators=[MaxValueValidator(MAX_AUDITED)],
        help_text="The number of a team's graded games that are replayed to find agents that signal"
        " by response time, and games that are not their own. 0: none. Only staff see the result.",
    )
    grading = models.JSONField("grading scheme", default=default_scheme)
    """GradingScheme as JSON."""
    holds_grades = models.BooleanField(
        "hold grades until they are released",
        default=False,
        help_text="Until then students see nothing of graded games: no mean, no points, no graded"
        " board. Staff release grades on the page of grades, for all or section by section.",
    )

    weight = models.DecimalField(
        "weight in the course’s total",
        max_digits=6,
        decimal_places=2,
        default=Decimal(1),
        validators=[MinValueValidator(Decimal(0))],
        help_text="Relative to other assignments. 0: the assignment does not count.",
    )

    opens_at = models.DateTimeField(
        "opens",
        default=timezone.now,
        validators=[validate_date],
        help_text="Students see the assignment from this time.",
    )
    due_at = models.DateTimeField(
        "due",
        validators=[validate_date],
        help_text="Sections and students may have their own dates.",
    )
    practice_after_due = models.BooleanField(
        "allow uploads and practice after the due date",
        default=True,
        help_text="They do not count for the grade.",
    )
    counts = models.CharField(
        "graded upload",
        max_length=6,
        choices=[
            (DeadlineRule.LATEST.value, "the latest accepted upload"),
            (
                DeadlineRule.BEST.value,
                "the accepted upload with the best practice mean after any penalty",
            ),
            (DeadlineRule.BEST_MEAN.value, "the accepted upload with the best practice mean"),
            (DeadlineRule.CHOICE.value, "the upload that the team chooses, the latest until then"),
        ],
        default=DeadlineRule.LATEST.value,
    )
    """The rule that picks the upload to grade."""
    has_plain_days = models.BooleanField(
        "keep the earlier rules for late days and extra time",
        default=False,
        help_text="A late day has 24 hours also if clocks change, and extra time leaves the hard"
        " end. Otherwise a late day ends at the same time of the clock, and the hard end moves with"
        " the due date. Points change at once for uploads whose lateness changes.",
    )
    """True for assignments that are older than the present rules, so that their dates and points
    stay."""
    max_team_size = models.PositiveSmallIntegerField(
        "maximum team size", default=1, validators=[AT_LEAST_ONE]
    )
    uploads_per_day = models.PositiveSmallIntegerField(
        "uploads per team and day", default=20, validators=[AT_LEAST_ONE]
    )
    """Days are those of the course's time zone."""
    practice_per_day = models.PositiveSmallIntegerField(
        "practice runs per team and day",
        default=10,
        help_text="In addition to one per upload.",
    )

    secret = models.BinaryField(default=new_secret, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    """Hash of the secret, published from the start."""
    secret_revealed_at = models.DateTimeField(null=True, blank=True, editable=False)
    """From then on everybody in the course may see the graded deals and the secret."""

    practice_secret = models.BinaryField(default=default_practice_secret, editable=False)
    """Public; kept with the assignment, so that its practice deals stay when others are drawn."""

    leaderboard = models.CharField(
        max_length=8, choices=LeaderboardVisibility, default=LeaderboardVisibility.COURSE
    )
    board_lines = models.JSONField(
        "house agents on the leaderboard", default=list, blank=True, editable=False
    )
    """House agents that are drawn as lines on the leaderboard; empty: some of all that played."""
    play_with = models.CharField(
        "agents to play with in the browser",
        max_length=6,
        choices=PlayWith,
        default=PlayWith.OWN,
        help_text="People play on deals of their own. Such games do not count.",
    )
    public_links = models.BooleanField(
        "allow public links to games",
        default=True,
        help_text="People may show a game that is no secret to anybody, by a link that names no"
        " other team. If you switch this off, links that exist stop working.",
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = AssignmentQuerySet.as_manager()

    class Meta:
        ordering = ("due_at", "pk")
        constraints = (
            models.UniqueConstraint(fields=["course", "slug"], name="assignment_slug_unique"),
            models.CheckConstraint(
                condition=Q(due_at__gt=F("opens_at")), name="assignment_due_after_opening"
            ),
            models.CheckConstraint(
                condition=Q(hard_end_at__isnull=True) | Q(hard_end_at__gte=F("due_at")),
                name="assignment_end_after_due",
            ),
            models.CheckConstraint(
                condition=Q(penalty_percent__gte=0, penalty_percent__lte=100),
                name="assignment_penalty_in_range",
            ),
            models.CheckConstraint(condition=PENALTY_ENDS, name="assignment_capped_penalty_ends"),
            models.CheckConstraint(
                condition=Q(counts__in=[rule.value for rule in DeadlineRule]),
                name="assignment_counts_known",
            ),
            models.CheckConstraint(
                condition=Q(n_games__gte=1, practice_games__gte=1, smoke_games__gte=1),
                name="assignment_plays_games",
            ),
            models.CheckConstraint(
                condition=Q(max_team_size__gte=1, uploads_per_day__gte=1),
                name="assignment_can_be_done",
            ),
            models.CheckConstraint(
                condition=Q(leaderboard__in=LeaderboardVisibility.values),
                name="assignment_leaderboard_known",
            ),
            models.CheckConstraint(
                condition=Q(play_with__in=PlayWith.values), name="assignment_play_with_known"
            ),
            models.CheckConstraint(
                condition=~Q(interfaces=[]), name="assignment_takes_an_interface"
            ),
            models.CheckConstraint(
                condition=Q(mode__in=["", *(mode.value for mode in Mode)]),
                name="assignment_mode_known",
            ),
            models.CheckConstraint(
                condition=~Q(commitment=""), name="assignment_secret_is_committed"
            ),
        )

    def __str__(self) -> str:
        return self.title

    def terms(self) -> Terms:
        """Dates and late policy of everybody whose section has none of its own."""
        return Terms(
            opens_at=self.opens_at,
            due_at=self.due_at,
            policy=self.late_policy,
            zone=UTC if self.has_plain_days else self.course.tz,  # where each day has 24 hours
            moves_hard_end=not self.has_plain_days,
        )

    @property
    def rules(self) -> Game:
        """The game with all its options. Raises RulesError if they are not valid."""
        return game_from_options(self.game, self.options)

    def require_installed_game(self) -> None:
        """Raise Refused if nothing can be played, since the site has lost the game."""
        rules = self.rules
        if rules.folder and not has_folder(self.course_id, rules):
            raise Refused(NO_FOLDER.format(rules.title))
        installed = version_of(type(rules))
        if rules.is_installed and self.game_version != installed:
            raise Refused(
                f"This assignment is for {rules.title} {self.game_version}, and the site now has"
                f" {installed}: results are kept, and nothing new can be played, so that no board"
                " mixes two versions. Have the earlier one installed again, or grade all again with"
                " the new one, on the page “Teams and grading”. Before the first graded game, it is"
                " enough to edit and save it."
            )
        if not rules.is_installed:
            raise Refused(
                f"{rules.title} is not installed on this site any more: results are kept, and"
                " nothing new can be played. Ask whoever runs the site to install it again."
            )

    @property
    def asked_mode(self) -> Mode | None:
        """The mode that all agents are played in; ``None``: as each interface prefers."""
        return Mode(self.mode) if self.mode else None

    @property
    def agent_limits(self) -> AgentLimits:
        """Limits of one agent."""
        return from_json(msgspec.json.encode(self.limits), AgentLimits)

    @property
    def plan(self) -> dict[str, Any]:
        """Rules and limits, as the plans of evaluations and contests keep them."""
        game = self.rules
        return {"game": game.name, "options": dict(game.options), "limits": self.agent_limits}

    @property
    def scheme(self) -> GradingScheme:
        """The grading scheme: from a mean to points."""
        return scheme_of_json(self.grading)

    @property
    def public_secret(self) -> bytes | None:
        """The secret, once it has been revealed."""
        return bytes(self.secret) if self.secret_revealed_at else None

    def clean(self) -> None:
        """Check values that the database cannot: rules, limits within bounds, grading scheme."""
        errors = settings_errors(self)
        if self.opens_at and self.due_at and self.due_at <= self.opens_at:
            errors["due_at"] = DUE_TOO_EARLY
        errors |= end_errors(self.due_at, self.hard_end_at, self.max_penalty_percent)
        if self.slug_is_taken():
            errors["slug"] = SLUG_TAKEN
        if errors:
            raise ValidationError(errors)

    def slug_is_taken(self) -> bool:
        """Return whether another assignment of the course has this slug. One query."""
        same = Assignment.objects.filter(course=self.course_id, slug=self.slug)
        return same.exclude(pk=self.pk).exists()
