"""The game that the front page shows: a real one, played by house agents, kept as its record."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET

from grader.core.records import Record, from_json
from grader.house.catalogue import title_of
from grader.results.replay import game_of
from grader.viewer import Seat, viewed
from grader.viewer.files import scripts, styles
from grader.viewer.page import data_json
from webapp.grading.evaluations.selectors import replay_from
from webapp.pages.http import attachment
from webapp.pages.replays import replay_context

AGENT: Final = "recommendation"
"""The house agent in every seat."""
FIRST_TURN: Final = 42
"""By then some fireworks are high and some are not."""
_ELEMENT: Final = '<script type="application/json" data-stage-game>{}</script>'
_FILE: Final = Path(__file__).parent / "shown" / "game.json"


@cache
def shown_record() -> Record:
    """The game's record."""
    return from_json(_FILE.read_bytes(), Record)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontGame:
    """The files and the data with which the front page plays the game, and where it waits."""

    title: str
    scripts: tuple[str, ...]
    styles: tuple[str, ...]
    data: SafeString
    """An element with the game, which no browser runs."""
    turn: int
    """Position at which it begins, and waits for readers who want less motion."""


@cache
def stage() -> FrontGame:
    """The game as the front page shows it."""
    seats = [Seat(name=title_of(AGENT))] * len(shown_record().scores)
    data = viewed(shown_record(), seats=seats)
    needed = ("elements.js", "motion.js", "game.js", "draw.js")
    needed_scripts = [name for name, _ in scripts(data["game"]) if name.endswith(needed)]
    return FrontGame(
        title=data["title"],
        scripts=(*needed_scripts, "viewer/stage.js"),
        styles=tuple(name for name, _ in styles(data["game"]) if not name.endswith("viewer.css")),
        data=format_html(_ELEMENT, SafeString(data_json(data))),
        turn=min(FIRST_TURN, len(data["turns"])),
    )


@require_GET
@gzip_page
def game(request: HttpRequest) -> HttpResponse:
    """The whole game in the viewer, for everybody."""
    seats = len(shown_record().scores)
    context = replay_context(
        lambda: replay_from(shown_record(), players=[title_of(AGENT)] * seats, seat=-1),
        asked=request.GET.dict(),
        deal_is_public=True,
    )
    return render(
        request,
        "pages/game.html",
        context
        | {"record": shown_record(), "rules": game_of(shown_record()), "agent": title_of(AGENT)},
    )


@require_GET
def record(_request: HttpRequest) -> HttpResponse:
    """Its record, to keep."""
    return attachment(_FILE.read_bytes(), name="game.json")


app_name = "showcase"

urlpatterns = [
    path("", game, name="game"),
    path("record/", record, name="record"),
]
