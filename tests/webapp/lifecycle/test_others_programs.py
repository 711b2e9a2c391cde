"""A course file reads and plays no program but its own, whatever digests its author knows."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest

from grader.interfaces import interface_named
from grader.uploads.archive import read_upload
from tests.support.course_files import exported, rows_changed, rows_of
from tests.support.every_address import EveryThing
from tests.support.pages import signed_in
from tests.support.tournaments import start
from webapp.base.artefacts import keyed_digest, store
from webapp.base.errors import Refused
from webapp.contests.ladders.models import LadderEntry
from webapp.contests.ladders.services import LadderSetting, open_ladder
from webapp.contests.playing.models import HumanGame
from webapp.contests.playing.selectors import agents_for
from webapp.contests.tournaments.models import Participant
from webapp.contests.tournaments.services import resume, start_audit
from webapp.flow.lifecycle.services.archiving import unarchive_course
from webapp.flow.lifecycle.services.importing import import_course
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.reproducing import class_named
from webapp.grading.evaluations.services import request_evaluation, requeue
from webapp.grading.similarity.archive import zipped
from webapp.grading.similarity.models import SourcePrints
from webapp.grading.similarity.services import go_on_comparing, start_comparison
from webapp.grading.submissions.models import Submission
from webapp.grading.submissions.selectors import archive
from webapp.pages.accounts.export import archive_about
from webapp.teaching.courses.models import Course

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

SUBMISSIONS = "rows/submissions.submission.jsonl"
EVALUATIONS = "rows/evaluations.evaluation.jsonl"
PARTICIPANTS = "rows/tournaments.participant.jsonl"
ENTRIES = "rows/ladders.ladderentry.jsonl"
SEATS = "rows/playing.humangame.jsonl"
REMOVED_AT = "2026-01-01T00:00:00+00:00"
SECRET = b"from firebox import Agent\n\n\nclass TopSecret(Agent):\n    pass\n"

Row = dict[str, Any]


@pytest.fixture
def file(things: EveryThing) -> BytesIO:
    return exported(things.world.course)


@pytest.fixture
def victim(db: None) -> str:
    """The digest of an upload that another course of this site has."""
    upload = read_upload("agent.py", SECRET, interface_named("python").upload)
    return store().put(upload.archive())


def forged(file: BytesIO, victim: str) -> BytesIO:
    """Say of every upload that it is the victim's, and that it was removed."""
    programs = {row["sha256"] for row in rows_of(file, SUBMISSIONS)}

    def named(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: named(each) for name, each in value.items()}
        if isinstance(value, list):
            return [named(each) for each in value]
        return victim if isinstance(value, str) and value in programs else value

    names = (SUBMISSIONS, EVALUATIONS, PARTICIPANTS, ENTRIES, SEATS)
    files = {name: [named(row) for row in rows_of(file, name)] for name in names}
    for row in files[SUBMISSIONS]:
        row["sources_removed_at"] = REMOVED_AT
    for row in files[EVALUATIONS]:
        if row["kind"] == "practice":
            row |= {"status": "failed", "is_current": False}
    return rows_changed(file, **files)


@pytest.fixture
def copy(file: BytesIO, things: EveryThing, victim: str) -> Course:
    """A course from the forged file, taken out of the archive."""
    course = import_course(file=forged(file, victim), by=things.world.ida, slug="again").course
    unarchive_course(course=course, by=things.world.ida)
    return Course.objects.get(pk=course.pk)


def submissions_of(course: Course) -> list[Submission]:
    rows = Submission.objects.filter(team__assignment__course=course)
    return list(rows.select_related("team__assignment__course").order_by("pk"))


def test_no_reader_gives_a_program_that_a_file_only_names(copy: Course, things: EveryThing) -> None:
    ida = things.world.ida
    client = signed_in(ida)
    for submission in submissions_of(copy):
        with pytest.raises(Refused, match="have been deleted"):
            archive(submission)
        response = client.get(f"/submissions/{submission.pk}/archive/")
        assert response.status_code == 302
        assert client.get(f"/submissions/{submission.pk}/source/").status_code == 404
        changes = client.get(f"/submissions/{submission.pk}/changes/?since={submission.pk}")
        assert b"have been deleted" in changes.content
    assert b"TopSecret" not in b"".join(zipped(submissions_of(copy)))
    assert b"again/" not in archive_about(things.world.ada)
    for evaluation in Evaluation.objects.filter(assignment__course=copy):
        assert class_named(evaluation) == ""
    start_comparison(assignment=copy.assignments.get(), by=ida)
    go_on_comparing(at=copy.created_at, seconds=60)
    prints = SourcePrints.objects.filter(submission__in=submissions_of(copy))
    assert all(row.failure and not row.packed for row in prints)


