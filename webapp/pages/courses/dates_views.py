"""Views of dates: the reasons for a due date, more time for a student, sections' dates."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from webapp.base.errors import SAVED_ELSEWHERE
from webapp.flow import pipeline
from webapp.pages.confirming import Question, ask
from webapp.pages.courses.forms.dates import (
    POLICY_FIELDS,
    AccommodationForm,
    ExtensionForm,
    SectionDatesForm,
)
from webapp.pages.courses.forms.people import LooksAfterForm, RoleForm
from webapp.pages.http import (
    assignment_context,
    chosen_id,
    course_context,
    current_user,
    is_saved,
    say_done,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import (
    instructors_assignment,
    member_of,
    staff_assignment,
    staff_course,
    student_of,
    visible_assignment,
)
from webapp.pages.saved_values import SEEN
from webapp.people.accounts.invitations import doubtful_among
from webapp.people.auditlog.services import recorded
from webapp.teaching.courses import selectors, services
from webapp.teaching.courses.corrections import obstacles
from webapp.teaching.courses.deadlines import Resolution
from webapp.teaching.courses.models import (
    Assignment,
    Course,
    Enrolment,
    Role,
    Section,
    SectionDates,
)
from webapp.teaching.courses.resolution import resolution_for, resolve_for
from webapp.teaching.courses.rights import Right
from webapp.teaching.courses.services.staff import TAKEN_BACK

T = TypeVar("T")


def change_dates(
    request: HttpRequest, course: Course, service: Callable[..., T], /, **arguments: Any
) -> T:
    """Call a service that may move due dates in the course, and recompute points."""
    by = current_user(request)
    return pipeline.change_dates(course=course, by=by, change=partial(service, by=by, **arguments))


def context_of(
    request: HttpRequest, assignment: Assignment, resolution: Resolution
) -> dict[str, Any]:
    """Return the values that ``courses/_dates.html`` explains."""
    return {
        **assignment_context(assignment),
        "deadline": resolution.deadline,
        "counted": resolution.counted,
        "lateness": resolution.lateness,
        "viewer": viewer_of(request, assignment.course),
    }


@signed_in("GET")
def dates(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Explain the reader's own due date."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    user = current_user(request)
    context = {
        **context_of(request, assignment, resolution_for(user, assignment)),
        "whose": user.display_name,
        "team": selectors.team_of(user, assignment),
        "is_own": True,
    }
    return render(request, "courses/dates.html", context)


@signed_in("GET", "POST")
def student_dates(
    request: HttpRequest, course_slug: str, assignment_slug: str, enrolment: int
) -> HttpResponse:
    """Explain one student's due date to staff, who can give them more time here."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    course, member = assignment.course, student_of(assignment.course, enrolment)
    resolution = resolution_for(member.user, assignment)
    extensions = list(assignment.extensions.filter(user=member.user).select_related("granted_by"))

    def extend() -> None:
        chosen = {"enrolment": member, "assignment": assignment, **form.values()}
        change_dates(request, course, services.extend_student, **chosen)

    with timezone.override(course.tz):
        form = ExtensionForm(
            request.POST or None,
            withdraw="withdraw" in request.POST,
            initial={"due_at": resolution.deadline.due_at},
        )
        with recorded() as acts:
            saved = is_saved(form, extend)
        if saved:
            say_done(request, f"Dates of {member.user} saved.", acts)
            return redirect("courses:student_dates", course_slug, assignment_slug, enrolment)
        context = {
            **context_of(request, assignment, resolution),
            "whose": member.user.display_name,
            "enrolment": member,
            "team": selectors.team_of(member.user, assignment),
            "form": form,
            "extension": extensions[0] if extensions else None,
            "extensions": extensions,
        }
        return render(request, "courses/dates.html", context)


@signed_in("GET", "POST")
def person_page(request: HttpRequest, course_slug: str, enrolment: int) -> HttpResponse:
    """One person of the course, for staff: all due dates of a student, and their share of time."""
    course = staff_course(request, course_slug)
    viewer = viewer_of(request, course)
    viewer.require_right(Right.ROSTER)
    member = member_of(course, enrolment)
    if request.method != "POST":
        return show_person(request, member)
    viewer.require_instructor()
    form = AccommodationForm(request.POST, initial={"time_percent": member.time_percent})

    def accommodate() -> None:
        change_dates(request, course, services.accommodate, enrolment=member, **form.cleaned_data)

    with recorded() as acts:
        saved = is_saved(form, accommodate)
    if not saved:
        return show_person(request, member, form=form)
    say_done(request, f"Extra time of {member.user} saved.", acts)
    return redirect("courses:person", course_slug, enrolment)


