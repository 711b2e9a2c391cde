"""Notifications that wait to be sent or were sent, and which ones people have switched off."""

from datetime import datetime, timedelta
from typing import Final, Self

from django.conf import settings
from django.db import models
from django.db.models import Q


class Topic(models.TextChoices):
    """The subject of a notification; each can be switched off by its reader."""

    VERDICT = "verdict", "One of my uploads has its verdict"
    GRADED = "graded", "One of my submissions was graded"
    REGRADE = "regrade", "One of my regrade requests was answered"
    DEADLINE = "deadline", "A deadline is a day away and my team has uploaded nothing"
    REMINDER = "reminder", "My course's staff remind my team, which has uploaded nothing"
    ANNOUNCEMENT = "announce", "My course's staff post an announcement"
    EXTENSION = "extension", "My team's deadline was changed"
    LADDER = "ladder", "One of my agents left its ladder because of its faults"
    OPERATIONS = "operations", "Evaluations failed, or graders are silent"
    """Only operators get it, and are offered it."""
    ASKED = "asked", "Students of my course ask for a regrade"
    FAILED = "failed", "Evaluations of my course failed"
    REFUSED = "refused", "A learning platform refused points of my course"
    INVITATION = "invitation", "I am enrolled in a course"
    """Cannot be switched off: it brings an account to its owner."""
    ADDRESS = "address", "The address of my account changes"
    """Cannot be switched off either: it keeps an account with its owner."""


ALWAYS_SENT: Final = (Topic.INVITATION, Topic.ADDRESS)
FOR_STAFF: Final = (Topic.ASKED, Topic.FAILED, Topic.REFUSED)
MAX_ATTEMPTS: Final = 10
"""The last attempt is made about 17 hours after the first."""
FIRST_PAUSE: Final = timedelta(minutes=2)
"""The pause after the first attempt, and the longest wait before it; each later one doubles it."""
_SKEW: Final = timedelta(hours=1)
"""The difference from which a clock counts as fast: two workers' clocks never differ so much."""


def pause_after(attempts: int) -> timedelta:
    """Return the time that a notification waits after that number of attempts."""
    return FIRST_PAUSE * (1 << max(0, attempts - 1))


class NotificationQuerySet(models.QuerySet["Notification"]):
    def waiting(self) -> Self:
        """Return the e-mails that are neither sent nor given up."""
        return self.filter(sent_at__isnull=True, given_up_at__isnull=True)

    def due(self, at: datetime) -> Self:
        """Return the e-mails that may be sent now, or were postponed by a clock that was fast."""
        waited = Q(send_after__lte=at)
        for attempts in range(MAX_ATTEMPTS):
            latest = at + pause_after(attempts) + _SKEW
            waited |= Q(attempts=attempts, send_after__gt=latest)
        return self.waiting().filter(waited).order_by("send_after", "pk")


class Notification(models.Model):
    """One e-mail to one person."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notifications")
    topic = models.CharField(max_length=12, choices=Topic)
    address = models.EmailField(blank=True)
    key = models.CharField(max_length=100)
    """Names the event: each person gets one e-mail about it."""
    subject = models.CharField(max_length=200)
    body = models.TextField()
    created_at = models.DateTimeField()
    send_after = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    given_up_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=500, blank=True)

    objects = NotificationQuerySet.as_manager()

    class Meta:
        ordering = ("-created_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=["user", "topic", "key"], name="notification_of_an_event_once"
            ),
            models.CheckConstraint(
                condition=Q(topic__in=Topic.values), name="notification_topic_known"
            ),
        )
        indexes = (
            models.Index(fields=["created_at"], name="notification_age"),
            models.Index(
                fields=["send_after"],
                condition=Q(sent_at__isnull=True, given_up_at__isnull=True),
                name="notification_waiting",
            ),
        )

    def __str__(self) -> str:
        return f"{self.subject}, to {self.user}"


class SwitchedOff(models.Model):
    """A topic that a person has switched off."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="switched_off")
    topic = models.CharField(max_length=12, choices=Topic)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "topic"], name="topic_switched_off_once"),
            models.CheckConstraint(
                condition=Q(topic__in=Topic.values), name="switched_off_topic_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.topic}, not to {self.user}"
