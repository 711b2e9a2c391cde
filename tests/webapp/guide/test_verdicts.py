"""The page on verdicts explains each in the words of the code."""

import pytest

from firebox import adapter
from grader.core.records import FaultKind
from tests.support.every import every
from tests.webapp.guide.reading import plain, text_of
from webapp.grading.evaluations.models import Status, Verdict
from webapp.grading.submissions.models import SubmissionStatus
from webapp.pages.guide.docstrings import members
from webapp.pages.guide.pages import verdict_rows

pytestmark = pytest.mark.django_db


@every("kind", FaultKind)
def test_every_fault_is_explained_in_the_graders_own_words(kind: FaultKind) -> None:
    text = text_of("verdicts")
    assert kind.value in text
    assert members(FaultKind)[kind.name] in text


def test_every_status_and_verdict_is_explained() -> None:
    text = text_of("verdicts")
    for kind in (Status, Verdict):
        for member in kind:
            assert not member.value or member.value.capitalize() in text


@every("status", SubmissionStatus)
def test_every_status_of_a_submission_is_explained(status: SubmissionStatus) -> None:
    text = text_of("verdicts")
    assert members(SubmissionStatus)[status.name] in text
    assert {"smoke_tested": "Tested"}.get(status.value, status.value.capitalize()) in text


def test_both_reasons_for_a_rejection_are_shown() -> None:
    text = text_of("verdicts")
    assert "could not be compiled or loaded, or every game of its first test ended with" in text
    assert "3 faults in a row end a first test early" in text


def test_every_exit_status_of_the_interface_is_explained_to_students() -> None:
    text = text_of("verdicts")
    statuses = {name: getattr(adapter, name) for name in vars(adapter) if name.startswith("EXIT_")}
    assert {70, 71, 72, 73} <= set(statuses.values())
    for name, status in statuses.items():
        assert f"exit status {status}{plain(members(adapter)[name])}" in text


def test_an_exit_status_of_0_is_no_fault_only_where_the_game_was_over() -> None:
    assert "none; crash if the game was not over" in text_of("verdicts")


def test_remedies_speak_of_python_only_where_they_say_so() -> None:
    for row in verdict_rows():
        for word in ("act()", "start()", "observation"):
            assert word not in row.remedy or "in Python" in row.remedy
