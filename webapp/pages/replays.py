"""The display of a replayed game on pages of evaluations, tournaments and ladders.

Pages check who may see a game before they call this. It only shows what the record holds.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpResponse
from django.template.loader import select_template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from grader.core.errors import RecordError
from grader.core.games import Game
from grader.core.records import Printed, Record, to_json
from grader.results.replay import game_of
from grader.viewer import Seat, elsewhere, restored, shown
from grader.viewer.files import scripts, styles
from grader.viewer.page import data_json
from webapp.grading.evaluations.selectors import Replay
from webapp.pages.http import attachment
from webapp.pages.turn_pictures import TurnPicture, turn_picture

_ELEMENT: Final = '<script type="application/json" data-viewer-game>{}</script>'


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayViewer:
    """The files and elements of a viewer on a page."""

    scripts: tuple[str, ...]
    """Names of static files."""
    styles: tuple[str, ...]
    games: tuple[SafeString, ...]
    """Elements that hold a game as JSON, which no browser runs; two are shown side by side."""
    stills: tuple[TurnPicture, ...] = ()
    """The turn of each game that the page shows without scripts."""


def replay_context(
    replay: Callable[[], Replay | None],
    *,
    asked: Mapping[str, str],
    printed: Sequence[Printed] = (),
    deal_is_public: bool,
) -> dict[str, Any]:
    """Return a game's content for a page, and the template that shows it: the game's, or text.

    A record of other rules than ours has only its reason. ``asked`` is the address's query, which
    may name a turn. ``printed`` is what agents printed, as far as the reader may see it. A deal
    that is still secret is not sent to other sites.
    """
    try:
        playback = replay()
    except RecordError as error:
        return {"unreadable": str(error)}
    if playback is None:
        return {}
    templates = [*filter(None, [playback.template]), "evaluations/replay/text.html"]
    return {
        "replay_template": select_template(templates),
        "text": playback.text,
        "story": playback.story,
        "players": playback.players,
        "seat": playback.seat,
        "viewer": viewer_of([playback], asked=asked, printed=[printed]),
        "elsewhere": elsewhere(playback.record) if deal_is_public else None,
    }


def viewer_of(
    replays: Sequence[Replay],
    *,
    asked: Mapping[str, str],
    labels: Sequence[str] = (),
    printed: Sequence[Sequence[Printed]],
) -> ReplayViewer:
    """One game for the viewer, or two with labels; ``printed``: what each reader may see."""
    data = [_data(playback, lines) for playback, lines in zip(replays, printed, strict=True)]
    for values, label in zip(data, labels, strict=False):
        values["label"] = label
    return viewer_with(game_of(replays[0].record), data, asked=asked)


def viewer_with(
    game: Game, data: Sequence[Mapping[str, Any]], *, asked: Mapping[str, str]
) -> ReplayViewer:
    """Return the viewer of the games with these data."""
    return ReplayViewer(
        stills=tuple(
            turn_picture(
                game,
                list(restored(values)),
                [seat["name"] for seat in values["seats"]],
                asked,
                label=values.get("label", ""),
            )
            for values in data
        ),
        scripts=tuple(name for name, _ in scripts(game.name)),
        styles=tuple(name for name, _ in styles(game.name)),
        games=tuple(format_html(_ELEMENT, SafeString(data_json(values))) for values in data),
    )


def _data(playback: Replay, printed: Sequence[Printed]) -> dict[str, Any]:
    own = playback.players[playback.seat] if playback.seat >= 0 else None
    seats = [Seat(name=name, own=name == own) for name in playback.players]
    return shown(playback.played, seats=seats, printed=printed)


def record_file(record: Record | None, *, index: int) -> HttpResponse:
    """The game's record to download; an empty file if the game was not played."""
    text = "" if record is None else to_json(record)
    return attachment(text, name=f"game-{index}.json")


def elsewhere_file(replay: Callable[[], Replay | None], *, index: int) -> HttpResponse:
    """The game's file for another site, or 404."""
    try:
        playback = replay()
    except RecordError as error:
        raise Http404(f"This game cannot be shown: {error}.") from error
    offered = None if playback is None else elsewhere(playback.record)
    if offered is None or offered.file is None:
        raise Http404("No other site shows this game.")
    name = f"game-{index}-{offered.site}.json"
    return attachment(json.dumps(offered.file), name=name)
