"""Announcements of courses."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from webapp.base.storable import validate_name
from webapp.teaching.courses.models import Course


class Announcement(models.Model):
    course = models.ForeignKey(Course, models.CASCADE, related_name="announcements")
    title = models.CharField(max_length=120, validators=[validate_name])
    text = models.TextField(max_length=5000)
    """Plain text. Addresses in it become links when it is shown."""
    posted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    posted_at = models.DateTimeField()

    class Meta:
        ordering = ("-posted_at", "-pk")
        constraints = (models.CheckConstraint(condition=~Q(title=""), name="announcement_titled"),)

    def __str__(self) -> str:
        return self.title
