"""A game that is told by its rules, as pages of evaluations and tournaments show it."""

from typing import Any

from django.template.loader import select_template

from webapp.evaluations.selectors import Replay


def replay_context(told: Replay | None) -> dict[str, Any]:
    """What the page tells of the game, and the template that tells it: the game's own, or text."""
    if told is None:
        return {}
    templates = [told.template, "evaluations/replay/text.html"]
    return {
        "replay_template": select_template(templates),
        "text": told.text,
        "story": told.story,
        "players": told.players,
        "seat": told.seat,
    }
