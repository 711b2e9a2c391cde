"""The Celery task of this app."""

from django.utils import timezone

from webapp.celery import app
from webapp.notifications.sending import forget_old, send_due


@app.task(name="webapp.send_notifications")
def send_notifications() -> None:
    """Send the notifications that are due, and delete old ones. The clock repeats it."""
    now = timezone.now()
    send_due(at=now)
    forget_old(at=now)
