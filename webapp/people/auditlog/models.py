"""Acts and the chain over them. Triggers of the database refuse to change or delete either."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import models

from webapp.people.auditlog.kinds import label_of, name_of_value

Plain = str | int | bool | None
"""A value in a row of the log, the same in every database and in every version."""


@dataclass(frozen=True, slots=True)
class Change:
    name: str
    before: Plain
    after: Plain


def _pointer(to: str) -> "models.ForeignKey[Any, Any]":
    """Return a reference that outlives its target: people and courses may be deleted, acts not."""
    return models.ForeignKey(
        to, models.DO_NOTHING, null=True, blank=True, related_name="+", db_constraint=False
    )


class Act(models.Model):
    """One act: its author, time, kind, subject, values before and after, and reason.

    Its words (``thing``, ``before``, ``after``, ``reason``) may be erased, once and whole: the
    chain covers their salted digest in place of them.
    """

    at = models.DateTimeField(db_index=True)
    kind = models.CharField(max_length=40, db_index=True)
    """The kept name of a ``ActKind``."""
    by = _pointer(settings.AUTH_USER_MODEL)
    """``None``: the site itself, for instance when graded games have ended."""
    course = _pointer("courses.Course")
    person = _pointer(settings.AUTH_USER_MODEL)
    team = _pointer("courses.Team")
    thing = models.CharField(max_length=200, blank=True)
    """The assignment, section or tournament that it concerns, by its name at that time."""
    before = models.JSONField(default=dict)
    """Values of ``Plain`` by name."""
    after = models.JSONField(default=dict)
    reason = models.CharField(max_length=500, blank=True)

    salt = models.CharField(max_length=32, default="", editable=False)
    """Random, in hexadecimal, so that erased words cannot be guessed; erased with them."""
    words_digest = models.CharField(max_length=64, default="", editable=False)
    """SHA-256 of the salt and the words, in hexadecimal. Stays when they are erased."""
    erases = models.JSONField(default=list, editable=False)

    class Meta:
        ordering = ("-pk",)
        indexes = (models.Index(fields=["course", "-id"], name="act_of_course"),)

    def __str__(self) -> str:
        return f"{label_of(self.kind)}, {self.at:%Y-%m-%d %H:%M}"

    @property
    def is_erased(self) -> bool:
        return not self.salt

    @property
    def label(self) -> str:
        return label_of(self.kind)

    @property
    def who(self) -> str:
        if self.by is not None:
            return str(self.by)
        return "Firebox" if self.by_id is None else "a deleted person"

    @property
    def changes(self) -> list[Change]:
        names = sorted({*self.before, *self.after})
        return [
            Change(name_of_value(name), self.before.get(name), self.after.get(name))
            for name in names
        ]


class Link(models.Model):
    """An act's place in the chain. Each digest covers the act and the digest before it."""

    position = models.PositiveBigIntegerField(unique=True)
    """1, 2, 3 … without gaps."""
    act = models.OneToOneField(Act, models.PROTECT, related_name="link")
    digest = models.CharField(max_length=64)
    """SHA-256, in hexadecimal."""
    earlier_digest = models.CharField(max_length=64, default="", editable=False)
    """The digest of acts that were linked while the chain still covered the words themselves."""

    class Meta:
        ordering = ("position",)

    def __str__(self) -> str:
        return f"{self.position}: {self.digest[:12]}"
