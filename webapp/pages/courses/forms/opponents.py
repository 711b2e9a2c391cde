"""The part of an assignment's form for evaluations against opponents."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django import forms

from grader.core.games import Game
from grader.house.catalogue import AGENTS
from grader.results.grading import Beaten
from webapp.pages.courses.forms.fields import text_field

OPPONENT_FIELDS: Final = ("opponents", "beaten")
_HUNDRED: Final = Decimal(100)


def opponent_fields(game: type[Game]) -> dict[str, forms.Field]:
    """The opponents, and the points for beating each; empty in cooperative games."""
    if not game.competitive:
        return {}
    names = _names(game)
    return {
        "opponents": forms.MultipleChoiceField(
            label="Opponents",
            choices=[(name, _words(name)) for name in names],
            widget=forms.CheckboxSelectMultiple,
            help_text="House agents of known strength, weakest first. An agent plays the same"
            " number of games against each, with copies of the house agent in all other seats.",
            error_messages={"required": "Choose at least one."},
        ),
        "beaten": text_field(
            "Points for opponents",
            "One per line: opponent, minimum percentage of games won, points, as in"
            f" <code>{_example(game)}</code>. Points are added up; an opponent may have several"
            " lines. Players who win a game together share it.",
            rows=5,
            css_class="code",
        ),
    }


def _names(game: type[Game]) -> list[str]:
    return [name for name, agent in AGENTS.items() if agent.game == game.name]


def _example(game: type[Game]) -> str:
    return f"{_names(game)[0]} 50: 20"


def _words(name: str) -> str:
    agent = AGENTS[name]
    slow = f" (slow: about {agent.ms_per_game / 1000:.0f} s a game)"
    return f"{name}: {agent.description}{'' if agent.is_quick else slow}"


def beaten_lines(text: str, game: type[Game]) -> tuple[Beaten, ...]:
    """Read the lines of points. Raises ValueError naming the line that is not like the others."""
    return tuple(_beaten(line, game) for line in filter(str.strip, text.splitlines()))


def _beaten(line: str, game: type[Game]) -> Beaten:
    try:
        opponent, percent, points = line.replace(":", " ").replace("%", " ").split()
        return Beaten(opponent=opponent, won=Decimal(percent) / _HUNDRED, points=Decimal(points))
    except (ValueError, InvalidOperation):
        text = f"{line.strip()!r} does not have the form {_example(game)}"
        raise ValueError(text) from None


def beaten_line(line: Beaten) -> str:
    """Inverse of reading a line."""
    percent = (_HUNDRED * line.won).normalize()
    return f"{line.opponent} {percent:f}: {line.points.normalize():f}"


def opponents_initial(opponents: Sequence[str], beaten: Sequence[Beaten]) -> dict[str, Any]:
    """The fields' values."""
    return {"opponents": list(opponents), "beaten": "\n".join(map(beaten_line, beaten))}
