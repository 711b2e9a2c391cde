"""Statistics of a finished evaluation are computed once, and kept."""

import pytest

from tests.support import world as worlds
from tests.support.templates import copy_of
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.services import insights
from webapp.grading.evaluations.services.insights import (
    compute_insights_of,
    compute_missing_insights,
)


@pytest.fixture
def practice(db: None) -> Evaluation:
    """Ada's, finished; its second game ended with a fault."""
    copy_of(worlds.make_practised, faults=(1,))
    Evaluation.objects.update(insights=None)
    return Evaluation.objects.get(kind=Kind.PRACTICE)


def test_insights_are_computed_after_the_last_report(practice: Evaluation) -> None:
    assert practice.awaits_insights
    compute_insights_of(str(practice.uuid))
    practice.refresh_from_db()
    found = practice.parsed_insights
    assert found is not None
    assert not practice.awaits_insights
    assert found.lost == pytest.approx(25 - (practice.mean or 0))


def test_stored_insights_are_not_computed_again(
    practice: Evaluation, monkeypatch: pytest.MonkeyPatch
) -> None:
    compute_missing_insights()
    monkeypatch.setattr(insights, "insights_of", None)
    compute_insights_of(str(practice.uuid))
    compute_missing_insights()


def test_games_by_other_rules_tell_nothing_and_are_not_asked_again(practice: Evaluation) -> None:
    practice.results.update(packed=b"", ending="deck_out")
    result = practice.results.get(index=0)
    result.packed = b"not a result"
    result.save()
    compute_missing_insights()
    practice.refresh_from_db()
    found = practice.parsed_insights
    assert found is not None
    assert found.causes == ()
