"""The initial values of an assignment's form."""

from typing import Any

from grader.core.games import GAMES, Game
from grader.results.grading import GradingScheme
from webapp.courses.defaults import default_opponents, default_scheme
from webapp.courses.models import Assignment
from webapp.pages.courses.forms.assignment import AssignmentForm
from webapp.pages.courses.forms.layout import LIMIT_NAMES
from webapp.pages.courses.forms.opponents import opponents_initial
from webapp.pages.courses.forms.options import option_names, shown_option


def initial_of(assignment: Assignment) -> dict[str, Any]:
    """Return the initial values for an existing assignment."""
    scheme, limits, options = assignment.scheme, assignment.agent_limits, assignment.options
    plain = {
        name: getattr(assignment, name)
        for name in AssignmentForm.base_fields
        if hasattr(assignment, name)
    }
    return {
        **plain,
        "variant": options.get("variant", "standard"),
        "players": options.get("players", GAMES[assignment.game].default_players),
        **{
            name: shown_option(option, options[option.name])
            for name, option in option_names(GAMES[assignment.game]).items()
            if option.name in options
        },
        **opponents_initial(assignment.opponents, scheme.beaten),
        **{name: getattr(limits, name) for name in LIMIT_NAMES},
        **_of_scheme(scheme),
    }


def _of_scheme(scheme: GradingScheme) -> dict[str, Any]:
    return {
        "full_mean": scheme.full_mean,
        "full_points": scheme.full_points,
        "bonus_points": scheme.bonus_points,
        "max_bonus_points": scheme.max_bonus_points,
        "thresholds": "\n".join(f"{step.mean}: {step.points}" for step in scheme.thresholds),
        "interpolation": scheme.interpolation,
    }


def initial_of_new(rules: Game) -> dict[str, Any]:
    """Return the initial values of a new assignment that depend on the rules.

    The number of players is the variant's default, not that of ``rules``.
    """
    opponents = default_opponents(rules)
    scheme = default_scheme(rules, opponents)
    variant = rules.options["variant"]
    players = type(rules).from_options({"variant": variant}).seats
    initial = {"variant": variant, "players": players, **_of_scheme(scheme)}
    if not opponents:
        return initial
    few = {"n_games": 200, "practice_games": 40, "smoke_games": 4}
    return {**initial, **few, **opponents_initial(opponents, scheme.beaten)}


def first_rules(game: str) -> Game:
    """Return the rules that the form of a new assignment shows first."""
    return GAMES[game].from_options({"players": GAMES[game].default_players})
