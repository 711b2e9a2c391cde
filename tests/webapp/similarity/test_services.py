"""Comparisons: who may request one, what is compared, what is kept and shown."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from grader.interfaces.starter_kit import starter_files
from tests.support.made_programs import program, renamed
from tests.support.zips import zipped
from tests.webapp.conftest import NOW
from webapp.base.artefacts import store
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.pipeline import accept
from webapp.grading.similarity.models import Comparison, SimilarPair, SourcePrints
from webapp.grading.similarity.services import go_on_comparing, start_comparison
from webapp.grading.submissions.models import Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Membership, Role, Team
from webapp.teaching.courses.services import create_assignment, create_course, team_for

AFTER = NOW + timedelta(days=30)

Uploaded = Callable[..., Submission]
ONE, OTHER = program(1, functions=8), program(2, functions=8)


@pytest.fixture
def handed_in(upload: Uploaded) -> Uploaded:
    def handed_in(assignment: Assignment, user: User, text: str, **how: object) -> Submission:
        team = team_for(user=user, assignment=assignment)
        submission = upload(team, data=text.encode(), **how)
        Submission.objects.filter(pk=submission.pk).update(status="ready")
        return submission

    return handed_in


def compared(assignment: Assignment, by: User) -> Comparison:
    comparison = start_comparison(assignment=assignment, by=by, at=AFTER)
    assert go_on_comparing(at=AFTER) == 0
    comparison.refresh_from_db()
    return comparison


def pairs(comparison: Comparison) -> list[tuple[int, int]]:
    return [(pair.first_id, pair.second_id) for pair in comparison.pairs.all()]


def earlier(course: Course, ida: User, **fields: object) -> Assignment:
    values = {"slug": "last", "title": "Last term", "options": {"variant": "gcc", "players": 2}}
    dates = {"opens_at": NOW - timedelta(days=7), "due_at": NOW + timedelta(days=1)}
    return create_assignment(course=course, by=ida, **{**values, **dates, **fields})


def test_a_renamed_copy_is_found_and_an_own_program_is_not(
    assignment: Assignment, ida: User, enrol: Callable[..., User], handed_in: Uploaded
) -> None:
    ada, ben, cy = (
        handed_in(assignment, enrol(name), text)
        for name, text in (("Ada", ONE), ("Ben", renamed(ONE)), ("Cy", OTHER))
    )
    comparison = compared(assignment, ida)
    assert pairs(comparison) == [(ada.pk, ben.pk)]
    pair = comparison.pairs.get()
    assert (pair.first_share, pair.second_share) == (1.0, 1.0)
    assert len(pair.hashes) == pair.shared > 20
    assert (comparison.done, comparison.total, comparison.finished_at) == (3, 3, AFTER)
    assert SourcePrints.objects.get(submission=cy).prints.files == ("agent.py",)


def test_starter_kits_are_left_out(
    assignment: Assignment, ida: User, enrol: Callable[..., User], handed_in: Uploaded
) -> None:
    kit = starter_files("hanabi")["agent.py"].decode()
    for name in ("Ada", "Ben"):
        handed_in(assignment, enrol(name), kit)
    assert pairs(compared(assignment, ida)) == []


def test_the_courses_framework_in_an_upload_is_not_read(
    course: Course, ida: User, enrol: Callable[..., User], handed_in: Uploaded
) -> None:
    options = {"variant": "uwa", "players": 2}
    assignment = earlier(course, ida, options=options, interfaces=["uwa-java"])
    body = "if (x > 3) { x = x * 2; } while (x < 9) x++; do { x--; } while (x > 0); " * 9
    state = f"package hanabAI; class State {{ int f(int x) {{ {body} return x; }} }}"
    for name in ("Ada", "Ben"):
        mine = f"package agents; import hanabAI.*; public class {name} implements Agent {{}}"
        files = {"hanabAI/State.java": state.encode(), f"agents/{name}.java": mine.encode()}
        team = team_for(user=enrol(name), assignment=assignment)
        accept(
            team=team, by=team.users.get(), filename="all.zip", data=zipped(*files.items()), at=NOW
        )
    Submission.objects.update(status="ready")
    comparison = compared(assignment, ida)
    assert pairs(comparison) == []
    assert {row.prints.files for row in SourcePrints.objects.all()} == {
        ("agents/Ada.java",), ("agents/Ben.java",),
    }  # fmt: skip


@pytest.mark.slow
def test_partners_and_the_same_student_a_year_later_are_no_pairs(
    course: Course, assignment: Assignment, ida: User, enrol: Callable[..., User],
    handed_in: Uploaded,
) -> None:  # fmt: skip
    ada, ben = enrol("Ada"), enrol("Ben")
    before = earlier(course, ida, max_team_size=2)
    handed_in(before, ada, ONE)
    again = handed_in(assignment, ada, ONE)
    handed_in(assignment, ben, OTHER)
    assert pairs(compared(assignment, ida)) == []
    team = Team.objects.get(pk=again.team_id)
    Membership.objects.filter(team=team).delete()
    assert len(pairs(compared(assignment, ida))) == 1


def test_earlier_terms_are_those_of_courses_where_the_instructor_is_on_the_staff(
    assignment: Assignment, ida: User, ada: User, enrol: Callable[..., User], handed_in: Uploaded
) -> None:
    dora = enrol("Dora")
    old = create_course(by=ida, title="Games", slug="games-2025", timezone="Europe/Berlin")
    Enrolment.objects.create(course=old, user=dora)
    theirs = handed_in(earlier(old, ida), dora, ONE)
    mine = handed_in(assignment, ada, ONE)
    handed_in(assignment, enrol("Ben"), OTHER)
    assert pairs(compared(assignment, ida)) == [(mine.pk, theirs.pk)]
    Enrolment.objects.filter(course=old, user=ida).update(role=Role.STUDENT)
    assert pairs(compared(assignment, ida)) == []


def test_a_team_whose_sources_are_lost_does_not_stop_the_others(
    assignment: Assignment, ida: User, enrol: Callable[..., User], handed_in: Uploaded
) -> None:
    kept = [handed_in(assignment, enrol(name), ONE).pk for name in ("Ada", "Ben")]
    lost = handed_in(assignment, enrol("Cy"), OTHER)
    store().remove(lost.sha256, before=AFTER.replace(year=2100))
    assert pairs(compared(assignment, ida)) == [tuple(kept)]
    assert "is not in the store" in SourcePrints.objects.get(submission=lost).failure


def test_another_comparison_reads_nothing_twice_and_replaces_the_first(
    assignment: Assignment, ida: User, enrol: Callable[..., User], handed_in: Uploaded,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    for name in ("Ada", "Ben"):
        handed_in(assignment, enrol(name), ONE)
    compared(assignment, ida)
    monkeypatch.setattr("webapp.grading.similarity.services.prints_of", None)
    again = compared(assignment, ida)
    assert [pair.comparison for pair in SimilarPair.objects.all()] == [again]


def test_a_worker_stops_when_its_time_is_over_and_the_next_continues(
    assignment: Assignment, ida: User, enrol: Callable[..., User], handed_in: Uploaded
) -> None:
    for name in ("Ada", "Ben"):
        handed_in(assignment, enrol(name), ONE)
    comparison = start_comparison(assignment=assignment, by=ida, at=AFTER)
    assert go_on_comparing(at=AFTER, seconds=0) == 1
    comparison.refresh_from_db()
    assert (comparison.done, comparison.finished_at) == (0, None)
    with pytest.raises(Refused, match="being compared already"):
        start_comparison(assignment=assignment, by=ida, at=AFTER)
    assert go_on_comparing(at=AFTER) == 0


def test_a_comparison_needs_the_due_date_to_be_over_and_two_submissions(
    assignment: Assignment, ida: User, ada: User, handed_in: Uploaded
) -> None:
    handed_in(assignment, ada, ONE)
    with pytest.raises(Refused, match="after the due date"):
        start_comparison(assignment=assignment, by=ida, at=NOW)
    with pytest.raises(Refused, match="Fewer than two"):
        start_comparison(assignment=assignment, by=ida, at=AFTER)


def test_assistants_need_the_right_which_they_have_not_by_default(
    course: Course, assignment: Assignment, enrol: Callable[..., User], handed_in: Uploaded
) -> None:
    cleo = enrol("Cleo", Role.ASSISTANT)
    for name in ("Ada", "Ben"):
        handed_in(assignment, enrol(name), ONE)
    with pytest.raises(NotAllowed):
        start_comparison(assignment=assignment, by=cleo, at=AFTER)
    course.assistant_rights = ["integrity"]
    course.save()
    assignment.course.refresh_from_db()
    start_comparison(assignment=assignment, by=cleo, at=AFTER)
    act = Act.objects.get(kind="similarity.compared")
    assert (act.by, act.after["submissions"]) == (cleo, 2)