def test_nothing_plays_a_program_that_a_file_only_names(
    copy: Course, things: EveryThing, victim: str
) -> None:
    ida, assignment = things.world.ida, copy.assignments.get()
    for submission in submissions_of(copy):
        with pytest.raises(Refused, match="no longer be read or played"):
            request_evaluation(kind=Kind.GRADED, submission=submission)
    for evaluation in Evaluation.objects.filter(assignment=assignment, status="failed"):
        with pytest.raises(Refused, match="no longer be read or played"):
            requeue(evaluation=evaluation, by=ida, at=copy.created_at)
    assert not [key for key in agents_for(ida, assignment) if key.startswith("submission")]
    tournament = assignment.tournaments.get()
    with pytest.raises(Refused, match="no longer be read or played"):
        resume(tournament=tournament, by=ida)
    with pytest.raises(Refused, match="No team has a submission"):
        start(world_of(things, copy))
    with pytest.raises(Refused, match="No agent of this tournament is left"):
        start_audit(tournament=tournament, by=ida, n_games=3)
    ladder = open_ladder(assignment=assignment, by=ida, setting=LadderSetting())
    assert not ladder.entries.exists()
    assert victim not in stored_programs(copy)


def world_of(things: EveryThing, course: Course) -> Any:
    """The world with the imported course in place of the original."""
    things.world.course, things.world.assignment = course, course.assignments.get()
    return things.world


def stored_programs(course: Course) -> set[str]:
    of_course = {"assignment__course": course}
    digests = set()
    for evaluation in Evaluation.objects.filter(**of_course):
        digests |= {agent.sha256 for agent in evaluation.agents}
    for participant in Participant.objects.filter(tournament__assignment__course=course):
        digests.add(participant.as_value.agent.sha256)
    for entry in LadderEntry.objects.filter(ladder__assignment__course=course):
        digests.add(entry.as_value.agent.sha256)
    for game in HumanGame.objects.filter(**of_course):
        digests |= {seat.agent.sha256 for seat in game.occupants if seat.agent}
    return digests


FORGED: dict[str, tuple[str, Callable[[Row], bool], Callable[[Row, str], object]]] = {
    "an evaluation": (
        EVALUATIONS,
        lambda row: row["submission"] is not None,
        lambda row, digest: row.update(sha256=digest),
    ),
    "a participant": (
        PARTICIPANTS,
        lambda row: row["submission"] is not None,
        lambda row, digest: row["agent"].update(sha256=digest),
    ),
    "an entry of a ladder": (
        ENTRIES,
        lambda row: row["submission"] is not None,
        lambda row, digest: row["agent"].update(sha256=digest),
    ),
    "a submission": (
        SUBMISSIONS,
        lambda _: True,
        lambda row, digest: row.update(sha256=digest),
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_row_that_names_a_program_that_is_not_in_the_file_is_refused(
    name: str, file: BytesIO, things: EveryThing, victim: str
) -> None:
    table, is_meant, forge = FORGED[name]
    rows = rows_of(file, table)
    forge(next(row for row in rows if is_meant(row)), victim)
    with pytest.raises(Refused, match=r"another program|is missing"):
        import_course(file=rows_changed(file, **{table: rows}), by=things.world.ida, slug="again")
    assert Course.objects.count() == 1


def test_a_house_agent_of_an_unknown_version_matches_itself_and_leads_nowhere(
    file: BytesIO, things: EveryThing, victim: str
) -> None:
    files = {name: rows_of(file, name) for name in (PARTICIPANTS, ENTRIES)}
    for rows in files.values():
        for row in rows:
            if row["house_agent"]:
                row["agent"]["sha256"] = victim
    changed = rows_changed(file, **files)
    course = import_course(file=changed, by=things.world.ida, slug="again").course
    programs = stored_programs(course)
    assert victim not in programs
    assert keyed_digest(victim) in programs
