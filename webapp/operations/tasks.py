"""The Celery task of this app: JSON in, one call, done."""

from grader.broker.signing import open_report
from grader.core.health import GraderReport
from grader.core.records import from_json
from webapp.celery import app
from webapp.evaluations.refusals import refusals_kept
from webapp.operations import services


@app.task(name="webapp.record_grader")
def record_grader(report_json: str) -> None:
    """Take in what a grader says of itself. One that is lost is repeated in minutes."""
    with refusals_kept(report_json):
        signed = open_report(report_json, "webapp.record_grader")
        services.hear(from_json(signed.text, GraderReport), key=signed.key)
