"""The replay audit of a tournament: asked for by staff, shown on the tournament's page."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from grader.core.words import counted
from webapp.contests.tournaments import services
from webapp.contests.tournaments.models import TournamentAudit
from webapp.pages.confirming import Question, ask
from webapp.pages.flags import ask_about_flags
from webapp.pages.http import current_user, run_with_message, signed_in, viewer_of
from webapp.pages.tournaments.auditing import audit_context, audit_watch
from webapp.pages.tournaments.forms import AuditForm
from webapp.pages.tournaments.views import context_of, visible_tournament
from webapp.pages.watching import answer
from webapp.teaching.courses.rights import Right


@signed_in("GET", "POST")
def start_audit(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Start the audit, after a question with the number of games."""
    tournament = visible_tournament(request, uuid)
    viewer_of(request, tournament.assignment.course).require_right(Right.INTEGRITY)
    default = tournament.assignment.audited_games or services.DEFAULT_GAMES
    form = AuditForm(request.POST or None, initial={"games": default})
    if not form.is_valid():
        question = Question(
            title=f"Audit the games of {tournament}?",
            effects=(
                "A sample of each agent’s games is played again, alone and with different pauses.",
                "Agents that were audited already are left out.",
            ),
            undoing="No points or places depend on it, and only staff see the outcome.",
            button="Audit games",
            back=reverse("tournaments:tournament", args=[uuid]),
            form=form,
            assignment=tournament.assignment,
        )
        return ask(request, question)
    audits = run_with_message(
        request,
        lambda: services.start_audit(
            tournament=tournament, by=current_user(request), n_games=form.cleaned_data["games"]
        ),
    )
    if audits is not None:
        words = f"Games of {counted(len(audits), 'agent')} will be played again."
        messages.success(request, words)
    return redirect(reverse("tournaments:tournament", args=[uuid]) + "#audit")


@signed_in("GET")
@never_cache
def live(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """The audits of a tournament: they ask for themselves again until all are answered."""
    tournament = visible_tournament(request, uuid)
    viewer_of(request, tournament.assignment.course).require_staff()

    def whole() -> HttpResponse:
        context = context_of(request, tournament)
        context |= audit_context(tournament, viewer_of(request, tournament.assignment.course))
        return render(request, "tournaments/_audits.html", context)

    return answer(request, audit_watch(tournament), whole, part="#audits")


@signed_in("GET", "POST")
def flags(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """Mark a participant's flags as seen, or as not seen again, after a question with a note."""
    tournament = visible_tournament(request, uuid)
    participant = get_object_or_404(tournament.participants, number=number)
    audits = TournamentAudit.objects.filter(participant=participant)
    return ask_about_flags(
        request,
        audits.select_related("seen_by").first(),
        agent=participant.name,
        assignment=tournament.assignment,
        back=reverse("tournaments:tournament", args=[uuid]) + "#audit",
    )
