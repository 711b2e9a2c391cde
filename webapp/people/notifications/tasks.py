"""The Celery task of this app."""

from django.utils import timezone

from webapp.base.celery import app
from webapp.people.notifications.sending import send_due


@app.task(name="webapp.send_notifications")
def send_notifications() -> None:
    """Send the notifications that are due. The clock repeats it."""
    send_due(at=timezone.now())
