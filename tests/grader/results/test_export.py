"""Exports: what verification accepts, and everything it must not."""

from dataclasses import replace
from decimal import Decimal

import pytest

from grader.core.errors import RecordError
from grader.core.records import from_json, to_json
from grader.results.export import EvaluationExport, verify_export
from grader.results.grading_scheme import GradingScheme
from tests.grader.played import export, faulted_record, random_record, result

SCHEME = GradingScheme(full_mean=Decimal(1), full_points=Decimal(10), bonus_points=Decimal(1))
RECORDS = [random_record(index) for index in range(4)]


def texts(changed: EvaluationExport) -> list[str]:
    return [
        f"{'' if finding.index is None else finding.index}: {finding.text}"
        for finding in verify_export(changed).findings
    ]


def test_an_honest_export_survives_json_and_is_verified_from_its_games() -> None:
    report = verify_export(export(RECORDS, scheme=SCHEME))
    assert (report.ok, report.findings, report.games, report.deals_derived) == (True, (), 4, True)
    whole = export(RECORDS, scheme=SCHEME)
    assert from_json(to_json(whole), EvaluationExport) == whole
    whole = export(RECORDS, scheme=SCHEME)
    mean = sum(record.scores[0] for record in RECORDS) / 4
    assert whole.summary.mean == mean
    assert whole.points == SCHEME.points(mean)


def test_without_the_secret_no_deal_is_derived() -> None:
    hidden = export(RECORDS, reveal_secret=False)
    assert hidden.secret is None
    report = verify_export(hidden)
    assert (report.ok, report.deals_derived) == (True, False)


def test_faulted_games_are_verified_too() -> None:
    report = verify_export(export([faulted_record(0), random_record(1)]))
    assert report.ok
    assert report.summary is not None
    assert report.summary.lost >= 1


def test_games_after_the_stop_may_be_missing() -> None:
    whole = export([faulted_record(index) for index in range(6)])
    assert verify_export(replace(whole, results=whole.results[:3])).ok


def test_an_evaluation_without_games_has_no_points() -> None:
    empty = export([], scheme=SCHEME)
    assert empty.points is None
    assert verify_export(empty).ok


def test_an_incomplete_evaluation_is_not_exported() -> None:
    whole = export(RECORDS)
    with pytest.raises(RecordError, match="no score for agent 0"):
        export([*RECORDS, replace(RECORDS[0], scores=())])
    assert (
        "1 of 4 games are missing, the first is 3"
        in texts(replace(whole, results=whole.results[:3]))[0]
    )


def test_another_secret_is_found() -> None:
    whole = export(RECORDS)
    other = replace(whole.results[2], record=random_record(7))
    found = texts(replace(whole, results=(*whole.results[:2], other, whole.results[3])))
    assert "2: the deal is not the one that the secret gives" in found
    found = texts(replace(export(RECORDS), secret=bytes(32).hex()))
    assert "commitment" in found[0]
    assert len(found) == 5


@pytest.mark.parametrize("secret", ["", "00", "no hex"])
def test_an_unusable_secret_is_found(secret: str) -> None:
    assert "the secret is unusable" in texts(replace(export(RECORDS), secret=secret))[0]


def test_forged_scores_and_figures_are_found() -> None:
    whole = export(RECORDS)
    forged = result(1, replace(RECORDS[1], scores=(25, 25)))
    found = texts(replace(whole, results=(whole.results[0], forged, *whole.results[2:])))
    assert found[0].startswith("1: the scores are")
    assert found[1].startswith(": the games give n = 4")
    whole = export(RECORDS, scheme=SCHEME)
    forged = replace(whole.summary, mean=20.0)
    found = texts(replace(whole, summary=forged, points=Decimal(100)))
    assert "the export says n = 4, mean 20.0" in found[0]
    assert "the export says 100" in found[1]


def test_a_game_that_does_not_belong_is_found() -> None:
    whole = export(RECORDS)
    found = texts(replace(whole, results=(*whole.results, whole.results[0])))
    assert found == ["0: the game is there twice"]
    whole = export(RECORDS)
    extra = result(4, random_record(4))
    assert texts(replace(whole, results=(*whole.results, extra))) == [
        "4: the evaluation has games 0 to 3 only"
    ]
    whole = export([faulted_record(0), random_record(1)])
    spec = replace(whole.spec, n_games=1 << 70, max_consecutive_faults=1)
    assert texts(replace(whole, spec=spec)) == [": the evaluation has more than 1,000,000 games"]
    whole = export(RECORDS)
    moved = replace(whole.results[0], seating=(1, 0))
    found = texts(replace(whole, results=(moved, *whole.results[1:])))
    assert found == ["0: agents sat as (1, 0), the evaluation has them sit as (0, 0)"]
    whole = export(RECORDS)
    other = result(0, random_record(0, variant="gcc"))
    found = texts(replace(whole, results=(other, *whole.results[1:])))
    assert any("other rules or options" in text for text in found)
    whole = export([faulted_record(0), RECORDS[1]])
    bare = replace(whole.results[0], evidence=None)
    assert "0: evidence must be there" in texts(replace(whole, results=(bare, whole.results[1])))[0]


def test_a_difference_in_the_last_digits_is_accepted() -> None:
    whole = export(RECORDS)
    assert whole.summary.low is not None
    moved = replace(whole.summary, low=whole.summary.low + 1e-13)
    assert verify_export(replace(whole, summary=moved)).ok


@pytest.mark.parametrize("seating", [(0,), (1, 1), (0, 0, 0)])
def test_an_unplayable_seating_is_found(seating: tuple[int, ...]) -> None:
    whole = export(RECORDS)
    report = verify_export(replace(whole, spec=replace(whole.spec, seating=seating)))
    assert not report.ok
    assert report.summary is None


def test_an_export_without_its_agents_is_found() -> None:
    assert texts(replace(export(RECORDS), agents=())) == [": it names 0 agents, and 1 played"]