def show_person(
    request: HttpRequest,
    member: Enrolment,
    *,
    form: AccommodationForm | None = None,
    role_form: RoleForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Render a person's page; also with a refused change in it."""
    viewer = viewer_of(request, member.course)
    looks_after = member.role in (Role.ASSISTANT, Role.GRADER)
    if viewer.is_instructor and form is None:
        form = AccommodationForm(initial={"time_percent": member.time_percent})
    is_doubtful = viewer.is_instructor and bool(doubtful_among([member.user]))
    context = {
        **course_context(member.course),
        **dates_of(member),
        "enrolment": member,
        "form": form,
        "role_form": role_form or RoleForm(initial={"role": member.role}),
        "role_warning": TAKEN_BACK if is_doubtful else "",
        "viewer": viewer,
        "obstacle": obstacles(member.course, [member.user]).get(member.user_id, ""),
        "sections": member.course.sections.all(),
        "looks_after": member.looks_after.all() if looks_after else None,
        "sections_form": LooksAfterForm(enrolment=member) if looks_after else None,
    }
    return render(request, "courses/person.html", context, status=status)


def dates_of(member: Enrolment) -> dict[str, Any]:
    """Return every assignment's dates for a student, and the decisions about their time."""
    if member.role != Role.STUDENT:
        return {"is_student": False}
    assignments = list(member.course.assignments.select_related("course"))
    resolutions = resolve_for(member.user, assignments)
    rows = [
        (assignment, resolutions[assignment.pk].of(member.user_id)) for assignment in assignments
    ]
    return {
        "is_student": True,
        "rows": rows,
        "late_days_used": sum(row.late_days for _, row in rows),
        "accommodations": member.accommodations.select_related("granted_by"),
    }


# --- Sections -----------------------------------------------------------------------------------


@signed_in("GET", "POST")
def section_dates(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Give sections due dates and a late policy of their own."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    chosen = chosen_id(request.POST.get("section", ""))
    known = {dates.section_id: dates for dates in assignment.section_dates.all()}
    with timezone.override(assignment.course.tz):
        rows = []
        for section in assignment.course.sections.all():
            mine = request.POST if section.pk == chosen else None
            form = section_form(assignment, known.get(section.pk), mine, section)
            if mine is not None:
                act = clear if "clear" in mine else save
                if (answer := act(request, assignment, section, form)) is not None:
                    return answer
            rows.append((section, known.get(section.pk), form))
        context = {**assignment_context(assignment), "rows": rows}
        return render(request, "courses/section_dates.html", context)


def section_form(
    assignment: Assignment, dates: SectionDates | None, data: Any, section: Section
) -> SectionDatesForm:
    """Return the form of one section, with its own dates or the assignment's."""
    shown = dates or assignment
    initial = {name: getattr(shown, name) for name in ("due_at", *POLICY_FIELDS)}
    return SectionDatesForm(
        data, initial=initial, opens_at=assignment.opens_at, auto_id=f"id_{section.pk}_%s"
    )


def save(
    request: HttpRequest, assignment: Assignment, section: Section, form: SectionDatesForm
) -> HttpResponse | None:
    """Save a section's dates; ``None`` if they were refused."""

    def act() -> None:
        chosen = {"assignment": assignment, "section": section, **form.cleaned_data}
        change_dates(request, assignment.course, services.set_section_dates, **chosen)

    return say_changed(request, assignment, section) if is_saved(form, act) else None


def clear(
    request: HttpRequest, assignment: Assignment, section: Section, form: SectionDatesForm
) -> HttpResponse:
    """Remove a section's dates, after a question; not those that were saved elsewhere since."""
    course = assignment.course
    if form.is_outdated:
        messages.warning(request, f"{SAVED_ELSEWHERE} The page shows them now.")
        return redirect("courses:section_dates", course.slug, assignment.slug)
    if "sure" not in request.POST:
        return ask(request, clear_question(assignment, section, form))
    chosen = {"assignment": assignment, "section": section}
    change_dates(request, course, services.clear_section_dates, **chosen)
    return say_changed(request, assignment, section)


def say_changed(request: HttpRequest, assignment: Assignment, section: Section) -> HttpResponse:
    """Lead back to the page of sections' dates."""
    messages.success(request, f"The dates of {section} were changed.")
    return redirect("courses:section_dates", assignment.course.slug, assignment.slug)


def clear_question(assignment: Assignment, section: Section, form: SectionDatesForm) -> Question:
    """Ask before the dates and the late policy of a section are removed."""
    return Question(
        title=f"Remove the dates of {section}?",
        effects=(
            f"Its due date and late policy in {assignment} are removed: the assignment’s apply.",
            "Points are recomputed for uploads whose lateness changes.",
        ),
        undoing="To restore them, enter them again: the audit log keeps only the due date.",
        button="Use the assignment\u2019s dates",
        back=reverse("courses:section_dates", args=[assignment.course.slug, assignment.slug]),
        values={"section": str(section.pk), "clear": "1", "sure": "yes", SEEN: form.saved_digest},
        assignment=assignment,
    )
