"""Questions before acts that cannot be undone. A GET of the act's address shows the question.

So a click asks first, with or without scripts, and who was signed out meanwhile finds it again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from webapp.courses.models import Assignment, Course

__all__ = ["Question", "ask"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An act that cannot be undone, in words."""

    title: str
    """As a question: ``Release the results?``"""
    effects: tuple[str, ...]
    """Its consequences, a sentence each."""
    button: str
    """Names the act and the thing."""
    back: str
    """The address that the question came from."""
    undoing: str = "This cannot be undone."
    values: Mapping[str, str] = field(default_factory=dict)
    """Fields that are sent along."""
    form: forms.BaseForm | None = None
    """Further fields to fill in."""
    course: Course | None = None
    assignment: Assignment | None = None
    nav: str = "home"


def ask(request: HttpRequest, question: Question, *, status: int = 200) -> HttpResponse:
    """Render the page that asks; its form goes to the address that it was asked for."""
    context = {
        "question": question,
        "form": question.form,
        "course": question.course,
        "assignment": question.assignment,
        "nav": question.nav,
    }
    return render(request, "confirm.html", context, status=status)
