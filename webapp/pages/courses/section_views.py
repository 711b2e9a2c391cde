"""Views of a course's sections: create, rename, delete."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from grader.core.words import counted
from webapp.pages.confirming import Question, ask
from webapp.pages.contexts import course_context
from webapp.pages.courses.dates_views import change_dates
from webapp.pages.courses.forms.people import ChangeForm, DeleteSectionForm, SectionForm
from webapp.pages.courses.people_views import show_people
from webapp.pages.http import current_user, is_saved, run_with_form_errors, signed_in
from webapp.pages.lookup import instructors_course
from webapp.teaching.courses import services
from webapp.teaching.courses.models import Section


def section_of(request: HttpRequest, course_slug: str, pk: int) -> Section:
    """Return a section. Raises Http404, and NotAllowed for all but instructors."""
    course = instructors_course(request, course_slug)
    return get_object_or_404(course.sections.select_related("course"), pk=pk)


@signed_in("POST")
def new_section(request: HttpRequest, course_slug: str) -> HttpResponse:
    """Divide the course: a tutorial, a lab group."""
    course = instructors_course(request, course_slug)
    by, form = current_user(request), SectionForm(request.POST)

    def act() -> None:
        services.create_section(course=course, by=by, name=form.cleaned_data["name"])

    if is_saved(form, act):
        messages.success(request, "Section created. Choose its people below.")
        return redirect("courses:people", course.slug)
    change = ChangeForm(course=course)
    return show_people(request, course, change, section_form=form, status=422)


@signed_in("GET", "POST")
def edit_section(request: HttpRequest, course_slug: str, pk: int) -> HttpResponse:
    """Rename a section."""
    section = section_of(request, course_slug, pk)
    before = section.name
    form = SectionForm(request.POST or None, initial={"name": before})
    form.fields["name"].label = "Name"

    def act() -> None:
        services.rename_section(
            section=section, by=current_user(request), name=form.cleaned_data["name"]
        )

    if is_saved(form, act):
        messages.success(request, f"{before} is now called {section.name}.")
        return redirect("courses:people", course_slug)
    context = {
        **course_context(section.course),
        "section": section,
        "before": before,
        "form": form,
    }
    status = 422 if form.errors else 200
    return render(request, "courses/section_form.html", context, status=status)


@signed_in("GET", "POST")
def delete_section(request: HttpRequest, course_slug: str, pk: int) -> HttpResponse:
    """Delete a section, after a question with a reason and a new section for its people."""
    section = section_of(request, course_slug, pk)
    form = DeleteSectionForm(request.POST or None, section=section)
    if form.is_valid():
        values = {"section": section, **form.cleaned_data}
        moved = run_with_form_errors(
            form,
            lambda: change_dates(request, section.course, services.delete_section, **values),
        )
        if moved is not None:
            into = form.cleaned_data["into"] or "no section"
            words = f"{section} was deleted; {counted(moved, 'person', 'people')} moved to {into}."
            messages.success(request, words)
            return redirect("courses:people", course_slug)
    return ask(request, delete_question(section, form))


def delete_question(section: Section, form: DeleteSectionForm) -> Question:
    """Ask before a section is deleted, with its dates and staff."""
    return Question(
        title=f"Delete the section {section}?",
        effects=tuple(_effects_of_deletion(section)),
        button="Delete section",
        back=reverse("courses:people", args=[section.course.slug]),
        form=form,
        course=section.course,
    )


def _effects_of_deletion(section: Section) -> list[str]:
    people = section.course.enrolments.in_sections([section]).count()
    dates = [str(own.assignment) for own in section.dates.select_related("assignment")]
    effects = [f"It has {counted(people, 'person', 'people')}. Their work and grades stay."]
    if dates:
        effects.append(
            f"Its due dates in {', '.join(dates)} are deleted. Its people get the due dates of the"
            " section that they move to, or the assignment\u2019s. Points are recomputed."
        )
    released = [str(row.assignment) for row in section.releases.select_related("assignment")]
    if released:
        effects.append(
            f"The grades of {', '.join(released)} are released to this section: its people see them"
            " only where they are released to everybody, or to the section they move to."
        )
    staff = [str(member.user) for member in section.staff.select_related("user")]
    if staff:
        effects.append(
            f"Staff responsible for it: {', '.join(staff)}. Staff who are left without a section"
            " can act for the students of all sections."
        )
    return effects
