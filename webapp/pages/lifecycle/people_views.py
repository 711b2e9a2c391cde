"""Views that delete a person, for operators."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from grader.core.words import counted
from webapp.flow.lifecycle.services.forgetting import forget_person
from webapp.grading.gradebook.models import Grade
from webapp.grading.submissions.models import Submission
from webapp.pages.confirming import Question, ask
from webapp.pages.http import is_saved, require_operator, signed_in
from webapp.pages.lifecycle.forms import FindPersonForm, ForgetForm
from webapp.people.accounts.models import User
from webapp.teaching.courses.models import Enrolment


@signed_in("GET")
def find(request: HttpRequest) -> HttpResponse:
    """Find a person by address."""
    require_operator(request)
    form = FindPersonForm(request.GET or None)
    if form.is_valid():
        email = User.objects.normalize_email(form.cleaned_data["email"])
        user = User.objects.filter(email=email).first()
        if user is not None:
            return redirect("lifecycle:forget_person", user.pk)
        form.add_error("email", "No account has this address.")
    return render(request, "lifecycle/find_person.html", {"form": form, "nav": "graders"})


@signed_in("GET", "POST")
def forget(request: HttpRequest, pk: int) -> HttpResponse:
    """Show which records are deleted with a person and which stay, and delete them."""
    by, person = require_operator(request), get_object_or_404(User, pk=pk)
    form = ForgetForm(request.POST or None)

    def act() -> None:
        forget_person(user=person, by=by, **form.cleaned_data)

    if is_saved(form, act):
        messages.success(request, "The person was deleted. Their grades are kept without a name.")
        return redirect("lifecycle:find_person")
    person.refresh_from_db()
    return ask(request, forget_question(person, form))


def forget_question(person: User, form: ForgetForm) -> Question:
    """Ask for the address and a reason before a person is deleted."""
    uploads = Submission.objects.filter(team__memberships__user=person).count()
    grades = Grade.objects.filter(team__memberships__user=person, is_current=True).count()
    places = Enrolment.objects.filter(user=person).select_related("course")
    return Question(
        title=f"Delete {person.display_name}?",
        effects=(
            f"The account {person.email}, its name, student numbers and e-mails are deleted.",
            "So are games with agents, and reasons and audit log entries that name the person.",
            f"{counted(uploads, 'upload')}: programs and logs go, unless a partner stays.",
            f"{counted(grades, 'grade')} and the games behind them stay, of “a deleted person”.",
            "Backups stay until they are replaced: after restoring one, delete the person again.",
            *(f"In {place.course}: {place.words}." for place in places),
        ),
        button="Delete person for good",
        back=reverse("lifecycle:find_person"),
        form=form,
        nav="graders",
    )
