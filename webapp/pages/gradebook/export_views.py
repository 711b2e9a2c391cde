"""Files for other systems, of a course or of one assignment.

They have addresses and student numbers, so they need the right to see the list of people. A system
may refuse students whom it does not know: by its own list, the first step names those who are left
out, and the second sends the file of the others.
"""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from webapp.base.errors import Refused
from webapp.grading.gradebook.course import assignments_of, course_rows
from webapp.grading.gradebook.exports import SYSTEMS, System, exported
from webapp.grading.gradebook.students import students_like
from webapp.grading.gradebook.system_files import filled, listed_in
from webapp.pages.http import (
    assignment_context,
    attachment,
    chosen_id,
    course_context,
    run_with_message,
    signed_in,
    viewer_of,
)
from webapp.pages.lookup import staff_assignment, staff_course
from webapp.teaching.courses.models import Assignment, Course
from webapp.teaching.courses.rights import Right


def _asked(
    request: HttpRequest, course_slug: str, assignment_slug: str, system: str
) -> tuple[Course, list[Assignment], System]:
    """Return the course, the columns and the system. Raises NotAllowed, Http404.

    Without ``assignment_slug``: all assignments, for a system that takes them at once.
    """
    if assignment_slug:
        assignment = staff_assignment(request, course_slug, assignment_slug)
        course, assignments = assignment.course, [assignment]
    else:
        course = staff_course(request, course_slug)
        assignments = assignments_of(course)
    viewer_of(request, course).require_right(Right.ROSTER)
    chosen = SYSTEMS.get(system)
    if chosen is None or not (assignment_slug or chosen.takes_course):
        raise Http404("No such system, or it takes one assignment at a time.")
    return course, assignments, chosen


@signed_in("GET")
def export(
    request: HttpRequest, course_slug: str, system: str, assignment_slug: str = ""
) -> HttpResponse:
    """Everybody, in the columns of another system."""
    course, assignments, chosen = _asked(request, course_slug, assignment_slug, system)
    text = exported(chosen, assignments, course_rows(course, assignments))
    parts = [course_slug, assignment_slug, system] if assignment_slug else [course_slug, system]
    return attachment(text, name=f"{'-'.join(parts)}.csv")


@signed_in("POST")
def listed(request: HttpRequest, course_slug: str, assignment_slug: str = "") -> HttpResponse:
    """Students in the system's list: name those who are left out, or send the others' file."""
    name = request.POST.get("system", "")
    course, assignments, system = _asked(request, course_slug, assignment_slug, name)
    students = list(students_like(course))
    if "keep" in request.POST:
        keys = {chosen_id(text) for text in request.POST["keep"].split(",")}
        kept = [student for student in students if student.pk in keys]
        text = exported(system, assignments, course_rows(course, assignments, kept))
        return attachment(text, name=f"{course.slug}-{name}.csv")
    hint = "Choose the list of people of that system first."
    found = run_with_message(request, lambda: listed_in(_file(request, hint), system, students))
    if found is None and assignment_slug:
        return redirect("gradebook:grades", course_slug, assignment_slug)
    if found is None:
        return redirect("gradebook:course", course_slug)
    known = {student.pk for student in found}
    about = assignment_context(assignments[0]) if assignment_slug else course_context(course)
    page: dict[str, Any] = {
        "back": "gradebook:grades" if assignment_slug else "gradebook:course",
        "system": system,
        "name": name,
        "found": found,
        "left_out": [student for student in students if student.pk not in known],
        "keep": ",".join(str(student.pk) for student in found),
    }
    return render(request, "gradebook/listed.html", {**about, **page})


def _file(request: HttpRequest, hint: str) -> bytes:
    file = request.FILES.get("file")
    if file is None or isinstance(file, list):
        raise Refused(hint)
    return bytes(file.read())


@signed_in("POST")
def fill_worksheet(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """Return the uploaded grading worksheet of Moodle with points and comments in it."""
    assignment = staff_assignment(request, course_slug, assignment_slug)
    viewer_of(request, assignment.course).require_right(Right.ROSTER)
    done = run_with_message(request, lambda: _filled(request, assignment))
    if done is None:
        return redirect("gradebook:grades", course_slug, assignment_slug)
    name = f"{assignment.course.slug}-{assignment.slug}-worksheet.csv"
    return attachment(done, name=name)


def _filled(request: HttpRequest, assignment: Assignment) -> str:
    data = _file(request, "Choose a worksheet first.")
    text, n_filled = filled(data, course_rows(assignment.course, [assignment]))
    if not n_filled:
        raise Refused(
            "No student in this worksheet has points here."
            " Its addresses must be those of this site."
        )
    return text
