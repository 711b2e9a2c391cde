"""Words of the audit log can be erased, once and whole, and the chain holds."""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError

from tests.webapp.auditlog.test_log import end_of_chain, problems
from webapp.people.accounts.models import User
from webapp.people.auditlog import triggers
from webapp.people.auditlog.chain import End, link_new_acts
from webapp.people.auditlog.digests import (
    digest_of,
    earlier_digest_of,
    first_digest,
    new_salt,
    words_digest_of,
)
from webapp.people.auditlog.erasing import erase_words
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act, Link
from webapp.people.auditlog.services import act, record_all
from webapp.teaching.courses.models import Course

pytestmark = pytest.mark.django_db


@pytest.fixture
def without_triggers() -> Iterator[None]:
    triggers.remove(connection)
    yield
    triggers.install(connection)


def write(course: Course, ida: User, *names: str) -> list[Act]:
    record_all(
        act(ActKind.SECTION_CREATED, by=ida, course=course, thing=name, reason=f"for {name}")
        for name in names
    )
    return list(Act.objects.filter(kind="section.created").order_by("pk"))


def test_erased_words_are_gone_and_the_chain_holds(course: Course, ida: User) -> None:
    first, second = write(course, ida, "Ada", "Ben")
    link_new_acts()
    kept = end_of_chain()
    assert erase_words(Act.objects.filter(pk=first.pk), by=ida, reason="asked") == 1
    first.refresh_from_db()
    assert (first.thing, first.reason, first.is_erased) == ("", "", True)
    assert (first.by, first.course, first.kind) == (ida, course, "section.created")
    link_new_acts()
    assert problems(kept) == ()
    assert Act.objects.get(pk=second.pk).thing == "Ben"


def test_a_text_is_erased_once_and_the_record_of_it_never(course: Course, ida: User) -> None:
    write(course, ida, "Ada")
    everything = Act.objects.all()
    n_erased = erase_words(everything, by=ida, reason="asked")
    assert n_erased == Act.objects.count() - 1
    assert erase_words(everything, by=ida, reason="again") == 0


@pytest.mark.parametrize(
    "values",
    [
        {"thing": ""},
        {"thing": "", "before": {}, "after": {}, "reason": ""},
        {"thing": "Eve", "before": {}, "after": {}, "reason": "", "salt": ""},
        {"thing": "", "before": {}, "after": {}, "reason": "", "salt": "", "kind": "x"},
        {"thing": "", "before": {}, "after": {}, "reason": "", "salt": "", "by": None},
        {"thing": "", "before": {}, "after": {}, "reason": "", "salt": "", "words_digest": ""},
    ],
)
def test_the_database_refuses_every_change_but_an_erasure(
    values: dict[str, object], course: Course, ida: User
) -> None:
    (row,) = write(course, ida, "Ada")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Act.objects.filter(pk=row.pk).update(**values)


def test_a_text_erased_without_a_record_of_it_is_a_problem(course: Course, ida: User) -> None:
    (row,) = write(course, ida, "Ada")
    link_new_acts()
    Act.objects.filter(pk=row.pk).update(thing="", before={}, after={}, reason="", salt="")
    assert problems() == (f"the text of act {row.pk} was erased, and no act records that",)


def test_a_forged_list_of_erasures_is_a_problem(
    course: Course, ida: User, without_triggers: None
) -> None:
    first, second = write(course, ida, "Ada", "Ben")
    erase_words(Act.objects.filter(pk=first.pk), by=ida, reason="asked")
    link_new_acts()
    erasure = Act.objects.get(kind="log.erased")
    Act.objects.filter(pk=erasure.pk).update(erases=[first.pk, second.pk])
    assert any(f"act {erasure.pk}," in text for text in problems())


def test_a_log_from_before_is_linked_again_and_still_proves_what_it_did(
    course: Course, ida: User, without_triggers: None
) -> None:
    rows = write(course, ida, "Ada", "Ben", "Eve")
    old_end = as_before()
    kept_then = End(old_end.position - 1, Link.objects.order_by("-position")[1].digest)
    link_again()
    write(course, ida, "Flo")
    link_new_acts()
    assert problems() == problems(old_end) == problems(kept_then) == ()
    Act.objects.filter(pk=rows[1].pk).update(reason="forged")
    assert any("was changed" in text for text in problems())
    Act.objects.filter(pk=rows[1].pk).update(reason="for Ben")
    erase_words(Act.objects.filter(pk=rows[1].pk), by=ida, reason="asked")
    link_new_acts()
    assert problems(old_end) == problems(end_of_chain()) == ()


def test_a_change_from_before_the_migration_is_not_hidden_by_it(
    course: Course, ida: User, without_triggers: None
) -> None:
    rows = write(course, ida, "Ada", "Ben")
    as_before()
    Act.objects.filter(pk=rows[0].pk).update(thing="Eve")
    link_again()
    assert any(f"act {rows[0].pk}," in text for text in problems())


def as_before() -> End:
    """Have all acts linked as the first version did, and return the end of that chain."""
    Link.objects.all().delete()
    Act.objects.update(salt="", words_digest="")
    digest = "0" * 64
    for position, row in enumerate(Act.objects.order_by("pk"), start=1):
        digest = earlier_digest_of(row, digest)
        Link.objects.create(position=position, act=row, digest=digest)
    assert digest != digest_of(row, digest)
    return End(position, digest)


def link_again() -> None:
    """Have all acts linked by the digests of their words, as the upgrade from that version did."""
    digest = first_digest(Link.objects.latest("position").digest)
    for link in Link.objects.select_related("act").order_by("position"):
        link.act.salt = new_salt()
        link.act.words_digest = words_digest_of(link.act)
        link.act.save()
        digest = digest_of(link.act, digest)
        link.earlier_digest, link.digest = link.digest, digest
        link.save()
