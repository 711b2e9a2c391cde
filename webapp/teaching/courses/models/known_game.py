"""Games that assignments have had, so that results stay readable when one is not installed."""

import json
from typing import Final

from django.db import models

from grader.core.games import Game
from grader.core.games.missing import facts_of, missing_game
from grader.core.games.uploaded import UPLOADED, uploaded_game
from grader.core.records import to_json


class KnownGame(models.Model):
    """The facts of a game that an assignment of this site was for."""

    name = models.CharField(max_length=60, primary_key=True)
    facts = models.JSONField()
    """A ``GameFacts``. Of an uploaded game the ``folder`` and the ``text`` of its facts: PostgreSQL
    does not keep the order of JSON."""

    def __str__(self) -> str:
        return self.name


_FOUND: Final[dict[str, type[Game]]] = {}


def note_game(game: type[Game]) -> None:
    """Keep the facts of a game that an assignment is for."""
    if game.is_installed and not game.folder:
        facts = json.loads(to_json(facts_of(game)))
        KnownGame.objects.update_or_create(pk=game.name, defaults={"facts": facts})


def note_uploaded(name: str, folder: str, facts: str) -> None:
    """Keep the facts of an uploaded game that has passed its check; the first ones stay."""
    KnownGame.objects.get_or_create(pk=name, defaults={"facts": {"folder": folder, "text": facts}})


def find_missing(name: str) -> type[Game] | None:
    """Return a game that is not installed; ``None`` if no assignment was ever for it, and nobody
    uploaded it."""
    if name not in _FOUND:
        known = KnownGame.objects.filter(pk=name).first()
        if known is None:
            return None
        _FOUND[name] = (
            uploaded_game(known.facts["text"], known.facts["folder"])
            if name.startswith(UPLOADED)
            else missing_game(to_json(known.facts))
        )
    return _FOUND[name]
