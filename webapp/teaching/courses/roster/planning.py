"""Compare a file's people with a course's, and plan who is added, changed or kept; find errors.

Reads only: ``services.roster`` carries a plan out. A file raises roles, but lowers them only for
the people chosen: platforms call a non-editing teacher ``Learner``.
"""
# See webapp/decisions/imports-never-lower-roles.md

import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from webapp.base.storable import validate_name
from webapp.people.accounts.invitations import doubtful_among
from webapp.people.accounts.models import User
from webapp.teaching.courses.corrections import obstacles
from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Role
from webapp.teaching.courses.models.course import STAFF_ROLES
from webapp.teaching.courses.roster.formats import RosterEntry
from webapp.teaching.courses.roster.headers import plain
from webapp.teaching.courses.roster.joining import one_for_each_person
from webapp.teaching.courses.roster.role_words import ROLES

ADDRESS: Final = "e-mail address"
NAME: Final = "name"
"""Fields of an account that an import corrects, if nobody has confirmed its address."""
_MAX_EMAIL: Final = 254
"""Characters of an account's address."""


class ImportOutcome(Enum):
    """The effect of an import on a line; the value is the word on the page."""

    ADDED = "added"
    CHANGED = "changed"
    SAME = "left alone"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterChange:
    """A field that gets another value."""

    field: str
    before: str
    after: str


