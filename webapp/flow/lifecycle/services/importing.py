"""Import a course from a file that this site or another one exported.

Nothing in the file is trusted: it is checked, its grades are derived again from their games, and
the written rows are read back and compared. People are joined by their e-mail address, or get an
account without a password. The course arrives archived, so that an instructor checks it first.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import IO, Any, Final, TypeAlias

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from grader.core.errors import RecordError, UploadRejected
from grader.results.course_check import CourseReport, check_course
from grader.uploads.course_file import CourseFile, FileLimits
from grader.uploads.zip_reader import UploadLimits, read_zip
from webapp.base.artefacts import store
from webapp.base.errors import Refused
from webapp.flow.lifecycle.arriving import Keys, arrived, is_key, key_of, listed
from webapp.flow.lifecycle.checks import check_games_together
from webapp.flow.lifecycle.models import RetentionStage
from webapp.flow.lifecycle.rows import RowDigest, encoded, encoded_rows
from webapp.flow.lifecycle.tables import ArchiveTable, course_tables
from webapp.grading.evaluations.models import AuditRun, AuditStatus
from webapp.people.accounts.invitations import doubtful_among
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.services import record
from webapp.teaching.courses.deadlines import DeadlineRule
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Role
from webapp.teaching.courses.permissions import require_course_maker

OnProgress: TypeAlias = Callable[[RetentionStage, int], object]

_AT_ONCE: Final = 500
_MAX_PROGRAM_BYTES: Final = 32 << 20
_NOTED: Final = 1000
"""Rows between two notes of the progress: about a second."""
_MAX_PEOPLE: Final = 20_000
_SUBMISSIONS: Final = "rows/submissions.submission.jsonl"
_TABLES: Final = tuple(table for table in course_tables() if table.is_exported)
_UNANSWERED: Final = "not answered before the course was exported"
_OPEN: Final[Mapping[str, Callable[[Any], bool]]] = {
    "evaluations.evaluation": lambda row: row.status in ("queued", "playing"),
    "tournaments.tournament": lambda row: row.status in ("queued", "playing"),
    "ladders.ladder": lambda row: row.closed_at is None,
    "playing.humangame": lambda row: row.status == "playing",
}
"""States of rows that would wait for games which are never played."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    course: Course
    report: CourseReport
    joined: int
    """People who had an account."""
    created: int
    """People who got an account, without a password."""
    withdrawn: int
    """People who were joined to an account whose address nobody has confirmed."""


def import_course(
    *,
    file: IO[bytes],
    by: User,
    slug: str,
    limits: FileLimits | None = None,
    at: datetime | None = None,
    note: OnProgress = lambda _stage, _done: None,
) -> Imported:
    """Check a course file and import it under a short name; ``by`` becomes an instructor.

    ``note`` is told of each stage, and of the number of rows read. Raises NotAllowed; Refused, with
    the reason, for a file that cannot be trusted or does not fit this version; then nothing was
    written.
    """
    require_course_maker(by)
    refuse_taken(slug)
    try:
        source = CourseFile(file, limits or FileLimits())
        _refuse_unknown(source)
        source.check()
        _parse(source, note)
        note(RetentionStage.CHECKING, source.n_rows)
        report = _checked(source)
        _keep_programs(source)
        note(RetentionStage.WRITING, source.n_rows)
        return _take_in(source, report, by, slug, at or timezone.now())
    except RecordError as error:
        raise Refused(f"This file cannot be imported: {str(error).rstrip('.')}.") from error
    except (IntegrityError, DataError, OverflowError) as error:
        raise Refused(
            f"This file cannot be imported: its rows contradict each other ({error})."
        ) from error


def _parse(source: CourseFile, note: OnProgress) -> None:
    """Read every row once, before any is used. Raises RecordError for the first that is not sound.

    References are resolved as when rows are written, to keys below 0, which no row here has.
    """
    keys = Keys()
    keys.of_model[User] = {key: -key for key in _read_people(source)}
    n_rows = count()
    for table in _TABLES:
        known = keys.of_model.setdefault(table.model, {})
        for row in source.rows(f"rows/{table.label}.jsonl"):
            if (done := next(n_rows)) % _NOTED == 0:
                note(RetentionStage.READING, done)
            key, instance = key_of(table, row), arrived(table, row, keys, checked=False)
            if key in known:
                raise RecordError(f"another row of {table.label} has the key {key} too")
            if (is_open := _OPEN.get(table.label)) and is_open(instance):
                raise RecordError(f"{table.model._meta.verbose_name} {key} was still being played")
            instance.pk = known[key] = -key
            if not table.has_games:  # nothing refers to games
                keys.note(instance, key)
        if table.model is Course and len(known) != 1:
            raise RecordError("it has no course" if not known else "it has more than one course")
    for table in _TABLES:
        for relation in table.lists:
            deque(_links(source, table, relation, keys), maxlen=0)


