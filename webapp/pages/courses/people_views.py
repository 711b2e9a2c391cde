"""Views of a course's people: roles, sections, student numbers, the invite code."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from grader.core.words import counted
from webapp.flow import pipeline
from webapp.pages.confirming import Question, ask, ask_first
from webapp.pages.courses.dates_views import change_dates, show_person
from webapp.pages.courses.forms.people import (
    ChangeForm,
    LooksAfterForm,
    PeopleFilters,
    RoleForm,
    SectionForm,
)
from webapp.pages.http import (
    chosen_id,
    course_context,
    current_user,
    form_values,
    is_saved,
    run_with_form_errors,
    run_with_message,
    say_done,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import chosen_sections, instructors_course, member_of, visible_course
from webapp.pages.saved_values import SEEN
from webapp.people.accounts.models import User
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.models import Act
from webapp.people.auditlog.services import recorded
from webapp.teaching.courses import selectors, services
from webapp.teaching.courses.models import Course, Enrolment, Role
from webapp.teaching.courses.people import people_like, sections_of
from webapp.teaching.courses.rights import Right

PEOPLE_PER_PAGE: Final = 50
COLUMNS: Final = (
    ("name", "Name"),
    ("email", "E-mail address"),
    ("number", "Student number"),
    ("section", "Section"),
    ("role", "Role"),
)
"""Columns of the list by the name of their order."""


@signed_in("GET")
def people(request: HttpRequest, course_slug: str) -> HttpResponse:
    """The roster, for staff."""
    course = visible_course(request, course_slug)
    viewer_of(request, course).require_right(Right.ROSTER)
    return show_people(request, course, ChangeForm(course=course))


def show_people(
    request: HttpRequest,
    course: Course,
    form: ChangeForm,
    *,
    section_form: SectionForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page; also shown with a refused change or section in it."""
    filters = PeopleFilters(request.GET, course=course)
    paginator = Paginator(people_like(course, filters.wanted()), PEOPLE_PER_PAGE)
    context = {
        **course_context(course),
        "filters": filters,
        "query": filters.query(),
        "order_query": filters.query(with_order=False),
        "order": request.GET.get("order", "") or "name",
        "columns": COLUMNS,
        "page": paginator.get_page(request.GET.get("page")),
        "chosen": set(request.POST.getlist("person")),
        "shared_numbers": selectors.shared_numbers(course),
        "sections": sections_of(course),
        "section_form": section_form or SectionForm(),
        "form": form,
        "viewer": viewer_of(request, course),
    }
    return render(request, "courses/people.html", context, status=status)


