"""The keys of graders, which of them an operator has admitted, and the pause of all."""

from typing import Final, Self

from django.conf import settings
from django.db import models
from django.db.models import Exists, Q

from grader.broker.signing import fingerprint


class Pause(models.Model):
    """The pause of all graders: while its row exists, no grader is sent anything."""

    began_at = models.DateTimeField()
    began_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(pk=1), name="one_pause"),)

    def __str__(self) -> str:
        return f"pause since {self.began_at}"


IS_PAUSED: Final = Exists(Pause.objects.all())


class GraderKeyQuerySet(models.QuerySet["GraderKey"]):
    def admitted(self) -> Self:
        """Return the keys whose reports are believed."""
        return self.filter(admitted_at__isnull=False)

    def taking_work(self) -> Self:
        """Return the keys of graders that take work: not drained, and none during a pause."""
        return self.undrained().filter(~IS_PAUSED)

    def undrained(self) -> Self:
        """Return the keys of admitted graders that are not drained."""
        return self.admitted().filter(drained_at__isnull=True)


class GraderKey(models.Model):
    """The key of one grading machine, which takes work and is believed once it is admitted."""

    public_key = models.CharField(max_length=64, unique=True)
    """Ed25519, as 64 hexadecimal digits."""
    name = models.CharField(max_length=200)
    """The host name in the machine's first report, or the name an operator gave it."""
    first_seen_at = models.DateTimeField()
    admitted_at = models.DateTimeField(null=True, blank=True)
    admitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

    drained_at = models.DateTimeField(null=True, blank=True)
    """Since then it takes no new work; its reports are still accepted."""

    objects = GraderKeyQuerySet.as_manager()

    class Meta:
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.public_key)
