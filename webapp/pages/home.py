"""The front page, for visitors and for people of courses; all boards that a reader may open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from grader.core.games import GAMES, Game
from grader.core.words import counted, either
from webapp.contests.leaderboards.permissions import may_see_board
from webapp.contests.leaderboards.public import boards_of, glimpse, public_assignments
from webapp.contests.leaderboards.selectors import standings
from webapp.contests.leaderboards.values import Leaderboard, Selection
from webapp.contests.tables.contests import shared_ranks
from webapp.contests.tournaments.models import Stage, Tournament
from webapp.contests.tournaments.selectors import entries_for_everybody, public_tournaments
from webapp.grading.evaluations.models import Kind, Status
from webapp.pages.courses.forms.course import JoinForm
from webapp.pages.courses.overview import AssignmentCard, CourseCard, my_courses
from webapp.pages.front_game import stage
from webapp.pages.intervals import Interval, Scale, row
from webapp.pages.standings import interval_of
from webapp.pages.versions import full_from, practice_means, versions_chart
from webapp.people.accounts.models import User
from webapp.teaching.announcements.models import Announcement
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import Person

NEIGHBOURS: Final = 4
VERSIONS: Final = 8
SOON: Final = timedelta(days=7)
NEWS: Final = 3
RECENT: Final = timedelta(days=14)
"""The age up to which announcements and ended tournaments are news."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agenda:
    """The front page of a student."""

    sentence: str
    due: tuple[AssignmentCard, ...]
    """Still open, the next deadline first."""
    over: tuple[AssignmentCard, ...]
    """The last one first."""
    chart: SafeString
    """Versions of the first open assignment's agent; empty if there are none."""
    around: Leaderboard | None
    """The neighbours on the first board that the student stands on."""
    announcements: tuple[Announcement, ...]
    """Recent ones, the newest first."""
    tournaments: tuple[Tournament, ...]
    """Tournaments under way, and recent ones whose results are released; the newest first."""


def agenda_of(user: User, courses: Sequence[CourseCard]) -> Agenda | None:
    """Return the due dates in the courses that the user takes; ``None`` without any.

    One query for the versions, two for news, and those of two boards at most.
    """
    taken = [
        card for course in courses if not course.viewer.is_staff for card in course.assignments
    ]
    if not any(not course.viewer.is_staff for course in courses):
        return None
    now = timezone.now()
    due = sorted(
        (card for card in taken if card.deadline.ends_at >= now), key=lambda card: card.due_at
    )
    over = sorted(
        (card for card in taken if card.deadline.ends_at < now), key=lambda card: card.due_at
    )
    team = due[0].team if due else None
    versions = {} if team is None else practice_means(team, limit=VERSIONS)
    return Agenda(
        sentence=_sentence(due),
        due=tuple(due),
        over=tuple(reversed(over)),
        chart=_chart(versions, due[0].assignment) if due else SafeString(),
        around=_around(user, [*due, *reversed(over)]),
        announcements=_announcements(courses),
        tournaments=_tournaments(user, courses),
    )


def _chart(versions: Mapping[int, Interval], assignment: Assignment) -> SafeString:
    shown = assignment.scheme.mean_in_words
    return versions_chart(versions, full_from=full_from(assignment), shown=shown)


def _announcements(courses: Sequence[CourseCard]) -> tuple[Announcement, ...]:
    recent = Announcement.objects.filter(
        course__in=[card.viewer.course for card in courses if not card.viewer.is_staff],
        posted_at__gte=timezone.now() - RECENT,
    )
    return tuple(recent.select_related("course", "posted_by")[:NEWS])


def _tournaments(user: User, courses: Sequence[CourseCard]) -> tuple[Tournament, ...]:
    taken = [card.viewer.course for card in courses if not card.viewer.is_staff]
    shown = Tournament.objects.visible_to(user).filter(
        Q(status__in=(Status.QUEUED, Status.PLAYING))
        | Q(stage=Stage.RESULTS, finished_at__gte=timezone.now() - RECENT),
        assignment__course__in=taken,
    )
    return tuple(shown.select_related("assignment__course").distinct()[:NEWS])


def _sentence(due: Sequence[AssignmentCard]) -> str:
    if not due:
        return "Nothing is due."
    soon = sum(card.due_at <= timezone.now() + SOON for card in due)
    to_start = sum(card.latest is None for card in due)
    parts = [f"{counted(soon, 'deadline')} this week" if soon else "No deadline this week"]
    if to_start:
        parts.append(f"{counted(to_start, 'assignment')} to start")
    return ". ".join(parts) + "."


def _around(user: User, cards: Sequence[AssignmentCard]) -> Leaderboard | None:
    """The viewer's neighbours, by graded games or, before there are any, by practice."""
    for card in cards:
        if card.latest is not None and may_see_board(user, card.assignment):
            return _neighbours(user, card)
    return None


def _neighbours(user: User, card: AssignmentCard) -> Leaderboard | None:
    kind = Kind.PRACTICE if card.grade is None else Kind.GRADED
    selection = Selection(around=True, size=NEIGHBOURS)
    board = standings(card.assignment, user, kind=kind, selection=selection)
    return None if board.own is None else board


