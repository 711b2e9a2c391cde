"""Files for other systems, without the students whom the system's own list does not have.

The first step names those who are left out; the second sends the file.
"""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from webapp.courses.models import Assignment, Course
from webapp.courses.rights import Right
from webapp.errors import Refused
from webapp.gradebook.course import assignments_of, course_rows
from webapp.gradebook.exports import SYSTEMS, System, exported
from webapp.gradebook.listed import listed_in
from webapp.gradebook.students import students_like
from webapp.pages.contexts import assignment_context, course_context
from webapp.pages.http import attachment, chosen_id, run_with_message, viewer_of
from webapp.pages.lookup import staff_assignment, staff_course


@login_required
@require_POST
def listed_course(request: HttpRequest, course_slug: str) -> HttpResponse:
    """The whole course, for students in the list."""
    course = staff_course(request, course_slug)
    system = _system(request, course)
    if not system.takes_course:
        raise Http404("It takes one assignment at a time.")
    context = {**course_context(course), "back": "gradebook:course"}
    return _answer(request, course, system, assignments_of(course), context)


@login_required
@require_POST
def listed_assignment(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """One assignment, for students in the list."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    system = _system(request, assignment.course)
    context = {**assignment_context(assignment), "back": "gradebook:grades"}
    return _answer(request, assignment.course, system, [assignment], context)


def _system(request: HttpRequest, course: Course) -> System:
    """Return the chosen system. Raises NotAllowed, Http404."""
    viewer_of(request, course).require_right(Right.ROSTER)
    system = SYSTEMS.get(request.POST.get("system", ""))
    if system is None:
        raise Http404("No such system.")
    return system


def _answer(
    request: HttpRequest,
    course: Course,
    system: System,
    assignments: Sequence[Assignment],
    context: dict[str, Any],
) -> HttpResponse:
    """Name those who are left out, or send the file for those who are not."""
    students = list(students_like(course))
    if "keep" in request.POST:
        keys = {chosen_id(text) for text in request.POST["keep"].split(",")}
        kept = [student for student in students if student.pk in keys]
        text = exported(system, assignments, course_rows(course, assignments, kept))
        return attachment(text, name=f"{course.slug}-{request.POST['system']}.csv")
    found = run_with_message(request, lambda: listed_in(_file(request), system, students))
    if found is None:
        slugs = [course.slug, *(each.slug for each in assignments[:1])]
        is_one = context["back"] == "gradebook:grades"
        return redirect(context["back"], *slugs[: 2 if is_one else 1])
    known = {student.pk for student in found}
    page = {
        "system": system,
        "name": request.POST["system"],
        "found": found,
        "left_out": [student for student in students if student.pk not in known],
        "keep": ",".join(str(student.pk) for student in found),
    }
    return render(request, "gradebook/listed.html", {**context, **page})


def _file(request: HttpRequest) -> bytes:
    """Return the uploaded list. Raises Refused."""
    file = request.FILES.get("file")
    if file is None or isinstance(file, list):
        raise Refused("Choose the list of people of that system first.")
    return bytes(file.read())
