"""Views of dates: the reasons for a due date, more time for a student, sections' dates."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from webapp import pipeline
from webapp.accounts.invitations import doubtful_among
from webapp.accounts.models import User
from webapp.auditlog.services import recorded
from webapp.courses import selectors, services
from webapp.courses.corrections import obstacles
from webapp.courses.deadlines import Resolution
from webapp.courses.models import Assignment, Enrolment, Role, Section, SectionDates
from webapp.courses.permissions import (
    is_instructor_of,
    is_staff_of,
    names_of,
    require_instructor,
    require_right,
    rights_in,
)
from webapp.courses.resolution import resolution_for, resolve_for
from webapp.courses.rights import Right
from webapp.courses.services.staff import TAKEN_BACK
from webapp.errors import SAVED_ELSEWHERE
from webapp.pages.confirming import Question, ask
from webapp.pages.contexts import assignment_context, course_context
from webapp.pages.courses.forms import (
    AccommodationForm,
    ExtensionForm,
    RoleForm,
    SectionDatesForm,
)
from webapp.pages.courses.forms.dates import POLICY_FIELDS
from webapp.pages.courses.forms.people import LooksAfterForm
from webapp.pages.http import chosen_id, current_user, is_saved, say_done
from webapp.pages.lookup import (
    instructors_assignment,
    member_of,
    staff_assignment,
    staff_course,
    student_of,
    visible_assignment,
)
from webapp.pages.saved_values import SEEN


def context_of(assignment: Assignment, settled: Resolution) -> dict[str, Any]:
    """Return the values that ``courses/_dates.html`` explains."""
    return {
        **assignment_context(assignment),
        "deadline": settled.deadline,
        "counted": settled.counted,
        "lateness": settled.lateness,
    }


@login_required
@require_GET
def dates(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Explain the reader's own due date."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    user = current_user(request)
    context = {
        **context_of(assignment, resolution_for(user, assignment)),
        "whose": user.display_name,
        "team": selectors.team_of(user, assignment),
        "is_own": True,
        "is_staff": is_staff_of(user, assignment.course),
    }
    return render(request, "courses/dates.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def student_dates(
    request: HttpRequest, course_slug: str, assignment_slug: str, enrolment: int
) -> HttpResponse:
    """Explain one student's due date to staff, who can give them more time here."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    member = student_of(assignment.course, enrolment)
    settled = resolution_for(member.user, assignment)
    extensions = list(assignment.extensions.filter(user=member.user).select_related("granted_by"))
    with timezone.override(assignment.course.tz):
        form = ExtensionForm(
            request.POST or None,
            withdraw="withdraw" in request.POST,
            initial={"due_at": settled.deadline.due_at},
        )
        with recorded() as acts:
            saved = is_saved(form, lambda: extend(request, member, assignment, form))
        if saved:
            say_done(request, f"Dates of {member.user} saved.", acts)
            return redirect("courses:student_dates", course_slug, assignment_slug, enrolment)
        context = {
            **context_of(assignment, settled),
            "whose": member.user.display_name,
            "enrolment": member,
            "team": selectors.team_of(member.user, assignment),
            "is_staff": True,
            "can": names_of(rights_in(current_user(request), assignment.course)),
            "form": form,
            "extension": extensions[0] if extensions else None,
            "extensions": extensions,
        }
        return render(request, "courses/dates.html", context)


def extend(
    request: HttpRequest, member: Enrolment, assignment: Assignment, form: ExtensionForm
) -> None:
    """Hand the form's values to the service."""
    by, cleaned = current_user(request), form.cleaned_data
    pipeline.change_dates(
        course=assignment.course,
        by=by,
        change=lambda: services.extend_student(
            enrolment=member,
            assignment=assignment,
            by=by,
            due_at=None if form.withdraw else cleaned["due_at"],
            reason=cleaned["reason"],
        ),
    )


@login_required
@require_http_methods(["GET", "POST"])
def person_page(request: HttpRequest, course_slug: str, enrolment: int) -> HttpResponse:
    """One person of the course, for staff: all due dates of a student, and their share of time."""
    course = staff_course(request, course_slug)
    require_right(current_user(request), course, Right.ROSTER)
    member = member_of(course, enrolment)
    form = accommodation_form(request, member)
    with recorded() as acts:
        saved = form is not None and is_saved(form, lambda: accommodate(request, member, form))
    if saved:
        say_done(request, f"Extra time of {member.user} saved.", acts)
        return redirect("courses:person", course_slug, enrolment)
    return show_person(request, member, form=form)


