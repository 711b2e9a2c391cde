"""Clocks of hosts differ: ages are those of one clock, and operators are told which is wrong."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.support.graders import GRADER_KEY, a_report
from tests.support.pages import text_of
from tests.webapp.conftest import NOW
from webapp.grading.operations.models import Grader
from webapp.grading.operations.services import record_grader

pytestmark = pytest.mark.django_db

PAGE = "/operations/graders/"


@pytest.mark.parametrize("skew", [-3600, -7, 0, 7, 3600])
def test_the_age_of_a_report_is_that_of_one_clock(skew: int) -> None:
    there = NOW - timedelta(seconds=4) + timedelta(seconds=skew)
    record_grader(a_report(sent_at=there), key=GRADER_KEY, at=NOW, waited_seconds=4.0)
    grader = Grader.objects.get()
    assert grader.seen_at == NOW - timedelta(seconds=4)
    assert grader.skew_seconds == skew
    assert not grader.is_stale(NOW)


@pytest.mark.parametrize(("skew", "words"), [(-7.4, "7 seconds slow"), (65, "65 seconds fast")])
def test_a_wrong_clock_is_told_on_the_page(skew: float, words: str, operator: Client) -> None:
    now = timezone.now()
    report = a_report(sent_at=now + timedelta(seconds=skew))
    record_grader(report, key=GRADER_KEY, at=now, waited_seconds=0.0)
    assert words in " ".join(text_of(operator.get(PAGE)).split())
    record_grader(
        a_report(sent_at=now + timedelta(seconds=4)),
        key=GRADER_KEY,
        at=now + timedelta(seconds=1),
        waited_seconds=0.0,
    )
    assert "The clock of" not in text_of(operator.get(PAGE))
