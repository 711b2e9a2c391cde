"""Go on with a site of an earlier version, which its migrations have brought to this one.

To be called in a process of its own, on copies of sites' databases. All it has before a site is the
code: what is remembered of one site is not there for the next.
"""

import json
import multiprocessing
import sys
from dataclasses import replace
from datetime import timedelta
from tempfile import TemporaryDirectory
from typing import Any

from django.core.serializers import serialize
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from grader.audit import AuditReport
from grader.core.errors import RecordError
from grader.core.records import BatchPhase, BatchReport, digest
from tests.support import tables, world
from tests.support.graders import a_signer
from tests.support.jobs import audit_request, audited_seats, request_of
from tests.support.postgres_server import as_default_database
from webapp.courses.models import Assignment, Course, Extension
from webapp.evaluations.models import Audit, Evaluation
from webapp.evaluations.services import record_audit
from webapp.gradebook.models import Grade
from webapp.jobs.leases import expire_leases, notice_taken
from webapp.jobs.models import Job, JobStatus
from webapp.jobs.queues import Queue
from webapp.jobs.recording import record_batch
from webapp.tournaments.models import Tournament
from webapp.tournaments.services import resume


def main() -> None:
    """Print, as JSON, a list with the facts about the site in each of these databases."""
    reverse("home")  # imports the pages
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        print(json.dumps(pool.map(facts_of, sys.argv[1:], chunksize=1)))


def facts_of(database: str) -> dict[str, Any]:
    """Return what the upgrade left, and how the site went on from there, with its own store."""
    with (
        as_default_database(database),
        TemporaryDirectory() as store,
        override_settings(STORE_URL=store),
    ):
        return go_on()


def go_on() -> dict[str, Any]:
    """Go on with the site in the default database; return the facts."""
    facts: dict[str, Any] = {
        "jobs": json.loads(serialize("json", Job.objects.order_by("pk"))),
        "requests": {str(job.uuid): digest(request_of(job)) for job in games()},
        "audits": {
            audit_request(audit).audit: audit_request(audit).digest()
            for audit in Audit.objects.all()
        },
        "waiting": {queue: Job.objects.filter(queue=queue).unheard().count() for queue in Queue},
    }
    facts["extensions"] = list(Extension.objects.values_list("assignment", "team", "user"))
    facts["points"] = [
        [str(grade.points), str(grade.full_points), str(grade.penalty_percent)]
        for grade in Grade.objects.order_by("pk")
    ]
    facts["refused"] = refusal_of_another_grader()
    facts["lost"] = lose_everything()
    play_on()
    facts["evaluations"] = [
        [str(each), each.status, each.results.count() == each.n_games]
        for each in Evaluation.objects.order_by("pk")
    ]
    facts["tournaments"] = {
        each.title: [each.status, each.games_done == each.n_games]
        for each in Tournament.objects.all()
    }
    facts["answered"] = list(Audit.objects.order_by("pk").values_list("status", flat=True))
    facts["open"] = Job.objects.open().count()
    facts["practice"] = practice_secrets()
    return facts


def games() -> list[Job]:
    """The jobs that are batches of games."""
    return list(Job.objects.exclude(queue=Queue.AUDITS).with_owners())


def refusal_of_another_grader() -> str:
    """Have another machine report of a batch that one had claimed before the upgrade."""
    job = Job.objects.get(status=JobStatus.PLAYING, evaluation__isnull=False)
    report = BatchReport(
        evaluation=str(job.owner.uuid),
        batch=str(job.uuid),
        phase=BatchPhase.DONE,
        request=digest(request_of(job)),
    )
    try:
        record_batch(report, key=a_signer(2).public_key)
    except RecordError as error:
        return str(error)
    return ""


def practice_secrets() -> list[str]:
    """The secrets of practice deals, in each assignment and in one that is made now."""
    course = Course.objects.order_by("pk")[0]
    due = timezone.now() + timedelta(days=1)
    Assignment.objects.create(course=course, slug="new", title="New", due_at=due, commitment="0")
    return [bytes(each.practice_secret).hex() for each in Assignment.objects.order_by("pk")]


def lose_everything() -> int:
    """Let the broker forget all that it held, and all leases run out."""
    now = timezone.now()
    for queue in Queue:
        notice_taken(queue, waiting=0, at=now)
    return expire_leases(at=now + timedelta(days=1))


def play_on() -> None:
    """Play, as graders would, what is still to be played."""
    for evaluation in Evaluation.objects.open():
        world.play(evaluation)
    for evaluation in Evaluation.objects.open():  # practice that followed a smoke test
        world.play(evaluation)
    for tournament in Tournament.objects.filter(status="cancelled"):
        resume(tournament=tournament, by=tournament.requested_by)
    for tournament in Tournament.objects.all():
        tables.play(tournament)
    for audit in Audit.objects.filter(status="queued"):
        answer(audit)


def answer(audit: Audit) -> None:
    """Answer as the machine that did not play the games, to the first request of all."""
    asked = audit_request(audit)
    first = replace(asked, audit=f"{audit.uuid}/1")
    report = AuditReport(audit=first.audit, seats=audited_seats(asked), request=first.digest())
    record_audit(report, key=a_signer(2).public_key)
