"""Import a course from a file that this site or another one exported.

Nothing in the file is trusted: it is checked, its grades are derived again from their games, and
the written rows are read back and compared. All rows are new, under new keys; people are joined by
their e-mail address, or get an account without a password, as from a roster. People whose
account has an unconfirmed address are withdrawn until the instructor enrols them again. The
course arrives archived, so that an instructor checks it before work continues.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Any, Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import DataError, IntegrityError, transaction
from django.utils import timezone

from grader.core.errors import RecordError, UploadRejected
from grader.results.course_check import CourseReport, check_course
from grader.uploads.course_file import CourseFile, FileLimits
from grader.uploads.zip_reader import UploadLimits, read_zip
from webapp.accounts.invitations import doubtful_among
from webapp.accounts.models import User
from webapp.artefacts import store
from webapp.auditlog.kinds import ActKind
from webapp.auditlog.services import record
from webapp.courses.deadlines import Rule
from webapp.courses.models import Assignment, Course, Enrolment, EnrolmentState, Role
from webapp.courses.permissions import require_course_maker
from webapp.errors import Refused
from webapp.evaluations.models import AuditRun, AuditStatus
from webapp.lifecycle.programs import Programs
from webapp.lifecycle.rows import RowDigest, as_stored, decoded, encoded, encoded_rows, new_columns
from webapp.lifecycle.tables import Table, course_tables
from webapp.submissions.models import Submission

__all__ = ["Imported", "import_course"]

_AT_ONCE: Final = 500
_MAX_PROGRAM_BYTES: Final = 16 << 20
_MAX_PEOPLE: Final = 20_000
_SUBMISSIONS: Final = "rows/submissions.submission.jsonl"
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
    """The result of an import."""

    course: Course
    report: CourseReport
    joined: int
    """People who had an account."""
    created: int
    """People who got one, without a password."""
    withdrawn: int
    """People who were joined to an account whose address nobody has confirmed."""


@dataclass(slots=True)
class _Keys:
    """By model, the new key of each row by the key in the file; and the programs of submissions."""

    of_model: dict[Any, dict[int, int]] = field(default_factory=dict)
    programs: Programs = field(default_factory=Programs)
    is_of_earlier_rules: bool = False
    """True if the version that wrote the file had other rules for lateness."""

    def new(self, column: Any, key: object) -> int | None:
        """Return the new key of a reference. Raises RecordError for one that leads elsewhere."""
        if key is None:
            return None
        known = self.of_model.get(column.related_model)
        if known is None and column.null:
            return None  # it belongs to the other site
        if known is None or not isinstance(key, int) or key not in known:
            raise RecordError(f"{column.name} {key!r} is not in the file")
        return known[key]


def import_course(
    *,
    file: IO[bytes],
    by: User,
    slug: str,
    limits: FileLimits | None = None,
    at: datetime | None = None,
) -> Imported:
    """Check a course file and import it under a short name; ``by`` becomes an instructor.

    Raises NotAllowed unless ``by`` may create courses; Refused, with the reason, for a file
    that cannot be trusted or does not fit this version; then nothing was written.
    """
    require_course_maker(by)
    _refuse_taken(slug)
    try:
        source = CourseFile(file, limits or FileLimits())
        _refuse_unknown(source)
        report = _checked(source)
        _keep_programs(source)
        return _take_in(source, report, by, slug, at or timezone.now())
    except RecordError as error:
        raise Refused(f"This file cannot be imported: {str(error).rstrip('.')}.") from error
    except (IntegrityError, DataError, OverflowError) as error:
        raise Refused(
            f"This file cannot be imported: its rows contradict each other ({error})."
        ) from error


def _checked(source: CourseFile) -> CourseReport:
    """Return the report of a file in which everything fits. Raises RecordError."""
    report = check_course(source)
    if not report.ok:
        raise RecordError("; ".join(report.findings[:3]))
    return report


def _refuse_taken(slug: str) -> None:
    draft = Course(slug=slug, title="Imported")
    try:
        draft.clean_fields(exclude=["invite_code"])
        draft.validate_unique(exclude=["invite_code"])
    except ValidationError as error:
        raise Refused(f"The short name cannot be used: {' '.join(error.messages)}") from error


def _refuse_unknown(source: CourseFile) -> None:
    known = {f"rows/{table.label}.jsonl" for table in course_tables() if table.is_exported}
    unknown = sorted(set(source.names("rows/")) - known)
    if unknown:
        raise RecordError(
            f"it has {unknown[0]}, of which this version knows nothing: it was written by a later"
            f" one ({source.manifest.made_by}); upgrade this site first"
        )


def _keep_programs(source: CourseFile) -> None:
    """Put the uploads into the store. What is left of a refused import is pruned like any other."""
    limits = UploadLimits(packed_bytes=_MAX_PROGRAM_BYTES, unpacked_bytes=4 * _MAX_PROGRAM_BYTES)
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
    keys = _Keys()
    keys.of_model[User], created = _people(source)
    digests = {}
    tables = [table for table in course_tables() if table.is_exported]
    for table in tables:
        digests[table.label] = _insert(source, table, keys, slug=slug, at=at)
    for table in tables:
        for relation in table.lists:
            _write_list(source, table, relation, keys)
    (course_key,) = keys.of_model[Course].values()
    course = Course.objects.get(pk=course_key)
    _read_back(course, digests)
    if keys.is_of_earlier_rules:
        _keep_rules(course)
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
    """Return addresses and names by the keys of the file. Raises RecordError."""
    people: dict[int, tuple[str, str]] = {}
    for row in source.rows("people.jsonl"):
        key, email, name = row.get("id"), row.get("email"), row.get("name")
        if not (isinstance(key, int) and isinstance(email, str) and isinstance(name, str)):
            raise RecordError("a person has no id, address or name")
        people[key] = (_address(email), name)
        if len(people) > _MAX_PEOPLE:
            raise RecordError(f"it has more than {_MAX_PEOPLE:,} people")
    if len({email for email, _ in people.values()}) < len(people):
        raise RecordError("two people in it have the same address")
    return people


def _withdraw_unconfirmed(course: Course, by: User) -> int:
    """Withdraw people whose account another person may have registered with their address.

    Enrolling them again takes the accounts of staff back (``courses.services.staff``).
    """
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


def _insert(source: CourseFile, table: Table, keys: _Keys, *, slug: str, at: datetime) -> RowDigest:
    """Write a table's rows, and return the digest of the intended ones."""
    digest, waiting = RowDigest(table), list[tuple[int, Any]]()
    keys.of_model[table.model] = {}
    for row in source.rows(f"rows/{table.label}.jsonl"):
        key, instance = _instance(table, row, keys)
        if table.model is Course:
            if keys.of_model[Course] or waiting:
                raise RecordError("it has more than one course")
            instance.slug, instance.deleted_at = slug, None
            instance.archived_at = instance.archived_at or at
        if isinstance(instance, AuditRun) and instance.status == AuditStatus.QUEUED:
            instance.status, instance.system_fault = AuditStatus.FAILED, _UNANSWERED
        if (is_open := _OPEN.get(table.label)) and is_open(instance):
            raise RecordError(f"{table.model._meta.verbose_name} {key} was still being played")
        digest.add({column.name: encoded(getattr(instance, column.attname))
                    for column in table.columns})  # fmt: skip
        waiting.append((key, instance))
        if len(waiting) == _AT_ONCE:
            _write(table, waiting, keys)
            waiting = []
    _write(table, waiting, keys)
    if table.model is Course and not digest.rows:
        raise RecordError("it has no course")
    return digest


