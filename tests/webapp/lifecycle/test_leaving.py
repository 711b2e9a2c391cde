"""Courses and people are deleted, old records are removed; grades stay, and name nobody."""

import json
from datetime import timedelta
from io import BytesIO

import pytest
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils import timezone

from grader.results.course_check import check_course
from grader.uploads.course_file import CourseFile
from tests.support.world import World
from webapp.base.errors import NotAllowed, Refused
from webapp.flow.lifecycle.batches import BatchDeadline
from webapp.flow.lifecycle.exporting import write_course
from webapp.flow.lifecycle.models import GradeRecord
from webapp.flow.lifecycle.services.archiving import unarchive_course
from webapp.flow.lifecycle.services.deleting import delete_course, remove_deleted_courses
from webapp.flow.lifecycle.services.forgetting import columns_of_one_person, forget_person
from webapp.flow.lifecycle.services.retention import (
    due_of,
    remove_expired_course_data,
    set_retention,
)
from webapp.flow.lifecycle.tables import course_tables
from webapp.flow.lti.models import LinkedAssignment, LinkedCourse, Platform, Score
from webapp.grading.evaluations.models import Evaluation, GameResult
from webapp.grading.gradebook.models import Grade, ManualPoints, Outcome, RegradeRequest
from webapp.grading.submissions.models import KeptUpload, Submission
from webapp.people.accounts.models import User
from webapp.people.auditlog.chain import check, link_new_acts
from webapp.people.auditlog.models import Act
from webapp.teaching.courses.models import Course, Extension, Team

pytestmark = pytest.mark.django_db

FOR_EVER = BatchDeadline(None)


@pytest.fixture
def opal(db: None) -> User:
    return User.objects.create_superuser("op@example.org", display_name="Opal Operator")


def delete(world: World, **how: str) -> int:
    values = {"slug": "coop", "reason": "Asked by the dean", **how}
    return delete_course(course=Course.objects.get(), by=world.ida, **values)


def test_a_deleted_course_is_gone_and_its_kept_grades_are_anonymous(over: World) -> None:
    points = set(Grade.objects.values_list("points", flat=True))
    assert delete(over) == 2
    assert not Course.objects.visible_to(over.ada).exists()
    assert not Course.objects.visible_to(over.ida).exists()
    assert remove_deleted_courses(FOR_EVER) > 20
    assert {table.label for table in course_tables() if table.model._base_manager.exists()} == set()
    kept = list(GradeRecord.objects.values())
    assert {row["points"] for row in kept} == points
    words = json.dumps(kept, default=str)
    assert not [name for name in ("Ada", "Ben", "example.org") if name in words]
    assert len({row["team"] for row in kept}) == 2


def test_a_course_is_deleted_whatever_another_is_called(over: World) -> None:
    Course.objects.create(title="Other", slug=f"deleted-{over.course.pk}")
    delete_course(course=over.course, by=over.ida, slug="coop", reason="Over")
    assert not Course.objects.filter(slug="coop").exists()


def test_of_points_by_hand_that_are_kept_the_last_were_current(over: World) -> None:
    given = {
        "assignment": over.assignment,
        "user": over.ada,
        "given_by": over.ida,
        "reason": "Oral",
    }
    for points in (5, 7):
        at = timezone.now()
        ManualPoints.objects.create(points=points, given_at=at, **given)
    delete(over)
    kept = GradeRecord.objects.filter(mean=0, scheme__has_key="by hand").order_by("points")
    assert list(kept.values_list("points", "was_current")) == [(5, False), (7, True)]


def test_entries_of_a_deleted_course_lose_their_words_and_the_chain_holds(over: World) -> None:
    link_new_acts()
    delete(over)
    link_new_acts()
    assert check(at=timezone.now()).problems == ()
    left = Act.objects.exclude(kind__in=("course.deleted", "log.erased"))
    assert {act.is_erased for act in left} == {True}
    assert Act.objects.get(kind="course.deleted").reason == "Asked by the dean"


def test_a_course_is_not_deleted_by_mistake(over: World) -> None:
    with pytest.raises(Refused, match="short name, coop"):
        delete(over, slug="hanabi")
    with pytest.raises(Refused, match="Give a reason"):
        delete(over, reason=" ")
    with pytest.raises(NotAllowed):
        delete_course(course=over.course, by=over.cleo, slug="coop", reason="x")
    unarchive_course(course=over.course, by=over.ida)
    with pytest.raises(Refused, match="Archive the course first"):
        delete(over)


def test_a_removal_that_is_interrupted_continues_later(over: World) -> None:
    delete(over)
    assert remove_deleted_courses(BatchDeadline(0)) == 0
    assert Course.objects.exists()
    remove_deleted_courses(FOR_EVER)
    assert not Course.objects.exists()