def _checked(source: CourseFile) -> CourseReport:
    report = check_course(source)
    if not report.ok:
        raise RecordError("; ".join(report.findings[:3]))
    return report


def refuse_taken(slug: str) -> None:
    """Raise Refused for a short name that no new course can have."""
    draft = Course(slug=slug, title="Imported")
    try:
        draft.clean_fields(exclude=["invite_code"])
        draft.validate_unique(exclude=["invite_code"])
    except ValidationError as error:
        raise Refused(f"The short name cannot be used: {' '.join(error.messages)}") from error


def _refuse_unknown(source: CourseFile) -> None:
    known = {f"rows/{table.label}.jsonl" for table in course_tables()}  # some are passed over
    unknown = sorted(set(source.names("rows/")) - known)
    if unknown:
        raise RecordError(
            f"it has {unknown[0]}, of which this version knows nothing: it was written by a later"
            f" one ({source.manifest.made_by}); upgrade this site first"
        )


def _keep_programs(source: CourseFile) -> None:
    """Put the uploads into the store. What is left of a refused import is pruned like any other."""
    limits = UploadLimits(
        packed_bytes=_MAX_PROGRAM_BYTES,
        unpacked_bytes=4 * _MAX_PROGRAM_BYTES,
        weight_bytes=_MAX_PROGRAM_BYTES,
    )
    kept = set()
    for row in source.rows(_SUBMISSIONS):
        sha256 = row.get("sha256")
        if row.get("sources_removed_at") is not None or sha256 in kept:
            continue
        data = source.artefact(str(sha256), max_bytes=_MAX_PROGRAM_BYTES)
        try:
            read_zip(data, limits)
        except UploadRejected as error:
            raise RecordError(f"the program {str(sha256)[:12]} is no upload: {error}") from error
        kept.add(store().put(data))


@transaction.atomic
def _take_in(
    source: CourseFile, report: CourseReport, by: User, slug: str, at: datetime
) -> Imported:
    keys = Keys()
    keys.of_model[User], created = _people(source)
    digests = {}
    for table in _TABLES:
        digests[table.label] = _insert(source, table, keys, slug=slug, at=at)
    for table in _TABLES:
        for relation in table.lists:
            _write_list(source, table, relation, keys)
    (course_key,) = keys.of_model[Course].values()
    course = Course.objects.get(pk=course_key)
    _read_back(course, digests)
    if keys.is_of_earlier_rules:
        _keep_rules(course)
    check_games_together(course)
    enrolment, _ = Enrolment.objects.get_or_create(course=course, user=by)
    Enrolment.objects.filter(pk=enrolment.pk).update(
        role=Role.INSTRUCTOR, state=EnrolmentState.ACTIVE
    )
    joined = len(keys.of_model[User]) - created
    withdrawn = _withdraw_unconfirmed(course, by)
    record(
        ActKind.COURSE_IMPORTED,
        by=by,
        course=course,
        thing=f"from {source.manifest.course}",
        after={"people joined": joined, "accounts created": created, "grades": report.grades},
        at=at,
    )
    return Imported(
        course=course, report=report, joined=joined, created=created, withdrawn=withdrawn
    )


def _people(source: CourseFile) -> tuple[dict[int, int], int]:
    """Join people by address or create them; return their keys, and how many were created."""
    people = _read_people(source)
    wanted = [email for email, _ in people.values()]
    known = {user.email: user.pk for user in _users(wanted)}
    new = [User(email=email, display_name=name) for email, name in people.values()
           if email not in known]  # fmt: skip
    for user in new:
        _check_person(user)
    known |= {user.email: user.pk for user in User.objects.bulk_create(new, _AT_ONCE)}
    return {key: known[email] for key, (email, _) in people.items()}, len(new)


