"""Cards of the front page: the best rows of a board or a tournament, drawn small."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.urls import reverse
from django.utils.safestring import SafeString

from grader.core.games import Game
from grader.core.words import counted
from webapp.contests.leaderboards.public import glimpse, public_assignments
from webapp.contests.leaderboards.values import Board
from webapp.contests.tables.contests import shared_ranks
from webapp.contests.tournaments.models import Tournament
from webapp.contests.tournaments.selectors import entries_for_everybody, public_tournaments
from webapp.pages.intervals import Interval, Scale, row
from webapp.pages.standings import interval_of
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.permissions import Person

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


def _board_card(assignment: Assignment, board: Board) -> FrontCard:
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
