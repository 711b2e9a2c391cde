"""Views of tournaments: all of an assignment, one of them, who plays, its files."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET
from django_htmx.http import reswap

from webapp.base.errors import NotAllowed
from webapp.base.storable import storable
from webapp.contests.tables.contests import shared_ranks
from webapp.contests.tournaments import permissions, selectors, spreadsheets
from webapp.contests.tournaments.exporting import export_chunks
from webapp.contests.tournaments.matrix import LARGEST_TABLE, heat_map
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.pages.http import (
    assignment_context,
    attachment,
    current_user,
    signed_in,
    streamed,
    viewer_of,
)
from webapp.pages.lookup import visible_assignment
from webapp.pages.standings import drawn
from webapp.pages.tournaments.auditing import audit_context
from webapp.teaching.courses.models import Role

BLOCKS: Final = 40
"""Pieces of the bar that tells how far a tournament is."""

Entries = list[selectors.TournamentEntry]


def visible_tournament(request: HttpRequest, uuid: UUID) -> Tournament:
    """Return the tournament with its course. Raises Http404 if the reader may not see it."""
    tournaments = Tournament.objects.visible_to(current_user(request))
    return get_object_or_404(tournaments.select_related("assignment__course"), uuid=uuid)


def openable_tournament(request: HttpRequest, uuid: UUID) -> Tournament | None:
    """The tournament, if the reader may open it; ``None`` to visitors, or Http404."""
    tournaments = Tournament.objects.openable_by(request.user).select_related("assignment__course")
    tournament = tournaments.filter(uuid=uuid).first()
    if tournament is None and request.user.is_authenticated:
        raise Http404("No such tournament.")
    return tournament


def with_results(request: HttpRequest, uuid: UUID) -> Tournament:
    """Return the tournament. Raises Http404, and NotAllowed if its results are not shown yet."""
    tournament = visible_tournament(request, uuid)
    role = viewer_of(request, tournament.assignment.course).role
    if not permissions.may_see_results(role, tournament):
        raise NotAllowed("Your instructor has not released the results of this tournament yet.")
    return tournament


def context_of(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """Return the values of every page about a tournament."""
    viewer = viewer_of(request, tournament.assignment.course)
    return {
        **assignment_context(tournament.assignment),
        "tournament": tournament,
        "is_staff": viewer.is_staff,
        "is_instructor": viewer.is_instructor,
        "is_member": viewer.is_member,
        "sees_results": permissions.may_see_standings(viewer.role, tournament),
        "role": viewer.role,
    }


def people_of(request: HttpRequest, tournament: Tournament) -> Entries:
    """Its participants as this person may see them."""
    return people_for(request, tournament, viewer_of(request, tournament.assignment.course).role)


def people_for(request: HttpRequest, tournament: Tournament, role: Role | None) -> Entries:
    """Its participants as this person, who has this role in the course, may see them."""
    sees = permissions.may_see_standings(role, tournament)
    return selectors.entries(tournament, request.user, role, with_results=sees)


# --- All of an assignment ---------------------------------------------------------------------


@signed_in("GET")
def tournaments(request: HttpRequest, course_slug: str, assignment_slug: str) -> HttpResponse:
    """List the tournaments that this person may see."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    visible = Tournament.objects.visible_to(current_user(request)).filter(assignment=assignment)
    context = {
        **assignment_context(assignment),
        "tournaments": visible,
        "is_staff": viewer_of(request, assignment.course).is_staff,
        "is_instructor": viewer_of(request, assignment.course).is_instructor,
    }
    return render(request, "tournaments/tournaments.html", context)


@signed_in("GET")
def agent(request: HttpRequest, course_slug: str, assignment_slug: str, name: str) -> HttpResponse:
    """Show one agent in all tournaments of an assignment."""
    assignment = visible_assignment(request, course_slug, assignment_slug)
    rows = selectors.agent_entries(
        assignment, current_user(request), storable(name, characters=200)
    )
    if not rows:
        raise Http404("No such agent in a tournament.")
    context = {
        **assignment_context(assignment),
        "name": name,
        "rows": rows,
        "latest": rows[0][1],
    }
    return render(request, "tournaments/agent.html", context)


# --- One tournament ---------------------------------------------------------------------------


def agent_address(
    tournament: Tournament, *, is_member: bool
) -> Callable[[selectors.TournamentEntry], str]:
    """Return a function from a row to the participant's page; only members may open one."""

    def address(ranked: selectors.TournamentEntry) -> str:
        where = [tournament.uuid, ranked.entry.number]
        return reverse("tournaments:participant", args=where) if is_member else ""

    return address


def blocks(done: int, n_games: int) -> list[str]:
    """For each piece of the bar whether it is done, begun or still to come."""
    full, rest = divmod(done * BLOCKS, n_games)
    return ["done"] * full + (["begun"] if rest else []) + [""] * (BLOCKS - full - bool(rest))


