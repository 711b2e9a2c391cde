"""Views of a course's people: roles, sections, student numbers, the invite code."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from webapp import pipeline
from webapp.courses import selectors, services
from webapp.courses.models import Enrolment, Role
from webapp.courses.permissions import require_staff, role_in
from webapp.pages.courses.forms import RoleForm, SectionForm
from webapp.pages.http import attempt, chosen_id, form_values, person
from webapp.pages.lookup import visible_course


@login_required
@require_GET
def people(request: HttpRequest, course: str) -> HttpResponse:
    """The roster, for staff."""
    found = visible_course(request, course)
    role = role_in(person(request), found)
    require_staff(person(request), found)
    enrolments = found.enrolments.select_related("user", "section").order_by("user__display_name")
    context = {
        "course": found,
        "enrolments": enrolments,
        "shared_numbers": selectors.shared_numbers(found),
        "roles": Role.choices,
        "sections": found.sections.all(),
        "section_form": SectionForm(),
        "is_instructor": role == Role.INSTRUCTOR,
        "nav": "home",
    }
    return render(request, "courses/people.html", context)


@login_required
@require_POST
def set_role(request: HttpRequest, course: str, enrolment: int) -> HttpResponse:
    """Make somebody an assistant, an instructor, or a student again."""
    found = visible_course(request, course)
    place = get_object_or_404(Enrolment.objects.select_related("user", "course"),
                              course=found, pk=enrolment)  # fmt: skip
    form = RoleForm(request.POST)
    if form.is_valid():
        role = Role(form.cleaned_data["role"])
        attempt(
            request,
            lambda: services.set_role(enrolment=place, by=person(request), role=role),
            done=f"{place.user} is now {role.label}.",
        )
    return redirect("courses:people", found.slug)


@login_required
@require_POST
def new_section(request: HttpRequest, course: str) -> HttpResponse:
    """Divide the course: a tutorial, a lab group."""
    found = visible_course(request, course)
    form = SectionForm(request.POST)
    attempt(
        request,
        lambda: services.create_section(course=found, by=person(request), **form_values(form)),
        done="The section is there. Put people into it below.",
    )
    return redirect("courses:people", found.slug)


@login_required
@require_POST
def set_section(request: HttpRequest, course: str, enrolment: int) -> HttpResponse:
    """Put somebody into a section, or into none."""
    found = visible_course(request, course)
    place = get_object_or_404(Enrolment.objects.select_related("user", "course"),
                              course=found, pk=enrolment)  # fmt: skip
    by = person(request)
    require_staff(by, found)
    chosen = chosen_id(request.POST.get("section", ""))
    section = None if chosen is None else get_object_or_404(found.sections, pk=chosen)
    attempt(
        request,
        lambda: pipeline.change_dates(
            course=found,
            by=by,
            change=lambda: services.set_section(enrolment=place, by=by, section=section),
        ),
        done=f"{place.user} is now in {section or 'no section'}.",
    )
    return redirect("courses:people", found.slug)


@login_required
@require_POST
def set_number(request: HttpRequest, course: str, enrolment: int) -> HttpResponse:
    """Keep somebody's student number: from their own profile, or from the page of people."""
    found = visible_course(request, course)
    user = person(request)
    place = get_object_or_404(Enrolment.objects.select_related("user", "course"),
                              course=found, pk=enrolment)  # fmt: skip
    number = request.POST.get("student_number", "")
    attempt(
        request,
        lambda: services.set_student_number(enrolment=place, by=user, number=number),
        done=f"The student number of {place.user} is kept.",
    )
    if place.user == user:
        return redirect("accounts:profile")
    return redirect("courses:people", found.slug)


@login_required
@require_POST
def renew_invite_code(request: HttpRequest, course: str) -> HttpResponse:
    """A new invite code."""
    found = visible_course(request, course)
    attempt(
        request,
        lambda: services.renew_invite_code(course=found, by=person(request)),
        done="The course has a new invite code. The old one no longer works.",
    )
    return redirect("courses:course", found.slug)
