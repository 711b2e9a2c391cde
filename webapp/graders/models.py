"""Keys by which graders sign, and whether an operator has admitted them."""

from typing import Self

from django.conf import settings
from django.db import models

from grader.broker.signing import fingerprint


class GraderKeyQuerySet(models.QuerySet["GraderKey"]):
    """Keys by what they are good for."""

    def admitted(self) -> Self:
        """Those whose reports are believed."""
        return self.filter(admitted_at__isnull=False)


class GraderKey(models.Model):
    """One grading machine. It takes work, and is believed, once it is admitted."""

    public_key = models.CharField(max_length=64, unique=True)
    """Ed25519, as 64 hexadecimal digits."""
    name = models.CharField(max_length=200)
    """What the machine called itself when it was first heard of."""
    first_seen_at = models.DateTimeField()
    admitted_at = models.DateTimeField(null=True, blank=True)
    admitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    objects = GraderKeyQuerySet.as_manager()

    class Meta:
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name

    @property
    def fingerprint(self) -> str:
        """Its beginning, for people to compare."""
        return fingerprint(self.public_key)
