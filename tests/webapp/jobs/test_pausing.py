"""The pause of all graders."""

from collections.abc import Callable

import pytest
from django.test import Client

from grader.broker.transport import is_admitted
from tests.support.graders import GRADER_KEY
from tests.support.pages import signed_in, text_of
from tests.support.site_redis import site_redis
from tests.webapp.conftest import NOW
from webapp.base.celery import app
from webapp.flow import tasks
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.graders.services import admit_key
from webapp.grading.jobs import broker
from webapp.grading.jobs.models import Job
from webapp.grading.submissions.models import Submission
from webapp.people.auditlog.models import Act

pytestmark = [pytest.mark.django_db, pytest.mark.redis, pytest.mark.usefixtures("redis_url")]

PAGE = "/operations/graders/"


def forget_sending() -> None:
    Job.objects.update(sent_at=None, sent_to="")


def test_while_all_are_paused_none_takes_work_and_uploads_wait(
    operator: Client, redis_url: str, graded: Evaluation, upload: Callable[..., Submission]
) -> None:
    admit_key(public_key=GRADER_KEY, name="ours", at=NOW)
    forget_sending()
    with site_redis(redis_url) as client:
        tasks.resend_lost_jobs()
        sent = broker.waiting("graded")
        operator.post(f"{PAGE}pause/")
        operator.post(f"{PAGE}pause/")
        forget_sending()
        tasks.resend_lost_jobs()
        assert not is_admitted(client, GRADER_KEY)
        assert broker.waiting("graded") == sent
        assert "Paused" in text_of(operator.get(PAGE))
        uploaded = upload(graded.submission.team)
        ada = signed_in(uploaded.uploaded_by)
        assert "The site’s operators have paused all games." in text_of(
            ada.get(f"/submissions/{uploaded.pk}/")
        )
        operator.post(f"{PAGE}go-on/")
        assert is_admitted(client, GRADER_KEY)
        tasks.resend_lost_jobs()
        assert broker.waiting("graded") > sent
    acts = Act.objects.filter(kind__startswith="grader.all").values_list("kind", flat=True)
    assert sorted(acts) == ["grader.all_paused", "grader.all_resumed"]


@pytest.mark.parametrize("deed", ["pause", "{key}/drain"])
def test_the_next_tick_stops_graders_that_the_broker_was_not_told_to_stop(
    deed: str, operator: Client, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker's own note would let them play for another hour."""
    key = admit_key(public_key=GRADER_KEY, name="ours", at=NOW)
    with site_redis(redis_url) as client:
        tasks.resend_lost_jobs()
        assert is_admitted(client, GRADER_KEY)
        with monkeypatch.context() as away:
            away.setattr(app.conf, "broker_url", "redis://127.0.0.1:1/0")
            operator.post(f"{PAGE}{deed.format(key=key.pk)}/")
        assert is_admitted(client, GRADER_KEY)
        tasks.resend_lost_jobs()
        assert not is_admitted(client, GRADER_KEY)


@pytest.mark.parametrize("deed", ["admit", "resume"])
def test_no_grader_is_said_to_take_work_during_a_pause(deed: str, operator: Client) -> None:
    key = admit_key(public_key=GRADER_KEY, name="ours", at=NOW)
    operator.post(f"{PAGE}pause/")
    page = text_of(operator.post(f"{PAGE}{key.pk}/{deed}/", follow=True))
    assert "takes work when all graders resume." in page
    assert "within seconds" not in page
    operator.post(f"{PAGE}go-on/")
    page = text_of(operator.post(f"{PAGE}{key.pk}/{deed}/", follow=True))
    assert "takes work within seconds." in page