def _instance(table: Table, row: Mapping[str, Any], keys: _Keys) -> tuple[int, Any]:
    """Return a row's key in the file, and the row as it will be here."""
    key, new = row.get("pk"), {column.name for column in new_columns(table)}
    if not isinstance(key, int) or key in keys.of_model[table.model]:
        raise RecordError(f"a row of {table.label} has no key of its own")
    columns = {column.name: column for column in table.columns if column.name not in new}
    lists = {relation.name for relation in table.lists}
    if unknown := sorted(row.keys() - columns.keys() - lists - {"pk"}):
        raise RecordError(f"{table.label} has no {unknown[0][:40]!r} in this version")
    instance = table.model()
    is_game = "packed" in columns
    try:
        for name, column in columns.items():
            if name not in row:  # an earlier version wrote it: the default
                default = getattr(instance, column.attname)
                setattr(instance, column.attname, as_stored(column, default))
                continue
            if column.is_relation:
                value: Any = keys.new(column, row[name])
            else:
                value = decoded(column, row[name], validators=not is_game)
            setattr(instance, column.attname, value)
    except RecordError as error:
        raise RecordError(f"row {key} of {table.label}: {error}") from error
    try:
        _remap_json(table, instance, keys)
        keys.programs.settle(table.label, instance)
    except RecordError as error:
        raise RecordError(f"row {key} of {table.label}: {error}") from error
    if table.model is Assignment and "has_plain_days" not in row:
        keys.is_of_earlier_rules = True
    return key, instance