def test_nothing_names_a_person_who_was_deleted(over: World, opal: User) -> None:
    forget_person(user=over.ada, by=opal, email=over.ada.email, reason="Asked to be forgotten")
    assert tables_with("Ada") == tables_with("ada@example.org") == set()
    assert "Ben" in str(Team.objects.values_list("name", flat=True))
    over.ada.refresh_from_db()
    assert (over.ada.is_active, over.ada.has_usable_password()) == (False, False)


def tables_with(word: str) -> set[str]:
    """Return the models of which a row has the word in a column that people read."""
    found = set()
    models = [*(table.model for table in course_tables()), User, Act, Extension]
    for model in models:
        for row in model._base_manager.values():
            texts = {key: value for key, value in row.items() if not isinstance(value, bytes)}
            texts.pop("password", None)  # a hash, or random letters: any short word may be in it
            if word in json.dumps(texts, default=str):
                found.add(model._meta.label)
    return found


STAYS = {
    "announcements.Announcement.posted_by",
    "auditlog.Act.by",
    "auditlog.Act.person",
    "courses.Accommodation.granted_by",
    "courses.Enrolment.user",
    "courses.Extension.granted_by",
    "courses.Extension.user",
    "courses.GameFolder.uploaded_by",
    "courses.GradeRelease.released_by",
    "courses.Membership.user",
    "evaluations.Draft.edited_by",
    "evaluations.Audit.seen_by",
    "evaluations.Evaluation.requested_by",
    "evaluations.GradingRun.requested_by",
    "gradebook.Grade.changed_by",
    "gradebook.ManualPoints.given_by",
    "gradebook.ManualPoints.user",
    "gradebook.RegradeRequest.answered_by",
    "gradebook.RegradeRequest.user",
    "graders.GraderKey.admitted_by",
    "graders.Pause.began_by",
    "ladders.Ladder.opened_by",
    "lti.LinkedCourse.linked_by",
    "operations.Resending.requested_by",
    "similarity.Comparison.requested_by",
    "submissions.Choice.chosen_by",
    "submissions.Submission.uploaded_by",
    "tournaments.Participant.excluded_by",
    "tournaments.Tournament.requested_by",
    "tournaments.TournamentAudit.seen_by",
}
"""Records of a course or of staff, which then are of "a deleted person". What else refers to an
account is one person's alone, says so by ``CASCADE``, and goes."""


def test_whatever_refers_to_an_account_stays_for_a_reason_or_goes() -> None:
    references = {
        f"{model._meta.label}.{column.name}"
        for model in apps.get_models(include_auto_created=True)
        for column in model._meta.concrete_fields
        if column.related_model is User
    }
    goes = {f"{column.model._meta.label}.{column.name}" for column in columns_of_one_person()}
    assert references - goes == STAYS
    assert {"lti.Score.user", "submissions.KeptUpload.user"} < goes


def test_data_of_one_person_is_deleted_and_that_of_others_stays(over: World, opal: User) -> None:
    people = (over.ada, over.ben)
    link = linked(over)
    now = timezone.now()
    for user in people:
        SocialAccount.objects.create(user=user, provider="lti-1", uid=str(user.pk))
        Score.objects.create(link=link, user=user, points=7, maximum=9, due_at=now)
        KeptUpload.objects.create(user=user, assignment=over.assignment, data=b"x", at=now)
        LogEntry.objects.create(
            user=opal, content_type_id=person_type(), object_id=user.pk,
            object_repr=str(user), action_flag=CHANGE,
        )  # fmt: skip
    forget_person(user=over.ada, by=opal, email=over.ada.email, reason="Asked")
    for model in (SocialAccount, Score, KeptUpload):
        assert [row.user for row in model._base_manager.all()] == [over.ben], model
    assert sorted(LogEntry.objects.values_list("object_repr", flat=True)) == [
        str(over.ben),
        "Deleted person",
    ]
    assert (LinkedCourse.objects.count(), LinkedAssignment.objects.count()) == (1, 1)


def person_type() -> int:
    return ContentType.objects.get_for_model(User).pk


def linked(over: World) -> LinkedAssignment:
    where = {"issuer": "https://lms.example", "client_id": "1", "deployment_ids": "1"}
    course = LinkedCourse.objects.create(
        platform=Platform.objects.create(name="Moodle", **where),
        course=over.course,
        linked_by=over.ida,
    )
    return LinkedAssignment.objects.create(linked_course=course, assignment=over.assignment)


def test_the_grades_of_a_deleted_person_stay_and_can_still_be_derived(
    over: World, opal: User
) -> None:
    before = set(Grade.objects.values_list("team", "points", "is_current"))
    forget_person(user=over.ada, by=opal, email=over.ada.email, reason="Asked")
    assert set(Grade.objects.values_list("team", "points", "is_current")) == before
    submission = Submission.objects.get(team__memberships__user=over.ada)
    assert submission.sources_removed_at is not None
    file = BytesIO()
    write_course(over.course, file, at=timezone.now())
    report = check_course(CourseFile(file))
    assert (report.findings, report.grades) == ((), 2)
    assert b"KeyError" not in faulted_games(over.ada)
    assert b"KeyError" in faulted_games(over.ben)