ROWS: Final = 4
CARDS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """A row of a card."""

    rank: str
    alias: str
    is_house: bool
    bar: SafeString
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontCard:
    """A board or a tournament, and where it is."""

    about: str
    title: str
    address: str
    live: str
    """The label of games that are being played; empty if none are."""
    rows: tuple[CardRow, ...]
    note: str


def cards(viewer: Person) -> list[FrontCard]:
    """Public boards and tournaments with rows: played ones first, then by the last change."""
    boards = [
        _board_card(assignment, glimpse(assignment, viewer, size=ROWS))
        for assignment in public_assignments()[:CARDS]
    ]
    played = [_tournament_card(tournament) for tournament in public_tournaments()[:CARDS]]
    filled = [card for card in (*boards, *played) if card.rows]
    return sorted(filled, key=lambda card: not card.live)[:CARDS]


def _about(game: Game, noun: str) -> str:
    return f"{game.title} for {game.seats} · {noun}"


def _board_card(assignment: Assignment, board: Leaderboard) -> FrontCard:
    ranked = [entry for entry in board.rows if entry.mean is not None]
    shown = [Interval(entry.mean or 0.0, entry.low, entry.high) for entry in ranked]
    bars = _bars(shown, board.game)
    rows = tuple(
        CardRow(
            rank=f"{entry.rank}{'=' if entry.shares_rank else ''}",
            alias=entry.alias,
            is_house=False,
            bar=bar,
            mean=entry.mean or 0.0,
        )
        for entry, bar in zip(ranked, bars, strict=True)
    )
    games = assignment.n_games if board.kind == "graded" else assignment.practice_games
    kind = "" if board.kind == "graded" else "practice "
    address = reverse("leaderboards:leaderboard", args=[assignment.course.slug, assignment.slug])
    return FrontCard(
        about=_about(board.game, "board"),
        title=assignment.title,
        address=f"{address}?kind={board.kind.value}",
        live=f"{board.n_playing:,} playing" if board.n_playing else "",
        rows=rows,
        note=f"{counted(board.n_teams, 'team')} · {counted(games, kind + 'game')} each"
        + (" · fewest points win" if board.game.lower_is_better else ""),
    )


def _tournament_card(tournament: Tournament) -> FrontCard:
    game = tournament.assignment.rules
    people = entries_for_everybody(tournament)
    shared = shared_ranks(people)
    shown = [
        (ranked, interval)
        for ranked in people[:ROWS]
        if (interval := interval_of(ranked)) is not None
    ]
    bars = _bars([interval for _, interval in shown], game)
    rows = tuple(
        CardRow(
            rank=f"{ranked.rank or '–'}{'=' if ranked.rank in shared else ''}",
            alias=ranked.entry.name,
            is_house=bool(ranked.entry.house_agent),
            bar=bar,
            mean=interval.mean,
        )
        for (ranked, interval), bar in zip(shown, bars, strict=True)
    )
    return FrontCard(
        about=_about(game, "tournament"),
        title=tournament.title,
        address=reverse("tournaments:tournament", args=[tournament.uuid]),
        live="live" if tournament.is_open else "",
        rows=rows,
        note=f"{tournament.games_done:,} of {counted(tournament.n_games, 'game')}",
    )


def _bars(shown: Sequence[Interval], game: Game) -> list[SafeString]:
    scale = Scale.of(shown, lower_is_better=game.lower_is_better)
    return [row(scale, interval, name="no-grid") for interval in shown]


LISTED = 100
"""Rows of each list of boards."""


@gzip_page
def home(request: HttpRequest) -> HttpResponse:
    """My deadlines and courses; for visitors, a game and the public boards."""
    if not isinstance(request.user, User):
        return render(request, "pages/welcome.html", _for_visitors(request))
    courses = my_courses(request.user)
    context = {
        "nav": "home",
        "courses": courses,
        "agenda": agenda_of(request.user, courses),
        "join_form": JoinForm(),
        "may_create": request.user.may_create_courses or request.user.is_superuser,
    }
    return render(request, "pages/home.html", context)


def _for_visitors(request: HttpRequest) -> dict[str, Any]:
    shown = cards(request.user)
    return {
        "nav": "welcome",
        "games": either(game.title for game in GAMES.values()),
        "stage": stage(),
        "cards": shown,
        "is_live": any(card.live for card in shown),
    }


@require_GET
def boards(request: HttpRequest) -> HttpResponse:
    """Public boards and tournaments, and the boards of the reader's courses."""
    own = list(boards_of(request.user)[:LISTED])
    public = [assignment for assignment in public_assignments()[:LISTED] if assignment not in own]
    tournaments = list(public_tournaments()[:LISTED])
    context = {
        "lists": [("In your courses", own), ("Public leaderboards", public)],
        "tournaments": tournaments,
        "cards": [] if request.user.is_authenticated else cards(request.user),
        "has_any": bool(own or public or tournaments),
        "nav": "boards",
    }
    return render(request, "pages/boards.html", context)
