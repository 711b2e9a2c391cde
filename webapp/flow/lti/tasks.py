"""The Celery task of this app."""

from django.utils import timezone

from webapp.base.celery import app
from webapp.flow.lti.scores import send_due


@app.task(name="webapp.send_scores")
def send_scores() -> None:
    """Send points to learning platforms. The clock repeats it."""
    send_due(at=timezone.now())