def faulted_games(user: User) -> bytes:
    games = GameResult.objects.filter(evaluation__submission__team__memberships__user=user)
    return b"".join(str(game.played).encode() for game in games.exclude(fault_kind=""))


def test_forgetting_a_person_erases_and_closes_their_open_regrade_request(
    over: World, opal: User
) -> None:
    for user in (over.ada, over.ben):
        RegradeRequest.objects.create(
            assignment=over.assignment, user=user, text="Why?", asked_at=timezone.now()
        )
    forget_person(user=over.ada, by=opal, email=over.ada.email, reason="Asked")
    (waiting,) = RegradeRequest.objects.filter(outcome=Outcome.OPEN)
    assert waiting.user == over.ben
    erased = RegradeRequest.objects.get(user=over.ada)
    assert (erased.text, erased.answer) == ("erased with the person",) * 2


def test_the_chain_holds_after_a_person_was_deleted(over: World, opal: User) -> None:
    link_new_acts()
    forget_person(user=over.ada, by=opal, email=over.ada.email, reason="Asked")
    link_new_acts()
    assert check(at=timezone.now()).problems == ()
    kept = Act.objects.filter(kind="grade.changed", by=None)
    assert kept.exists()
    assert not [act for act in kept if act.is_erased]


def test_work_with_a_partner_who_stays_is_kept(over: World, opal: User) -> None:
    unarchive_course(course=over.course, by=over.ida)
    team = Team.objects.get(memberships__user=over.ada)
    team.memberships.create(assignment=team.assignment, user=over.cleo)
    forget_person(user=over.ada, by=opal, email=over.ada.email, reason="Asked")
    assert Submission.objects.get(team=team).sources_removed_at is None


def test_only_operators_delete_people_and_never_by_mistake(over: World, opal: User) -> None:
    how = {"email": over.ada.email, "reason": "Asked"}
    with pytest.raises(NotAllowed):
        forget_person(user=over.ada, by=over.ida, **how)
    with pytest.raises(Refused, match="e-mail address"):
        forget_person(user=over.ada, by=opal, email="x@example.org", reason="Asked")
    with pytest.raises(Refused, match="Another operator"):
        forget_person(user=opal, by=opal, email=opal.email, reason="Asked")
    unarchive_course(course=over.course, by=over.ida)
    with pytest.raises(Refused, match="no other instructor"):
        forget_person(user=over.ida, by=opal, email=over.ida.email, reason="Asked")


def test_nothing_is_removed_before_its_day_or_from_a_course_in_use(over: World) -> None:
    set_retention(course=over.course, by=over.ida, prints_days=30)
    archived = over.course.archived_at
    assert archived is not None
    assert remove_expired_course_data(FOR_EVER, at=archived + timedelta(days=29)) == []
    unarchive_course(course=over.course, by=over.ida)
    assert remove_expired_course_data(FOR_EVER, at=archived + timedelta(days=99)) == []


def test_each_kind_of_data_is_removed_by_itself_and_grades_stay(over: World) -> None:
    set_retention(course=over.course, by=over.ida, prints_days=1, logs_days=1)
    later = timezone.now() + timedelta(days=2)
    dry = remove_expired_course_data(FOR_EVER, at=later, dry_run=True)
    assert [(kind, rows) for _, kind, rows in dry] == [
        ("output of games", 4),
        ("logs of builds and faults", 4),
    ]
    assert GameResult.objects.exclude(prints=b"").count() == 4
    assert remove_expired_course_data(FOR_EVER, at=later) == dry
    assert not GameResult.objects.exclude(prints=b"").exists()
    assert not GameResult.objects.filter(fault_detail__contains="KeyError").exists()
    assert remove_expired_course_data(FOR_EVER, at=later) == []
    file = BytesIO()
    write_course(over.course, file, at=later)
    assert check_course(CourseFile(file)).ok


def test_games_and_programs_go_and_figures_stay(over: World) -> None:
    set_retention(course=over.course, by=over.ida, sources_days=0, records_days=0)
    means = list(Evaluation.objects.order_by("pk").values_list("mean", flat=True))
    remove_expired_course_data(FOR_EVER, at=timezone.now())
    assert not GameResult.objects.exists()
    assert list(Evaluation.objects.order_by("pk").values_list("mean", flat=True)) == means
    assert not Evaluation.objects.filter(games_removed_at=None).exists()
    assert not Submission.objects.filter(sources_removed_at=None).exists()
    acts = Act.objects.filter(kind="course.thrown_away").order_by("pk")
    assert [act.thing for act in acts] == ["uploaded programs", "games"]


def test_a_preview_counts_what_is_there(over: World) -> None:
    set_retention(course=over.course, by=over.ida, records_days=10)
    due = {row.label: row for row in due_of(over.course, at=timezone.now())}
    assert due["games"].rows == GameResult.objects.count()
    assert due["games"].due_at == over.course.archived_at + timedelta(days=10)  # type: ignore[operator]
    assert due["uploaded programs"].due_at is None