def version_of(tournament: Tournament) -> str:
    """Return a digest of all but the progress."""
    as_of = "" if tournament.summed_up_at is None else tournament.summed_up_at.isoformat()
    return f"{tournament.status} {tournament.stage} {as_of}"


def live_context(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """The part that changes while it is played."""
    context = context_of(request, tournament)
    people = people_for(request, tournament, context["role"])
    game = next(iter(tournament.rules.values()))
    spec = tournament.parsed_spec
    context |= {
        "people": people,
        "game": game,
        "blocks": blocks(tournament.games_done, tournament.n_games),
        "n_rounds": spec.rounds,
        "as_of": version_of(tournament),
        "progress": selectors.progress(tournament),
    }
    if context["sees_results"]:
        context |= {
            **drawn(
                people,
                shared=shared_ranks(people),
                lower_is_better=game.lower_is_better,
                address=agent_address(tournament, is_member=context["is_member"]),
            ),
            "faults": selectors.faults(tournament) if context["is_member"] else [],
            "matrix": heat_map(tournament.cross_play, people),
            "too_large": len(people) > LARGEST_TABLE,
        }
    return context


@require_GET
@gzip_page
def tournament(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Plan, progress, standings, matrix, faults. By aliases alone for who is not of the course."""
    tournament = openable_tournament(request, uuid)
    if tournament is None:
        return redirect_to_login(request.get_full_path())
    context = live_context(request, tournament) | {
        "spec": tournament.parsed_spec,
        "balance": selectors.balance(tournament),
        "stages": Stage,
    }
    if context["is_staff"]:
        context |= audit_context(tournament, viewer_of(request, tournament.assignment.course))
    return render(request, "tournaments/tournament.html", context)


@require_GET
@never_cache
def live(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Its changing part: asks for itself again until the tournament is over.

    Standings are computed now and then and are slow to draw: a reader who has the present ones gets
    only the progress.
    """
    tournament = openable_tournament(request, uuid)
    if tournament is None:
        return redirect_to_login(request.get_full_path())
    if request.GET.get("as_of") == version_of(tournament):
        context = context_of(request, tournament)
        context |= {"progress": selectors.progress(tournament), "alone": True}
        return reswap(render(request, "tournaments/_progress.html", context), "none")
    return render(request, "tournaments/_live.html", live_context(request, tournament))


@signed_in("GET")
def participant(request: HttpRequest, uuid: UUID, number: int) -> HttpResponse:
    """One participant: its standing, with whom it played how well, its games."""
    tournament = with_results(request, uuid)
    people = people_of(request, tournament)
    ranked = next((ranked for ranked in people if ranked.entry.number == number), None)
    if ranked is None:
        raise Http404("No such participant.")
    context = context_of(request, tournament) | {
        "ranked": ranked,
        "shares_rank": ranked.rank in shared_ranks(people),
        "partners": selectors.partners(tournament, number, selectors.names_of(people)),
        "n_games": tournament.games.of(number).count(),
        "own_faults": [
            fault for fault in selectors.faults(tournament) if fault.participant.number == number
        ],
    }
    return render(request, "tournaments/participant.html", context)


# --- Files ------------------------------------------------------------------------------------


@signed_in("GET")
def export(request: HttpRequest, uuid: UUID) -> StreamingHttpResponse:
    """The whole tournament for ``firebox verify``; its secret in it once it may be known.

    What agents printed, and the digests of others' agents, are in it for staff only.
    """
    tournament = with_results(request, uuid)
    mine = tournament.participants.filter(submission__team__memberships__user=current_user(request))
    chunks = export_chunks(
        tournament,
        reveal_secret=tournament.public_secret is not None,
        with_evidence=viewer_of(request, tournament.assignment.course).is_staff,
        own=set(mine.values_list("number", flat=True)),
    )
    return streamed(chunks, name=f"tournament-{uuid}.json")


@signed_in("GET")
def csv(request: HttpRequest, uuid: UUID, table: str) -> HttpResponse:
    """Standings, games, pairs or faults as a spreadsheet."""
    tournament = with_results(request, uuid)
    people = people_of(request, tournament)
    names = selectors.names_of(people)
    tables: dict[str, Callable[[], str]] = {
        "standings": lambda: spreadsheets.standings_csv(people),
        "games": lambda: spreadsheets.games_csv(tournament, names),
        "matrix": lambda: spreadsheets.matrix_csv(tournament, names),
        "faults": lambda: spreadsheets.faults_csv(tournament),
    }
    if table not in tables:
        raise Http404("No such table.")
    return attachment(tables[table](), name=f"{uuid}-{table}.csv")
