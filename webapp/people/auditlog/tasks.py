"""The Celery task of this app."""

from webapp.base.celery import app
from webapp.people.auditlog.chain import link_new_acts


@app.task(name="webapp.link_acts")
def link_acts() -> None:
    """Link new acts of the audit log. The clock repeats it."""
    link_new_acts()