def _read_people(source: CourseFile) -> dict[int, tuple[str, str]]:
    people: dict[int, tuple[str, str]] = {}
    for row in source.rows("people.jsonl"):
        key, email, name = row.get("id"), row.get("email"), row.get("name")
        if not (is_key(key) and isinstance(email, str) and isinstance(name, str)):
            raise RecordError("a person has no id, address or name")
        people[key] = (_address(email), name)
        if len(people) > _MAX_PEOPLE:
            raise RecordError(f"it has more than {_MAX_PEOPLE:,} people")
    if len({email for email, _ in people.values()}) < len(people):
        raise RecordError("two people in it have the same address")
    return people


def _withdraw_unconfirmed(course: Course, by: User) -> int:
    """Withdraw people whose account another person may have registered with their address."""
    places = course.enrolments.active().exclude(user=by).select_related("user")
    doubtful = doubtful_among([enrolment.user for enrolment in places])
    return places.filter(user__in=doubtful).update(state=EnrolmentState.WITHDRAWN)


def _users(emails: list[str]) -> Iterator[User]:
    for start in range(0, len(emails), _AT_ONCE):
        yield from User.objects.filter(email__in=emails[start : start + _AT_ONCE])


def _address(email: str) -> str:
    address = User.objects.normalize_email(email)
    try:
        validate_email(address)
    except ValidationError as error:
        raise RecordError(f"{email[:80]!r} is not an e-mail address") from error
    return address


def _check_person(user: User) -> None:
    user.set_unusable_password()
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise RecordError(f"a person cannot be stored: {' '.join(error.messages)}") from error


def _insert(
    source: CourseFile, table: ArchiveTable, keys: Keys, *, slug: str, at: datetime
) -> RowDigest:
    digest, waiting = RowDigest(table), list[tuple[int, Any]]()
    keys.of_model[table.model] = {}
    for row in source.rows(f"rows/{table.label}.jsonl"):
        key, instance = key_of(table, row), arrived(table, row, keys, checked=True)
        if isinstance(instance, Course):
            instance.slug, instance.deleted_at = slug, None
            instance.archived_at = instance.archived_at or at
        if isinstance(instance, AuditRun) and instance.status == AuditStatus.QUEUED:
            instance.status, instance.system_fault = AuditStatus.FAILED, _UNANSWERED
        digest.add({column.name: encoded(getattr(instance, column.attname))
                    for column in table.columns})  # fmt: skip
        waiting.append((key, instance))
        if len(waiting) == _AT_ONCE:
            _write(table, waiting, keys)
            waiting = []
    _write(table, waiting, keys)
    return digest


def _keep_rules(course: Course) -> None:
    """Keep the rules of the version that wrote the file: dates and points stay as they are."""
    course.assignments.update(has_plain_days=True)
    course.assignments.filter(counts=DeadlineRule.BEST).update(counts=DeadlineRule.BEST_MEAN)


def _write(table: ArchiveTable, rows: list[tuple[int, Any]], keys: Keys) -> None:
    stamped = [column for column in table.columns if getattr(column, "auto_now_add", False)]
    stamps = [{field.attname: getattr(row, field.attname) for field in stamped} for _, row in rows]
    instances = [instance for _, instance in rows]
    table.model._base_manager.bulk_create(instances)
    if stamped:
        for instance, values in zip(instances, stamps, strict=True):
            for name, value in values.items():
                setattr(instance, name, value)
        table.model._base_manager.bulk_update(instances, [field.name for field in stamped])
    if not table.has_games:  # nothing refers to games
        for key, instance in rows:
            keys.note(instance, key)


def _links(
    source: CourseFile, table: ArchiveTable, relation: Any, keys: Keys
) -> Iterator[tuple[int, int | None]]:
    for row in source.rows(f"rows/{table.label}.jsonl"):
        for key in listed(table, relation, row):
            yield keys.of_model[table.model][row["pk"]], keys.new(relation, key)


def _write_list(source: CourseFile, table: ArchiveTable, relation: Any, keys: Keys) -> None:
    own, target = relation.m2m_column_name(), relation.m2m_reverse_name()
    through = relation.remote_field.through
    through.objects.bulk_create(
        through(**{own: row, target: key}) for row, key in _links(source, table, relation, keys)
    )


def _read_back(course: Course, digests: Mapping[str, RowDigest]) -> None:
    for table in _TABLES:
        there = RowDigest(table)
        for row in encoded_rows(table, table.rows_of(course)):
            there.add(row)
        if there != digests[table.label]:
            raise RecordError(f"{table.label} was read back differently")