@dataclass(slots=True, kw_only=True)
class Planned:
    """A line of the file, and the change that it leads to."""

    entry: RosterEntry
    role: Role
    enrolment: Enrolment | None = None
    """The person's enrolment, in any state."""
    account: User | None = None
    lower_role: Role | None = None
    """The role in the file if it is a lower one: the person gets it only if chosen."""
    is_taken_back: bool = False
    """True if the account is taken back for the owner of its address (``services.staff``)."""
    changes: list[RosterChange] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name in the file; that of the person in the course where the file has none."""
        return self.entry.name or (self.enrolment.user.display_name if self.enrolment else "–")

    @property
    def email(self) -> str:
        """The address in the file; that of the person in the course where the file has none."""
        return self.entry.email or (self.enrolment.user.email if self.enrolment else "–")

    @property
    def corrections(self) -> dict[str, str]:
        """The new name and address of the account, where they change."""
        return {
            change.field: change.after for change in self.changes if change.field in (NAME, ADDRESS)
        }

    @property
    def role_before(self) -> str:
        """The role in the course, or a word on why there is none."""
        if self.enrolment is None:
            return "new"
        state = EnrolmentState(self.enrolment.state)
        role = Role(self.enrolment.role)
        return role.label if state == EnrolmentState.ACTIVE else f"{role.label}, {state.label}"

    @property
    def gives_staff_role(self) -> bool:
        """True if the person gets a role above student, or comes back with one."""
        is_given = self.enrolment is None or any(
            change.field in ("role", "state") for change in self.changes
        )
        is_given &= not (self.errors or self.entry.is_withdrawn)
        return self.role in STAFF_ROLES and is_given

    @property
    def is_about_role(self) -> bool:
        """True if a role changes, or could."""
        has_change = any(change.field == "role" for change in self.changes)
        is_offer = self.lower_role is not None and not self.errors
        return has_change or self.gives_staff_role or is_offer

    @property
    def outcome(self) -> ImportOutcome:
        """The effect of the import."""
        if self.errors:
            return ImportOutcome.WRONG
        if self.enrolment is None:
            return ImportOutcome.SAME if self.entry.is_withdrawn else ImportOutcome.ADDED
        return ImportOutcome.CHANGED if self.changes else ImportOutcome.SAME


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterPlan:
    """The lines of a file, and the students whom it does not name."""

    lines: tuple[Planned, ...]
    new_sections: tuple[str, ...]
    missing: tuple[Enrolment, ...]
    """Enrolled students that are not in the file."""

    def of(self, outcome: ImportOutcome) -> list[Planned]:
        """Return the lines with this outcome."""
        return [line for line in self.lines if line.outcome is outcome]

    @property
    def about_roles(self) -> list[Planned]:
        """The lines by which a role changes, or could."""
        return [line for line in self.lines if line.is_about_role]

    def lower(self, chosen: Collection[int]) -> None:
        """Let these people, by the keys of their enrolments, get the lower role in the file."""
        for line in self.lines:
            if line.lower_role is None or line.enrolment is None or line.errors:
                continue
            if line.enrolment.pk in chosen:
                change = RosterChange(
                    field="role", before=line.role.value, after=line.lower_role.value
                )
                line.changes.append(change)
                line.role, line.lower_role = line.lower_role, None

    @property
    def counts(self) -> list[tuple[str, int]]:
        """The number of lines with each outcome, by its word."""
        counted = Counter(line.outcome for line in self.lines)
        return [(outcome.value, counted[outcome]) for outcome in ImportOutcome]

    @property
    def digest(self) -> str:
        """A key that is equal for plans with the same effect: it ties an import to its preview."""
        content = [
            [
                (line.entry, line.role, line.lower_role, line.is_taken_back, line.changes)
                for line in self.lines
            ],
            [line.outcome for line in self.lines],
            self.new_sections,
            [enrolment.pk for enrolment in self.missing],
        ]
        return hashlib.sha256(repr(content).encode()).hexdigest()


def plan_import(course: Course, entries: Sequence[RosterEntry]) -> RosterPlan:
    """Compare the entries with the course. Three queries, and three more for corrections."""
    entries = one_for_each_person(entries)
    places = list(course.enrolments.with_sections())
    emails = {entry.email for entry in entries}
    accounts = {user.email: user for user in User.objects.filter(email__in=emails)}
    sections = {section.name: section for section in course.sections.all()}
    lines = _matched(entries, places, accounts)
    seen_emails = Counter(line.entry.email for line in lines if line.entry.email)
    seen_numbers = Counter(line.entry.number for line in lines if line.entry.number)
    owners = {
        enrolment.student_number: enrolment for enrolment in places if enrolment.student_number
    }
    _correct(course, lines)
    for line in lines:
        line.errors += _errors(line, owners)
        if seen_emails[line.entry.email] > 1:
            line.errors.append("This address is in the file more than once.")
        if seen_numbers[line.entry.number] > 1:
            line.errors.append("This student number is in the file more than once.")
        if not line.errors and line.enrolment is not None:
            line.changes += _changes(line, line.enrolment)
    _limit_places(course, places, lines)
    _mark_taken_back(lines)
    named = {line.enrolment.pk for line in lines if line.enrolment is not None}
    used = (line.entry for line in lines if not line.errors and not line.entry.is_withdrawn)
    wanted = {name for entry in used for name in entry.sections}
    return RosterPlan(
        lines=tuple(lines),
        new_sections=tuple(sorted(wanted - sections.keys())),
        missing=tuple(
            enrolment
            for enrolment in sorted(places, key=lambda enrolment: enrolment.user.display_name)
            if enrolment.role == Role.STUDENT
            and enrolment.state == EnrolmentState.ACTIVE
            and enrolment.pk not in named
        ),
    )


def _matched(
    entries: Sequence[RosterEntry], places: Sequence[Enrolment], accounts: dict[str, User]
) -> list[Planned]:
    """Find each entry's person: by address, or by student number.

    The number finds a person whose address in the file nobody has, if the name does not say that
    the line is about another person.
    """
    by_user = {enrolment.user_id: enrolment for enrolment in places}
    by_number = {
        enrolment.student_number: enrolment for enrolment in places if enrolment.student_number
    }
    lines = []
    for entry in entries:
        account = accounts.get(entry.email)
        enrolment = by_user.get(account.pk) if account else None
        owner = by_number.get(entry.number)
        if not entry.email or (account is None and owner is not None and _may_be(entry, owner)):
            enrolment, account = owner, owner.user if owner else None
        lines.append(_planned(entry, enrolment, account))
    return lines


def _may_be(entry: RosterEntry, enrolment: Enrolment) -> bool:
    words = set(plain(entry.name).split())
    return not words or not words.isdisjoint(plain(enrolment.user.display_name).split())


def _correct(course: Course, lines: Sequence[Planned]) -> None:
    """Plan other names and addresses for people whom their number names, where staff may."""
    differing = {id(line): _differences(line) for line in lines}
    users = [line.account for line in lines if line.account and differing[id(line)]]
    refused = obstacles(course, users) if users else {}
    for line in lines:
        changes = differing[id(line)]
        if line.account is None or line.account.pk not in refused:
            line.changes += changes
        elif any(change.field == ADDRESS for change in changes):
            line.errors.append(f"The address differs. {refused[line.account.pk]}")


def _differences(line: Planned) -> list[RosterChange]:
    entry, user = line.entry, line.account
    if user is None or line.enrolment is None or not entry.number:
        return []
    if line.enrolment.student_number != entry.number:
        return []
    values = ((NAME, user.display_name, entry.name), (ADDRESS, user.email, entry.email))
    return [
        RosterChange(field=name, before=before, after=after)
        for name, before, after in values
        if after and after != before
    ]


def _planned(entry: RosterEntry, enrolment: Enrolment | None, account: User | None) -> Planned:
    kept = Role(enrolment.role) if enrolment else Role.STUDENT
    role, lower = ROLES.get(entry.role) or kept, None
    if enrolment and enrolment.state == EnrolmentState.ACTIVE and _rank(role) < _rank(kept):
        role, lower = kept, role
    line = Planned(entry=entry, role=role, lower_role=lower, enrolment=enrolment, account=account)
    if entry.role not in ROLES:
        line.errors.append(f"“{entry.role}” is not a role here.")
    return line


def _rank(role: Role) -> int:
    """Return the position of a role: each sees or may more than those before it."""
    return list(Role).index(role)


def _errors(line: Planned, owners: dict[str, Enrolment]) -> list[str]:
    entry, errors = line.entry, []
    if not entry.email and line.enrolment is None:
        errors.append("The e-mail address is missing.")
    is_given = line.role in STAFF_ROLES and line.enrolment and line.enrolment.role != line.role
    if not entry.email and is_given:  # students enter their numbers themselves
        errors.append("A role above student needs the e-mail address.")
    if entry.email and not _is_valid(validate_email, entry.email):
        errors.append("This is not an e-mail address.")
    if len(entry.email) > _MAX_EMAIL:
        errors.append("The e-mail address is too long.")
    if not entry.name and line.account is None and not entry.is_withdrawn:
        errors.append("The name is missing.")
    longest = max(map(len, entry.sections), default=0)
    if len(entry.name) > 80 or len(entry.number) > 40 or longest > 60:
        errors.append("The name, the student number or the section is too long.")
    texts = (entry.name, entry.number, *entry.sections)
    if not all(_is_valid(validate_name, text) for text in texts):
        errors.append("There is an invisible character in the name, the number or the section.")
    owner = owners.get(entry.number)
    if owner is not None and owner != line.enrolment:
        errors.append(
            f"{owner.user.display_name} has this student number. If this is the same person,"
            " correct the name or the address on their page first."
        )
    return errors


def _is_valid(validate: object, text: str) -> bool:
    try:
        validate(text)  # type: ignore[operator]
    except ValidationError:
        return False
    return True


def _changes(line: Planned, enrolment: Enrolment) -> list[RosterChange]:
    entry = line.entry
    before = {
        "state": str(enrolment.state),
        "role": str(enrolment.role),
        "section": enrolment.section_words,
        "student number": enrolment.student_number,
    }
    if entry.is_withdrawn:
        return _withdrawal(enrolment)
    has_same = {section.name for section in enrolment.sections} == set(entry.sections)
    after = {
        "state": EnrolmentState.ACTIVE.value,
        "role": line.role.value,
        "section": before["section"] if has_same else entry.section_words or before["section"],
        "student number": entry.number or before["student number"],
    }
    return [
        RosterChange(field=name, before=before[name], after=value)
        for name, value in after.items()
        if value != before[name]
    ]


def _mark_taken_back(lines: Sequence[Planned]) -> None:
    given = [line for line in lines if line.gives_staff_role and line.account is not None]
    doubtful = doubtful_among([line.account for line in given if line.account is not None])
    for line in given:
        line.is_taken_back = line.account is not None and line.account.pk in doubtful


def _withdrawal(enrolment: Enrolment) -> list[RosterChange]:
    """Return the change of a student whom the file calls withdrawn; others stay as they are."""
    if enrolment.state != EnrolmentState.ACTIVE or enrolment.role != Role.STUDENT:
        return []
    withdrawn = EnrolmentState.WITHDRAWN.value
    return [RosterChange(field="state", before=str(enrolment.state), after=withdrawn)]


def _limit_places(course: Course, places: Sequence[Enrolment], lines: Sequence[Planned]) -> None:
    free = course.places - sum(enrolment.state == EnrolmentState.ACTIVE for enrolment in places)
    for line in lines:
        comes = line.outcome is ImportOutcome.ADDED or any(
            (change.field, change.after) == ("state", EnrolmentState.ACTIVE.value)
            for change in line.changes
        )
        if not comes:
            continue
        if free < 1:
            line.errors.append(f"The course is full: it has {course.places} places.")
        free -= 1