def _keep_rules(course: Course) -> None:
    """Keep the rules of the version that wrote the file: dates and points stay as they are."""
    course.assignments.update(has_plain_days=True)
    course.assignments.filter(counts=Rule.BEST).update(counts=Rule.BEST_MEAN)


def _remap_json(table: Table, instance: Any, keys: _Keys) -> None:
    """Give references in JSON their new keys: submissions that sit in a person's game."""
    if table.label != "playing.humangame":
        return
    submissions = keys.of_model[Submission]
    for seat in instance.seats:
        if isinstance(seat, dict) and seat.get("submission") is not None:
            seat["submission"] = submissions.get(seat["submission"])


def _write(table: Table, rows: list[tuple[int, Any]], keys: _Keys) -> None:
    """Insert rows, note their new keys, and write what an insert would set to now."""
    stamped = [column for column in table.columns if getattr(column, "auto_now_add", False)]
    stamps = [{field.attname: getattr(row, field.attname) for field in stamped} for _, row in rows]
    instances = [instance for _, instance in rows]
    table.model._base_manager.bulk_create(instances)
    if table.model is Submission:
        for instance in instances:
            keys.programs.add(instance)
    if stamped:
        for instance, values in zip(instances, stamps, strict=True):
            for name, value in values.items():
                setattr(instance, name, value)
        table.model._base_manager.bulk_update(instances, [field.name for field in stamped])
    if _is_referred_to(table):
        known = keys.of_model[table.model]
        known |= {key: instance.pk for key, instance in rows}


def _is_referred_to(table: Table) -> bool:
    return (
        any(
            column.related_model is table.model
            for other in course_tables()
            for column in [*other.columns, *other.lists]
        )
        or table.model is Course
    )


def _write_list(source: CourseFile, table: Table, relation: Any, keys: _Keys) -> None:
    """Write a list of references, once all rows are there that it can refer to."""
    own, target = relation.m2m_column_name(), relation.m2m_reverse_name()
    through = relation.remote_field.through
    through.objects.bulk_create(
        through(**{own: keys.of_model[table.model][row["pk"]], target: keys.new(relation, key)})
        for row in source.rows(f"rows/{table.label}.jsonl")
        for key in row.get(relation.name) or ()
    )


def _read_back(course: Course, digests: Mapping[str, RowDigest]) -> None:
    """Compare what was written with what is there now. Raises RecordError for any difference."""
    for table in course_tables():
        if not table.is_exported:
            continue
        there = RowDigest(table)
        for row in encoded_rows(table, table.rows_of(course)):
            there.add(row)
        if there != digests[table.label]:
            raise RecordError(f"{table.label} was read back differently")
