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
from webapp.pages.http import chosen_id, current_user, form_values, run_with_message
from webapp.pages.lookup import visible_course


@login_required
@require_GET
def people(request: HttpRequest, course_slug: str) -> HttpResponse:
    """The roster, for staff."""
    course = visible_course(request, course_slug)
    role = role_in(current_user(request), course)
    require_staff(current_user(request), course)
    enrolments = course.enrolments.select_related("user", "section").order_by("user__display_name")
    context = {
        "course": course,
        "enrolments": enrolments,
        "shared_numbers": selectors.shared_numbers(course),
        "roles": Role.choices,
        "sections": course.sections.all(),
        "section_form": SectionForm(),
        "is_instructor": role == Role.INSTRUCTOR,
        "nav": "home",
    }
    return render(request, "courses/people.html", context)


@login_required
@require_POST
def set_role(request: HttpRequest, course_slug: str, enrolment: int) -> HttpResponse:
    """Make somebody an assistant, an instructor, or a student again."""
    course = visible_course(request, course_slug)
    place = get_object_or_404(Enrolment.objects.select_related("user", "course"),
                              course=course, pk=enrolment)  # fmt: skip
    form = RoleForm(request.POST)
    if form.is_valid():
        role = Role(form.cleaned_data["role"])
        run_with_message(
            request,
            lambda: services.set_role(enrolment=place, by=current_user(request), role=role),
            done=f"{place.user} is now {role.label}.",
        )
    return redirect("courses:people", course.slug)


@login_required
@require_POST
def new_section(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Divide the course: a tutorial, a lab group."""
    course = visible_course(request, course_slug)
    form = SectionForm(request.POST)
    run_with_message(
        request,
        lambda: services.create_section(
            course=course, by=current_user(request), **form_values(form)
        ),
        done="The section is there. Put people into it below.",
    )
    return redirect("courses:people", course.slug)


@login_required
@require_POST
def set_section(request: HttpRequest, course_slug: str, enrolment: int) -> HttpResponse:
    """Put somebody into a section, or into none."""
    course = visible_course(request, course_slug)
    place = get_object_or_404(Enrolment.objects.select_related("user", "course"),
                              course=course, pk=enrolment)  # fmt: skip
    by = current_user(request)
    require_staff(by, course)
    chosen = chosen_id(request.POST.get("section", ""))
    section = None if chosen is None else get_object_or_404(course.sections, pk=chosen)
    run_with_message(
        request,
        lambda: pipeline.change_dates(
            course=course,
            by=by,
            change=lambda: services.set_section(enrolment=place, by=by, section=section),
        ),
        done=f"{place.user} is now in {section or 'no section'}.",
    )
    return redirect("courses:people", course.slug)


@login_required
@require_POST
def set_number(request: HttpRequest, course_slug: str, enrolment: int) -> HttpResponse:
    """Keep somebody's student number: from their own profile, or from the page of people."""
    course = visible_course(request, course_slug)
    user = current_user(request)
    place = get_object_or_404(Enrolment.objects.select_related("user", "course"),
                              course=course, pk=enrolment)  # fmt: skip
    number = request.POST.get("student_number", "")
    run_with_message(
        request,
        lambda: services.set_student_number(enrolment=place, by=user, number=number),
        done=f"The student number of {place.user} is kept.",
    )
    if place.user == user:
        return redirect("accounts:profile")
    return redirect("courses:people", course.slug)


@login_required
@require_POST
def renew_invite_code(request: HttpRequest, course_slug: str) -> HttpResponse:
    """A new invite code."""
    course = visible_course(request, course_slug)
    run_with_message(
        request,
        lambda: services.renew_invite_code(course=course, by=current_user(request)),
        done="The course has a new invite code. The old one no longer works.",
    )
    return redirect("courses:course", course.slug)
