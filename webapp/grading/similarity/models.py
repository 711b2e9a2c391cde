"""Fingerprints of submissions, comparisons of an assignment's, and the pairs they found."""

import msgspec
from django.conf import settings
from django.db import models
from django.db.models import F, Q

from webapp.grading.similarity.prints import Prints, read_prints
from webapp.grading.submissions.models import Submission
from webapp.teaching.courses.models import Assignment


class SourcePrints(models.Model):
    """A submission's fingerprints, computed once, since its bytes never change."""

    submission = models.OneToOneField(Submission, models.CASCADE, related_name="source_prints")
    scheme = models.CharField(max_length=40)
    """``similarity.tokens.SCHEME`` when they were made."""
    packed = models.BinaryField()
    """``Prints``; empty if the sources could not be read."""
    failure = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(failure="") | Q(packed=b""), name="source_prints_or_a_failure"
            ),
        )

    def __str__(self) -> str:
        return f"fingerprints of {self.submission_id}"

    @property
    def prints(self) -> Prints:
        """The fingerprints; none if the sources could not be read."""
        return read_prints(bytes(self.packed)) if self.packed else Prints((), ())


class Comparison(models.Model):
    """A comparison of an assignment's counted submissions, in the background."""

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="source_comparisons")
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    requested_at = models.DateTimeField()
    own = models.JSONField()
    """Keys of the submissions that counted at that moment."""
    earlier = models.JSONField()
    done = models.PositiveIntegerField(default=0)
    typical_share = models.FloatField(default=0.0)
    """The median share of all pairs within the assignment."""
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-requested_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(finished_at__isnull=True),
                name="comparison_one_open",
            ),
        )

    def __str__(self) -> str:
        return f"comparison of the sources of {self.assignment}"

    @property
    def total(self) -> int:
        return len(self.own) + len(self.earlier)

    @property
    def keys(self) -> list[int]:
        return [*self.own, *self.earlier]


class SimilarPair(models.Model):
    """Two submissions that share fingerprints. Says where to look, and nothing of why."""

    comparison = models.ForeignKey(Comparison, models.CASCADE, related_name="pairs")
    first = models.ForeignKey(Submission, models.CASCADE, related_name="+")
    second = models.ForeignKey(Submission, models.CASCADE, related_name="+")
    place = models.PositiveIntegerField()
    shared = models.PositiveIntegerField()
    first_share = models.FloatField()
    second_share = models.FloatField()
    packed = models.BinaryField()

    class Meta:
        ordering = ("place",)
        constraints = (
            models.UniqueConstraint(fields=["comparison", "place"], name="similar_pair_place"),
            models.CheckConstraint(
                condition=~Q(first=F("second")), name="similar_pair_of_two_submissions"
            ),
        )

    def __str__(self) -> str:
        return f"{self.first} and {self.second}"

    @property
    def hashes(self) -> set[int]:
        """The fingerprints that they share and that count."""
        return msgspec.msgpack.decode(bytes(self.packed), type=set[int])

    @property
    def share(self) -> float:
        """The larger share, by which pairs are ranked."""
        return max(self.first_share, self.second_share)

    @property
    def is_earlier(self) -> bool:
        return self.first.team.assignment_id != self.second.team.assignment_id
