"""Questions before acts that cannot be undone: a GET of the act's address asks."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from webapp.pages.http import run_with_message, saved, say_done
from webapp.people.auditlog.services import recorded
from webapp.teaching.courses.models import Assignment, Course

T = TypeVar("T")


# See webapp/decisions/questions-before-acts.md
@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The texts that ask about an act that cannot be undone."""

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
    course: Course | None = None
    """Only where there is no assignment."""
    assignment: Assignment | None = None
    nav: str = "home"


def ask(request: HttpRequest, question: Question) -> HttpResponse:
    """Render the page that asks, with status 422 if the form was sent with errors."""
    status = 422 if question.form is not None and question.form.errors else 200
    assignment = question.assignment
    context = {
        "question": question,
        "form": question.form,
        "course": question.course if assignment is None else assignment.course,
        "assignment": assignment,
        "nav": question.nav,
    }
    return render(request, "confirm.html", context, status=status)


def ask_first(
    request: HttpRequest, question: Question, act: Callable[[], object], *, done: str
) -> HttpResponse:
    """Ask; once the form was sent, act and show ``done``, or why it was refused, and lead back."""
    if request.method != "POST":
        return ask(request, question)
    run_with_message(request, act, done=done)
    return redirect(question.back)


def ask_with_form(
    request: HttpRequest,
    question: Question,
    form: forms.Form,
    *,
    act: Callable[[dict[str, Any]], T],
    done: Callable[[T], str],
) -> HttpResponse:
    """Ask until ``act`` accepts the form's values. Then show what ``done`` says, and lead back.

    ``done`` gets what ``act`` returned. The message has a button that undoes the act if there is a
    way back.
    """
    with recorded() as acts:
        result = saved(form, lambda: (act(form.cleaned_data),))
    if result is not None:
        say_done(request, done(*result), acts)
        return redirect(question.back)
    return ask(request, replace(question, form=form))
