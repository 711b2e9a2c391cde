"""Games that staff of a course uploaded: folders of rules, which run on graders alone."""

from typing import Final
from uuid import uuid4

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models

from grader.core.games import Game
from webapp.teaching.courses.models.course import Course

NO_FOLDER: Final = (
    "This course does not have the folder of {}: results are kept, and nothing new can be played."
    " Upload the same folder again, on the page “Games of your own”."
)


class GameFolder(models.Model):
    """One version of a game. It never changes: another version is another folder."""

    class Status(models.TextChoices):
        """The state of the folder's check."""

        CHECKING = "checking", "is being checked"
        """A grader runs ``firebox game check`` on it."""
        PASSED = "passed", "in order"
        """Assignments can be of this game."""
        REFUSED = "refused", "not in order"
        """The check found problems in the game."""
        FAILED = "failed", "not checked"
        """The grader failed: nothing is known of the game."""

    course = models.ForeignKey(Course, models.CASCADE, related_name="game_folders")
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="+"
    )
    uploaded_at = models.DateTimeField()
    filename = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64, validators=[RegexValidator(r"^[0-9a-f]{64}$")])
    """The digest of the packed folder: its key in the artefact store."""
    check_id = models.UUIDField(default=uuid4, unique=True, editable=False)
    """The check whose answer counts."""
    status = models.CharField(max_length=8, choices=Status, default=Status.CHECKING)
    checked_at = models.DateTimeField(null=True, blank=True)
    """The last answer, or the last request after the first one."""
    name = models.CharField(max_length=60, blank=True)
    """The game's, with the digest of the folder; empty until the game could be loaded."""
    title = models.CharField(max_length=100, blank=True)
    problems = models.JSONField(default=list, blank=True)
    """The findings of the check: ``grader.core.folder_check.GameProblem`` as JSON."""
    system_fault = models.TextField(blank=True)
    """Why the grader failed."""

    class Meta:
        ordering = ("-uploaded_at", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["course", "sha256"], name="game_folder_once"),
            models.CheckConstraint(
                condition=models.Q(status__in=["checking", "passed", "refused", "failed"]),
                name="game_folder_status_known",
            ),
        )

    def __str__(self) -> str:
        return self.title or self.filename

    @property
    def is_usable(self) -> bool:
        """True if assignments can be of this game."""
        return self.status == self.Status.PASSED


def has_folder(course: int, game: Game) -> bool:
    """Return whether a course has the folder of an uploaded game, and it passed its check."""
    passed = GameFolder.objects.filter(status=GameFolder.Status.PASSED)
    return passed.filter(course=course, sha256=game.folder).exists()
