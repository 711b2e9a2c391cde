"""The replay audit of a tournament: asked for by staff, shown on the tournament's page."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from grader.core.words import counted
from webapp.courses.permissions import require_right
from webapp.courses.rights import Right
from webapp.pages.confirming import Question, ask
from webapp.pages.http import current_user, run_with_message
from webapp.pages.tournaments.forms import AuditForm
from webapp.pages.tournaments.views import visible_tournament
from webapp.tournaments import services
from webapp.tournaments.models import Tournament


@login_required
@require_http_methods(["GET", "POST"])
def start_audit(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Start the audit, after a question with the number of games."""
    tournament = visible_tournament(request, uuid)
    require_right(current_user(request), tournament.assignment.course, Right.INTEGRITY)
    usual = tournament.assignment.audited_games or services.DEFAULT_GAMES
    form = AuditForm(request.POST or None, initial={"games": usual})
    if not form.is_valid():
        return ask(request, _question(tournament, form))
    audits = run_with_message(
        request,
        lambda: services.start_audit(
            tournament=tournament, by=current_user(request), n_games=form.cleaned_data["games"]
        ),
    )
    if audits is not None:
        words = f"Games of {counted(len(audits), 'agent')} will be played again."
        messages.success(request, words, "good")
    return redirect(reverse("tournaments:tournament", args=[uuid]) + "#audit")


def _question(tournament: Tournament, form: AuditForm) -> Question:
    return Question(
        title=f"Audit the games of {tournament}?",
        effects=(
            "A sample of each agent’s games is played again: its seats alone, with other pauses.",
            "Agents that were audited already are left out.",
        ),
        undoing="No points or places depend on it, and only staff see the outcome.",
        button="Audit games",
        back=reverse("tournaments:tournament", args=[tournament.uuid]),
        form=form,
        course=tournament.assignment.course,
        assignment=tournament.assignment,
    )
