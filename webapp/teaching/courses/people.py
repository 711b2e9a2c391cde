"""Find people of a course by name, section, role and state; sort them; in pages of fifty."""

from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q, QuerySet

from webapp.teaching.courses.models import Course, Enrolment, EnrolmentState, Role, Section

ORDERS: Final = {
    "name": ("user__display_name", "pk"),
    "email": ("user__email",),
    "number": ("student_number", "user__display_name", "pk"),
    "section": ("section__name", "user__display_name", "pk"),
    "role": ("role", "user__display_name", "pk"),
}
"""Orders of a list by the name of its column."""
NO_SECTION: Final = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedPeople:
    """The filters of the list of people. An empty value filters nothing."""

    words: str = ""
    """In the name, the address or the student number."""
    section: str = ""
    """A section's key, or ``none``."""
    role: str = ""
    state: str = EnrolmentState.ACTIVE.value
    order: str = "name"


def people_like(course: Course, wanted: WantedPeople) -> QuerySet[Enrolment]:
    """Return the course's people, with accounts and sections. Two queries."""
    enrolments = course.enrolments.with_sections()
    if wanted.state:
        enrolments = enrolments.filter(state=wanted.state)
    if wanted.role:
        enrolments = enrolments.filter(role=wanted.role)
    if wanted.section == NO_SECTION:
        enrolments = enrolments.filter(section__isnull=True)
    elif wanted.section:
        enrolments = enrolments.in_sections([wanted.section])
    if wanted.words:
        enrolments = enrolments.filter(mentions(wanted.words))
    return enrolments.order_by(*ORDERS.get(wanted.order, ORDERS["name"]))


def mentions(words: str) -> Q:
    """Return the condition that words are in a person's name, address or student number."""
    return (
        Q(user__display_name__icontains=words)
        | Q(user__email__icontains=words)
        | Q(student_number__icontains=words)
    )


def sections_of(course: Course) -> QuerySet[Section]:
    """Return the course's sections, each with its staff and ``n_students``. Two queries."""
    return with_students(course.sections.all()).prefetch_related("staff__user")


def with_students(sections: QuerySet[Section]) -> QuerySet[Section]:
    """Add ``n_students``, the enrolled students of each section."""
    first = Q(enrolments__role=Role.STUDENT, enrolments__state=EnrolmentState.ACTIVE)
    more = Q(more_enrolments__role=Role.STUDENT, more_enrolments__state=EnrolmentState.ACTIVE)
    return sections.annotate(
        n_students=Count("enrolments", filter=first, distinct=True)
        + Count("more_enrolments", filter=more, distinct=True)
    )
