"""The audit log: written with its acts, never changed, and checked by its chain."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.utils import DatabaseError
from django.utils import timezone

from webapp.people.accounts.models import User
from webapp.people.auditlog import triggers
from webapp.people.auditlog.chain import End, check, link_new_acts
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act, Link
from webapp.people.auditlog.services import act, record, record_all
from webapp.teaching.courses.models import Course, Team

pytestmark = pytest.mark.django_db


def write(course: Course, ida: User, *names: str) -> None:
    record_all(
        act(ActKind.SECTION_CREATED, by=ida, course=course, thing=name, after={"name": name})
        for name in names
    )


def end_of_chain() -> End:
    return check(at=timezone.now()).end


def problems(kept: End | None = None) -> tuple[str, ...]:
    return check(at=timezone.now(), kept=kept).problems


def test_an_act_has_actor_object_change_and_reason(course: Course, ida: User, ada: User) -> None:
    record(
        ActKind.ROLE_CHANGED,
        by=ida,
        course=course,
        person=ada,
        before={"role": "student"},
        after={"role": "assistant"},
        reason=" helps with labs ",
    )
    row = Act.objects.get(kind=ActKind.ROLE_CHANGED.name_kept)
    assert (row.by, row.course, row.person) == (ida, course, ada)
    assert (row.before, row.after) == ({"role": "student"}, {"role": "assistant"})
    assert (row.reason, row.label) == ("helps with labs", "Role changed")


def test_an_act_that_changes_nothing_is_not_recorded(course: Course, ida: User) -> None:
    before = Act.objects.count()
    record(
        ActKind.COURSE_CHANGED, by=ida, course=course, before={"title": "A"}, after={"title": "A"}
    )
    assert Act.objects.count() == before


@pytest.mark.parametrize("table", triggers.TABLES)
@pytest.mark.parametrize("statement", ["UPDATE {} SET id = id", "DELETE FROM {}"])
def test_the_database_refuses_to_change_or_delete(
    statement: str, table: str, course: Course, ida: User
) -> None:
    write(course, ida, "Monday")
    link_new_acts()
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        connection.cursor().execute(statement.format(table))


def test_an_unchanged_log_has_no_problems(course: Course, ida: User) -> None:
    write(course, ida, "Monday", "Tuesday")
    assert link_new_acts() == Act.objects.count()
    kept = end_of_chain()
    write(course, ida, "Friday")
    assert link_new_acts() == 1
    assert problems(kept) == ()


def test_acts_that_committed_late_are_linked_later(course: Course, ida: User) -> None:
    write(course, ida, "Monday", "Tuesday")
    first, second = Act.objects.order_by("pk")[:2]
    triggers.remove(connection)
    Link.objects.all().delete()
    link_new_acts()
    Link.objects.filter(act=first).delete()
    triggers.install(connection)
    assert link_new_acts() == 1
    assert Link.objects.get(act=first).position > Link.objects.get(act=second).position


def test_a_change_that_bypasses_the_triggers_breaks_the_chain(course: Course, ida: User) -> None:
    write(course, ida, "Monday", "Tuesday", "Friday")
    link_new_acts()
    rows = list(Act.objects.order_by("pk"))
    triggers.remove(connection)
    Act.objects.filter(pk=rows[-2].pk).update(reason="none")
    assert problems() == (f"act {rows[-2].pk}, at place {len(rows) - 1}, was changed",)
    Link.objects.filter(act=rows[-2]).delete()
    assert f"links {len(rows) - 1} to {len(rows) - 1} are missing" in problems()


@pytest.mark.parametrize("fact", ["at", "kind", "by", "course", "person", "team"])
def test_the_chain_covers_each_fact_of_an_act(fact: str, team: Team, ida: User, ada: User) -> None:
    record(ActKind.TEAM_CHANGED, by=ida, course=team.assignment.course, person=ada, team=team)
    link_new_acts()
    row = Act.objects.latest("pk")
    triggers.remove(connection)
    other = {"at": timezone.now(), "kind": ActKind.COURSE_CHANGED.name_kept}
    Act.objects.filter(pk=row.pk).update(**{fact: other.get(fact)})
    assert problems() == (f"act {row.pk}, at place {Link.objects.count()}, was changed",)


def test_an_act_that_stays_without_a_link_is_a_problem(course: Course, ida: User) -> None:
    link_new_acts()
    with transaction.atomic():
        record(
            ActKind.SECTION_CREATED,
            by=ida,
            course=course,
            thing="Monday",
            at=timezone.now() - timedelta(hours=1),
        )
    assert problems() == (f"act {Act.objects.get(thing='Monday').pk} is in no link",)


def test_a_kept_end_reveals_a_forged_or_shortened_chain(course: Course, ida: User) -> None:
    write(course, ida, "Monday", "Tuesday")
    link_new_acts()
    end = end_of_chain()
    assert problems(End(end.position, "0" * 64)) == (
        f"the chain was forged before its place {end.position}",
    )
    later = End(end.position + 1, end.digest)
    assert problems(later) == (
        f"the chain ends at {end.position}, and had {end.position + 1} places once",
    )


def test_the_command_prints_the_end_and_fails_for_a_changed_log(course: Course, ida: User) -> None:
    write(course, ida, "Monday")
    printed = StringIO()
    call_command("check_audit_log", stdout=printed)
    kept = printed.getvalue().strip()
    assert kept == str(end_of_chain())
    call_command("check_audit_log", "--kept", kept, stdout=StringIO())
    with pytest.raises(CommandError, match="looks like"):
        call_command("check_audit_log", "--kept", "soon", stdout=StringIO())
    forged = f"{kept.partition(':')[0]}:{'0' * 64}"
    with pytest.raises(CommandError):
        call_command("check_audit_log", "--kept", forged, stdout=StringIO())
    triggers.remove(connection)
    Act.objects.filter(thing="Monday").update(thing="Sunday")
    with pytest.raises(CommandError, match="was changed"):
        call_command("check_audit_log", stdout=StringIO())


@pytest.mark.django_db(transaction=True)
def test_an_act_is_recorded_with_its_details_or_not_at_all() -> None:
    with pytest.raises(RuntimeError, match="transaction"):
        record(ActKind.COURSE_CREATED, by=None, thing="Games")
