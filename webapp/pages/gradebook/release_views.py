"""Hold grades and release them, for staff."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from webapp.flow import pipeline
from webapp.grading.gradebook.models import Grade
from webapp.pages.contexts import assignment_context
from webapp.pages.gradebook.forms import HoldForm
from webapp.pages.http import current_user, form_values, run_with_message, signed_in
from webapp.pages.lookup import chosen_section, instructors_assignment
from webapp.people.auditlog.kinds import ActKind
from webapp.people.auditlog.selectors import WantedActs, acts
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.people import with_students
from webapp.teaching.courses.releases import held_teams
from webapp.teaching.courses.services import hold_grades
from webapp.teaching.courses.services.releases import audience, released_to


@signed_in("GET", "POST")
def release(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Show who sees the grades, and release them to everybody or to a section."""
    assignment = instructors_assignment(request, course_slug, assignment_slug, to_look=True)
    user = current_user(request)
    if request.method == "POST":
        section = chosen_section(request, assignment.course)
        run_with_message(
            request,
            lambda: pipeline.release_grades(assignment=assignment, by=user, section=section),
            done=f"The grades are released to {audience(section)}. Students get an e-mail.",
            undo=True,
        )
        return redirect("gradebook:release", course_slug, assignment_slug)
    return render(request, "gradebook/release.html", context_of(assignment))


def context_of(assignment: Assignment) -> dict[str, object]:
    """Return the values of the page."""
    releases = {row.section_id: row for row in assignment.releases.select_related("released_by")}
    sections = with_students(assignment.course.sections.order_by("name"))
    held = held_teams(assignment)
    graded = Grade.objects.filter(team__assignment=assignment, is_current=True)
    hidden = acts(WantedActs(course=assignment.course, kind=ActKind.GRADES_HELD.name_kept))
    return {
        **assignment_context(assignment),
        "released_to": released_to(assignment),
        "hidden": hidden.filter(thing=str(assignment)).first(),
        "for_everybody": releases.get(None),
        "sections": [(section, releases.get(section.pk)) for section in sections],
        "is_released": not assignment.holds_grades or None in releases,
        "n_held": len(held),
        "n_graded": graded.count(),
        "n_teams": assignment.teams.count(),
        "hold_form": HoldForm(),
    }


@signed_in("POST")
def hold(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Hide the grades from students until they are released."""
    assignment = instructors_assignment(request, course_slug, assignment_slug)
    form = HoldForm(request.POST)
    run_with_message(
        request,
        lambda: hold_grades(assignment=assignment, by=current_user(request), **form_values(form)),
        done="The grades are hidden from students.",
    )
    return redirect("gradebook:release", course_slug, assignment_slug)
