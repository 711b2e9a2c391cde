"""Courses and assignments as views look them up: by slug, and only for their people."""

from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from webapp.pages.http import chosen_id, current_user, viewer_of
from webapp.teaching.courses.models import Assignment, Course, Enrolment, Role, Section


def visible_course(request: HttpRequest, slug: str) -> Course:
    """Return the course. Raises Http404 for people who are not in it."""
    return get_object_or_404(Course.objects.visible_to(current_user(request)), slug=slug)


def visible_assignment(request: HttpRequest, course_slug: str, slug: str) -> Assignment:
    """Return the assignment with its course. Raises Http404 if the reader may not see it."""
    assignments = Assignment.objects.visible_to(current_user(request)).select_related("course")
    assignment = assignments.filter(course__slug=course_slug, slug=slug).first()
    if assignment is None:
        raise Http404("No such assignment.")
    return assignment


def staff_course(request: HttpRequest, slug: str) -> Course:
    """The course, for its staff only."""
    course = visible_course(request, slug)
    viewer_of(request, course).require_staff()
    return course


def staff_assignment(request: HttpRequest, course_slug: str, assignment_slug: str) -> Assignment:
    """The assignment, for the course's staff only."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    viewer_of(request, assignment.course).require_staff()
    return assignment


def instructors_course(request: HttpRequest, slug: str, *, to_look: bool = False) -> Course:
    """The course, for its instructors only; an archived one only ``to_look`` at it."""
    course = visible_course(request, slug)
    viewer_of(request, course).require_instructor(to_look=to_look)
    return course


def instructors_assignment(
    request: HttpRequest, course_slug: str, assignment_slug: str, *, to_look: bool = False
) -> Assignment:
    """The assignment, for the course's instructors only; see ``instructors_course``."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    viewer_of(request, assignment.course).require_instructor(to_look=to_look)
    return assignment


def member_of(course: Course, enrolment: int) -> Enrolment:
    """Return a person of the course by the key of their enrolment, or raise Http404."""
    return get_object_or_404(_enrolments(course), pk=enrolment)


def student_of(course: Course, enrolment: int) -> Enrolment:
    """Return a student of the course by the key of their enrolment, or raise Http404."""
    return get_object_or_404(_enrolments(course), pk=enrolment, role=Role.STUDENT)


def _enrolments(course: Course) -> QuerySet[Enrolment]:
    return Enrolment.objects.filter(course=course).with_sections().select_related("course")


def chosen_section(request: HttpRequest, course: Course) -> Section | None:
    """Return the section that a form chose, or none. Raises Http404 for another course's."""
    return next(iter(chosen_sections(request, course)), None)


def chosen_sections(request: HttpRequest, course: Course) -> list[Section]:
    """Return the sections that a form chose. Raises Http404 for another course's."""
    chosen = [key for text in request.POST.getlist("section") if (key := chosen_id(text))]
    return [get_object_or_404(course.sections, pk=key) for key in chosen]
