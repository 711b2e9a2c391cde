"""Work for the staff of a large course: regrade requests, similar sources, a platform, a log."""

from itertools import pairwise

from django.db import transaction
from django.utils import timezone

from tests.support.crowd import Crowd
from tests.support.linked import link_platform
from webapp.grading.gradebook.models import RegradeRequest
from webapp.grading.similarity.models import Comparison, SimilarPair
from webapp.grading.submissions.models import Submission
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import act, record_all


def add_staff_work(crowd: Crowd, *, acts: int = 1) -> None:
    """Give everybody a regrade request, a similar pair, failed points, and acts in the log."""
    now = timezone.now()
    with transaction.atomic():
        record_all(
            act(
                ActKind.GRADE_CHANGED, by=crowd.instructor, course=crowd.course, person=user,
                thing=crowd.assignment, before={"points": number}, after={"points": number + 1},
            )
            for number in range(acts)
            for user in crowd.students
        )  # fmt: skip
    RegradeRequest.objects.bulk_create(
        RegradeRequest(assignment=crowd.assignment, user=user, text="Why so few?", asked_at=now)
        for user in crowd.students
    )
    latest = Submission.objects.filter(team__in=crowd.teams).order_by("team", "number")
    uploads = list({upload.team_id: upload for upload in latest}.values())
    comparison = Comparison.objects.create(
        assignment=crowd.assignment,
        requested_by=crowd.instructor,
        requested_at=now,
        finished_at=now,
        own=[upload.pk for upload in uploads],
        earlier=[],
        done=len(uploads),
    )
    SimilarPair.objects.bulk_create(
        SimilarPair(
            comparison=comparison,
            first=first,
            second=second,
            place=place,
            shared=9,
            first_share=0.5,
            second_share=0.4,
            packed=b"",
        )
        for place, (first, second) in enumerate(pairwise(uploads), start=1)
    )
    link_platform(assignment=crowd.assignment, by=crowd.instructor, users=crowd.students)