def show_person(
    request: HttpRequest,
    member: Enrolment,
    *,
    form: AccommodationForm | None,
    role_form: RoleForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page; also shown with a refused change in it."""
    context = {
        **course_context(member.course),
        **dates_of(member),
        "enrolment": member,
        "form": form,
        "role_form": role_form or RoleForm(initial={"role": member.role}),
        **place_context(request, member),
    }
    return render(request, "courses/person.html", context, status=status)


def place_context(request: HttpRequest, member: Enrolment) -> dict[str, Any]:
    """Return the values of the part where instructors change a person's role and section."""
    is_instructor = is_instructor_of(request.user, member.course)
    looks_after = member.role in (Role.ASSISTANT, Role.GRADER)
    is_doubtful = is_instructor and bool(doubtful_among([member.user]))
    return {
        "role_warning": TAKEN_BACK if is_doubtful else "",
        "is_instructor": is_instructor,
        "obstacle": obstacles(member.course, [member.user]).get(member.user_id, ""),
        "sections": member.course.sections.all(),
        "looks_after": member.looks_after.all() if looks_after else None,
        "sections_form": LooksAfterForm(enrolment=member) if looks_after else None,
    }


def accommodation_form(request: HttpRequest, member: Enrolment) -> AccommodationForm | None:
    """Return the form, for instructors; ``None`` for others, who may only look."""
    if not is_instructor_of(request.user, member.course):
        if request.method == "POST":
            require_instructor(request.user, member.course)
        return None
    return AccommodationForm(request.POST or None, initial=initial_time(member))


def initial_time(member: Enrolment) -> dict[str, object]:
    """Return the values of the form that are saved."""
    return {"time_percent": member.time_percent}


def accommodate(request: HttpRequest, member: Enrolment, form: AccommodationForm) -> None:
    """Hand the form's values to the service."""
    by = current_user(request)
    pipeline.change_dates(
        course=member.course,
        by=by,
        change=lambda: services.accommodate(enrolment=member, by=by, **form.cleaned_data),
    )


def dates_of(member: Enrolment) -> dict[str, Any]:
    """Every assignment with what is settled for this student, and what was decided about them."""
    if member.role != Role.STUDENT:
        return {"is_student": False}
    assignments = list(member.course.assignments.select_related("course"))
    settled = resolve_for(member.user, assignments)
    rows = [(assignment, settled[assignment.pk].of(member.user_id)) for assignment in assignments]
    return {
        "is_student": True,
        "rows": rows,
        "late_days_used": sum(row.late_days for _, row in rows),
        "accommodations": member.accommodations.select_related("granted_by"),
    }


# --- Sections -----------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
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
            if mine is not None and "clear" in mine:
                return clear(request, assignment, section, form)
            if mine is not None and is_changed(request, assignment, section, form):
                messages.success(request, f"The dates of {section} were changed.")
                return redirect("courses:section_dates", course_slug, assignment_slug)
            rows.append((section, known.get(section.pk), form))
        context = {**assignment_context(assignment), "rows": rows}
        return render(request, "courses/section_dates.html", context)


def clear(
    request: HttpRequest, assignment: Assignment, section: Section, form: SectionDatesForm
) -> HttpResponse:
    """Remove a section's dates, after a question; not those that were saved elsewhere since."""
    by, course = current_user(request), assignment.course
    if form.is_outdated:
        messages.warning(request, f"{SAVED_ELSEWHERE} The page shows them now.")
    elif "sure" not in request.POST:
        return ask(request, clear_question(assignment, section, form))
    else:
        pipeline.change_dates(
            course=course,
            by=by,
            change=lambda: services.clear_section_dates(
                assignment=assignment, section=section, by=by
            ),
        )
        messages.success(request, f"The dates of {section} were changed.")
    return redirect("courses:section_dates", course.slug, assignment.slug)


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


def section_form(
    assignment: Assignment, dates: SectionDates | None, data: Any, section: Section
) -> SectionDatesForm:
    """Return the form of one section, with its own dates or the assignment's."""
    shown = dates or assignment
    initial = {name: getattr(shown, name) for name in ("due_at", *POLICY_FIELDS)}
    return SectionDatesForm(
        data, initial=initial, opens_at=assignment.opens_at, auto_id=f"id_{section.pk}_%s"
    )


def is_changed(
    request: HttpRequest, assignment: Assignment, section: Section, form: SectionDatesForm
) -> bool:
    """Hand the form's values to the service; return whether it took them."""
    by = current_user(request)
    return is_saved(form, lambda: save(assignment, section, by, form))


def save(assignment: Assignment, section: Section, by: User, form: SectionDatesForm) -> None:
    """Hand the form's values to the service."""
    pipeline.change_dates(
        course=assignment.course,
        by=by,
        change=lambda: services.set_section_dates(
            assignment=assignment, section=section, by=by, **form.cleaned_data
        ),
    )
