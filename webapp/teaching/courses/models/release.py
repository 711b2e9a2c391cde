"""Releases of held grades: of a whole assignment, or of one section's."""

from django.conf import settings
from django.db import models
from django.db.models import Q


class GradeRelease(models.Model):
    """Permission for students to see the grades of an assignment that holds them."""

    assignment = models.ForeignKey("courses.Assignment", models.CASCADE, related_name="releases")
    section = models.ForeignKey(
        "courses.Section", models.CASCADE, null=True, blank=True, related_name="releases"
    )
    """``None``: everybody's."""
    released_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    released_at = models.DateTimeField()

    class Meta:
        ordering = ("released_at", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["assignment", "section"], name="release_once_a_section"
            ),
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(section__isnull=True),
                name="release_once_for_everybody",
            ),
        )

    def __str__(self) -> str:
        return f"{self.assignment}, {self.section or 'everybody'}"
