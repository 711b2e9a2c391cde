"""The values that every page of a course, or of an assignment, gives to its template."""

from typing import Any

from webapp.teaching.courses.models import Assignment, Course

__all__ = ["assignment_context", "course_context"]


def course_context(course: Course) -> dict[str, Any]:
    """Return the values of a course's page. The site's navigation marks *Courses*."""
    return {"course": course, "nav": "home"}


def assignment_context(assignment: Assignment) -> dict[str, Any]:
    """Return the values of an assignment's page, which is one of its course's."""
    return {**course_context(assignment.course), "assignment": assignment}