@signed_in("POST")
def change_people(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Change everyone chosen, or everyone whom the filters find."""
    course = instructors_course(request, course_slug)
    form = ChangeForm(request.POST, course=course)
    chosen = chosen_people(request, course)
    if form.is_valid() and not chosen:
        form.add_error(None, "Choose people first.")
    if form.is_valid() and "everybody" in request.POST and "sure" not in request.POST:
        return ask(request, everybody_question(request, course, form, len(chosen)))
    if form.is_valid():
        with recorded() as acts:
            number = run_with_form_errors(form, lambda: change(request, course, chosen, form))
        if number is not None:
            say_done(request, f"Changed: {counted(number, 'person', 'people')}.", acts)
            say_taken_back(request, acts)
            query = PeopleFilters(request.GET, course=course).query()
            return redirect(f"{reverse('courses:people', args=[course.slug])}?{query}")
    return show_people(request, course, form, status=422)


def everybody_question(
    request: HttpRequest, course: Course, form: ChangeForm, number: int
) -> Question:
    """Ask before something is done to everybody whom the filters find, on every page."""
    people = counted(number, "person", "people")
    query = PeopleFilters(request.GET, course=course).query()
    return Question(
        title=f"{form.act_words} for {people}?",
        effects=(
            "Sent e-mails cannot be recalled."
            if form.is_invitation
            else "The earlier roles, sections and states are kept only in the audit log.",
        ),
        undoing="This changes everybody whom the filters find, on every page.",
        button=f"Do it for {people}",
        back=f"{reverse('courses:people', args=[course.slug])}?{query}",
        values={
            **{name: form.cleaned_data[name] for name in ("act", "reason")},
            "everybody": "on",
            "sure": "yes",
        },
        course=course,
    )


def change(request: HttpRequest, course: Course, chosen: list[Enrolment], form: ChangeForm) -> int:
    """Carry out what the form says; return for how many people."""
    by = current_user(request)
    if form.is_invitation:
        return services.invite_again(course=course, by=by, enrolments=chosen)
    values = {"course": course, "enrolments": chosen, **form.change(course)}
    return change_dates(request, course, services.change_people, **values)


def chosen_people(request: HttpRequest, course: Course) -> list[Enrolment]:
    """Return the people whose boxes are ticked, or everybody that the filters find."""
    if "everybody" in request.POST:
        return list(people_like(course, PeopleFilters(request.GET, course=course).wanted()))
    keys = [key for text in request.POST.getlist("person") if (key := chosen_id(text))]
    return list(course.enrolments.filter(pk__in=keys).select_related("user", "section"))


@signed_in("POST")
def set_looks_after(request: HttpRequest, course_slug: str, enrolment: int) -> HttpResponse:
    """Set the sections that an assistant or grader is responsible for."""
    course = instructors_course(request, course_slug)
    by = current_user(request)
    member = member_of(course, enrolment)
    form = LooksAfterForm(request.POST, enrolment=member)
    run_with_message(
        request,
        lambda: services.set_looks_after(enrolment=member, by=by, **form_values(form)),
        done=f"Sections of {member.user} saved.",
    )
    return redirect("courses:person", course.slug, member.pk)


@signed_in("POST")
def set_role(request: HttpRequest, course_slug: str, enrolment: int) -> HttpResponse:
    """Change a role; an instructor's own after a question: another must give it back."""
    course = instructors_course(request, course_slug)
    by = current_user(request)
    member = member_of(course, enrolment)
    form = RoleForm(request.POST)
    if form.is_valid() and member.user == by and "sure" not in request.POST:
        question = Question(
            title=f"Give up your role as {member.role}?",
            effects=(f"You are {Role(form.cleaned_data['role']).label} in {course} from then on.",),
            undoing="Only another instructor can make you one again.",
            button="Change my role",
            back=reverse("courses:person", args=[course.slug, member.pk]),
            values={**form.cleaned_data, "sure": "yes"},
            course=course,
        )
        return ask(request, question)
    with recorded() as acts:
        saved = is_saved(form, lambda: change_role(request, member, form))
    if not saved:
        return show_person(request, member, role_form=form, status=422)
    say_done(request, f"The role of {member.user} was changed.", acts)
    say_taken_back(request, acts)
    if member.user == by:
        return redirect("courses:course", course.slug)
    return redirect("courses:person", course.slug, member.pk)


def say_taken_back(request: HttpRequest, acts: Iterable[Act]) -> None:
    """Say of which accounts the owners are invited before the role takes effect."""
    kind = ActKind.ACCOUNT_TAKEN_BACK.name_kept
    keys = [act.person_id for act in acts if act.kind == kind and act.person_id]
    if keys:
        names = User.objects.filter(pk__in=keys).values_list("display_name", flat=True)
        messages.warning(
            request,
            f"Nobody had confirmed the address of {', '.join(names)}, so password, access tokens,"
            " sessions and sign-in methods were removed, and the owner of the address is invited"
            " by e-mail.",
        )


def change_role(request: HttpRequest, member: Enrolment, form: RoleForm) -> None:
    by = current_user(request)
    pipeline.change_dates(
        course=member.course,
        by=by,
        change=lambda: services.set_role(
            enrolment=member,
            by=by,
            role=Role(form.cleaned_data["role"]),
            reason=form.cleaned_data["reason"],
            seen=request.POST.get(SEEN),
        ),
        reason="The role of a person changed.",
    )


@signed_in("POST")
def set_section(request: HttpRequest, course_slug: str, enrolment: int) -> HttpResponse:
    """Put a person into sections, or into none."""
    course = visible_course(request, course_slug)
    member = member_of(course, enrolment)
    viewer_of(request, course).require_instructor()
    sections = chosen_sections(request, course)
    run_with_message(
        request,
        lambda: change_dates(
            request,
            course,
            services.set_section,
            enrolment=member,
            section=next(iter(sections), None),
            more=sections[1:],
            seen=request.POST.get(SEEN),
        ),
        done=f"{member.user} is now in {', '.join(map(str, sections)) or 'no section'}.",
        undo=True,
    )
    return redirect("courses:person", course.slug, member.pk)


@signed_in("POST")
def correct_person(request: HttpRequest, course_slug: str, enrolment: int) -> HttpResponse:
    """Correct the name and the address of a person who has not confirmed one."""
    course = instructors_course(request, course_slug)
    member, by = member_of(course, enrolment), current_user(request)
    name, email, reason = (request.POST.get(field, "") for field in ("name", "email", "reason"))
    is_changed = run_with_message(
        request,
        lambda: services.correct_person(
            enrolment=member, by=by, name=name, email=email, reason=reason
        ),
    )
    if is_changed is not None:
        sent = " An invitation is on its way to the new address." if is_changed else ""
        messages.success(request, f"Name and address of {name.strip()} saved.{sent}")
    return redirect("courses:person", course.slug, member.pk)


@signed_in("POST")
def set_number(request: HttpRequest, course_slug: str, enrolment: int) -> HttpResponse:
    """Save a person's student number: from their own profile, or from the page of people."""
    course = visible_course(request, course_slug)
    user = current_user(request)
    member = member_of(course, enrolment)
    number = request.POST.get("student_number", "")
    run_with_message(
        request,
        lambda: services.set_student_number(
            enrolment=member, by=user, number=number, seen=request.POST.get(SEEN)
        ),
        done=f"Student number of {member.user} saved.",
        undo=member.user != user,
    )
    if member.user == user:
        return redirect("accounts:profile")
    return redirect("courses:person", course.slug, member.pk)


@signed_in("GET", "POST")
def renew_invite_code(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Make a new invite code, once it was asked for a second time."""
    course = instructors_course(request, course_slug)
    question = Question(
        title="Replace the invite code?",
        effects=(
            f"The code {course.invite_code}, and links with it, no longer work.",
            "People who are enrolled stay.",
        ),
        button="Replace invite code",
        back=reverse("courses:course", args=[course.slug]),
        course=course,
    )
    act = partial(services.renew_invite_code, course=course, by=current_user(request))
    done = "The course has a new invite code. The old one no longer works."
    return ask_first(request, question, act, done=done)
