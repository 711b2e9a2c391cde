"""The log of a build that failed: what the report has is not said again."""

from grader.play.batch import open_batch
from tests.grader.interfaces.fit2102.uploads import player, request_for
from tests.grader.interfaces.outcomes import refusal_of
from tests.support.slots import confined


def test_the_compilers_log_has_nothing_that_the_report_has() -> None:
    upload = player("here", **{"Util.hs": "module Util where\n"})
    with open_batch(request_for(range(1)), [upload], confined()) as batch:
        report = refusal_of(batch)
    assert len(report.messages) == 1
    assert report.log.strip() == ""
