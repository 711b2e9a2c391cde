"""Validation of an assignment. Each check returns errors by field.

So the model can refuse the assignment as a whole, and the form shows all errors next to their
fields.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from math import inf
from typing import TYPE_CHECKING, Final

from django.conf import settings

from grader.core.errors import GraderError
from grader.core.games import Game
from grader.core.games.base import ChanceIn
from grader.core.games.outcomes import point_range, value_words
from grader.core.records import LIMIT_BOUNDS, AgentLimits, Mode
from grader.house.catalogue import fitting, title_of
from grader.interfaces import INTERFACES, unfit
from grader.results.grading_scheme import GradingScheme, Threshold
from webapp.teaching.courses.models.game_folder import has_folder

if TYPE_CHECKING:
    from webapp.teaching.courses.models import Assignment

_COUNTS: Final = ("n_games", "practice_games", "smoke_games")


def settings_errors(assignment: "Assignment") -> dict[str, str]:
    """Return the errors of rules, interfaces, opponents, games, limits and grading scheme."""
    counts = {name: getattr(assignment, name) or 0 for name in _COUNTS}
    errors = game_count_errors(counts, assignment.opponents)
    errors |= half_width_errors(assignment.practice_half_width, assignment.opponents)
    game: Game | None = None
    try:
        game = assignment.rules
    except (GraderError, ValueError) as error:
        errors["options"] = str(error)
    errors |= deal_count_errors(counts, assignment.opponents, game)
    errors |= _stored_interface_errors(assignment, game)
    errors |= opponent_errors(assignment.opponents, game)
    errors |= _uploaded_errors(assignment, game)
    for field, check in (("limits", _check_limits), ("grading", _check_scheme)):
        try:
            check(assignment, game)
        except (GraderError, ValueError) as error:
            errors[field] = str(error)
    return errors


def _uploaded_errors(assignment: "Assignment", game: Game | None) -> dict[str, str]:
    """Return what a game whose rules run on graders alone does not offer."""
    if game is None or not game.folder:
        return {}
    errors = {}
    # A course file brings no folders. Its keys are below 0 while it is checked: results are shown,
    # and `Assignment.require_installed_game` refuses to play.
    if assignment.course_id > 0 and not has_folder(assignment.course_id, game):
        errors["game"] = "This course has no uploaded game of this name that passed its check."
    if assignment.play_with != "nobody":
        errors["play_with"] = "The rules of an uploaded game run on graders: people cannot play it."
    if assignment.audited_games:
        errors["audited_games"] = "Games by uploaded rules are not audited: enter 0."
    return errors


def _stored_interface_errors(assignment: "Assignment", game: Game | None) -> dict[str, str]:
    names, options = assignment.interfaces, assignment.interface_options
    for field, value in (("interfaces", names), ("interface_options", options)):
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            return {field: "This must be a list of names."}
    return interface_errors(names, options, assignment.mode, game)


def _check_limits(assignment: "Assignment", _: Game | None) -> None:
    if errors := limit_errors(assignment.agent_limits):
        raise ValueError(" ".join(errors.values()))


def _check_scheme(assignment: "Assignment", game: Game | None) -> None:
    scheme = assignment.scheme
    if game is not None and (errors := scheme_errors(scheme, game, assignment.opponents)):
        raise ValueError(" ".join(errors.values()))


def limit_errors(limits: AgentLimits) -> dict[str, str]:
    """Return errors for limits beyond those of the grader or the operator, by limit."""
    operators = {
        "turn_seconds": settings.MAX_TURN_SECONDS,
        "turn_wall_seconds": 3 * settings.MAX_TURN_SECONDS,
        "start_seconds": settings.MAX_START_SECONDS,
        "memory_mib": settings.MAX_MEMORY_MIB,
    }
    errors = {}
    for field, (low, high) in LIMIT_BOUNDS.items():
        value, most = getattr(limits, field), min(high, operators.get(field, high))
        if not low <= value <= most:
            name = field.replace("_", " ")
            errors[field] = f"{value:g} {name}: this site allows {low:g} up to {most:g}."
    if limits.turn_wall_seconds < limits.turn_seconds:
        text = "Wall-clock seconds per turn must not be fewer than seconds per turn."
        errors.setdefault("turn_wall_seconds", text)
    return errors


def game_count_errors(
    counts: Mapping[str, int], opponents: Sequence[object] = ()
) -> dict[str, str]:
    """Numbers of games, against each opponent, that this site does not play, by their names."""
    most, times = settings.MAX_GAMES, max(1, len(opponents))
    against = f" against each of {times}" if times > 1 else ""
    return {
        name: f"{count} games{against}: this site plays at most {most}."
        for name, count in counts.items()
        if count * times > most
    }


def openings_of(game: Game) -> int | None:
    """Return the number of openings of a game without chance; ``None`` if they are many.

    Cards and dice come again with the odds of the rules: any number of games estimates a mean.
    """
    return game.distinct_deals if game.chance is ChanceIn.NOTHING else None


def deal_count_errors(
    counts: Mapping[str, int], opponents: Sequence[object], game: Game | None
) -> dict[str, str]:
    """Numbers of games that need more openings than the game has, by their names."""
    most = None if game is None else openings_of(game)
    if game is None or most is None:
        return {}
    seats = game.seats if opponents else 1  # against opponents a deal is played from each seat
    return {
        name: f"{count} games: {game.title} has {most} different deals, for {most * seats} games."
        for name, count in counts.items()
        if count > most * seats
    }


def half_width_errors(width: float | None, opponents: Sequence[object]) -> dict[str, str]:
    """Return the errors of the precision at which practice stops."""
    if width is None:
        return {}
    if not 0 < width < inf:
        return {"practice_half_width": "This must be more than 0, or empty."}
    if opponents:
        return {"practice_half_width": "Against opponents all rounds are played: leave this out."}
    return {}


def opponent_errors(names: Sequence[object], game: Game | None) -> dict[str, str]:
    """Return the errors of a choice of opponents, by these rules (if they are valid)."""
    if not isinstance(names, list) or len(set(map(str, names))) < len(names):
        return {"opponents": "This must be a list of names, each once."}
    if game is None:
        return {}
    if not game.competitive:
        return {"opponents": f"{game.title} is cooperative: leave this empty."} if names else {}
    if not names:
        return {"opponents": f"{game.title} is competitive: choose at least one."}
    known = fitting(game)
    unknown = [name for name in names if name not in known]
    if not unknown:
        return {}
    return {"opponents": f"{unknown[0]!r} does not play by these rules; known: {', '.join(known)}."}


# See webapp/decisions/language-of-an-upload.md
def interface_errors(
    names: Sequence[object], options: Sequence[object], mode: str, game: Game | None
) -> dict[str, str]:
    """Return the errors of interfaces, by field: unknown, or not fit for the rules (if valid)."""
    if not names:
        return {"interfaces": "Choose at least one."}
    if len(set(names)) < len(names):
        return {"interfaces": "Name each once."}
    if unknown := [name for name in names if name not in INTERFACES]:
        return {"interfaces": f"{unknown[0]!r} is not known; known: {', '.join(INTERFACES)}."}
    chosen = [INTERFACES[str(name)] for name in dict.fromkeys(names)]
    reasons = filter(None, (unfit(interface, game) for interface in chosen)) if game else ()
    errors = {"interfaces": " ".join(reasons)}
    known = {option for interface in chosen for option in interface.options}
    if strange := [option for option in options if option not in known]:
        errors["interface_options"] = f"{strange[0]!r} is not an option of these interfaces."
    if mode and mode not in set(Mode):
        errors["mode"] = f"{mode!r} is not a mode; modes are {', '.join(Mode)}."
    elif without := [
        interface.title for interface in chosen if mode and Mode(mode) not in interface.modes
    ]:
        errors["mode"] = f"Not possible with {'; '.join(without)}."
    return {field: text for field, text in errors.items() if text}


# See webapp/decisions/checks-of-assignments.md
def scheme_errors(scheme: GradingScheme, game: Game, opponents: Sequence[object]) -> dict[str, str]:
    """Return the errors of a grading scheme that this game's scores cannot reach, by field."""
    errors = unreachable_means(scheme.full_mean, scheme.thresholds, game)
    if scheme.fewest_wins is not game.lower_is_better:
        better = "lower" if game.lower_is_better else "higher"
        errors["full_mean"] = f"In {game.title} {better} means are better."
    if strange := [line.opponent for line in scheme.beaten if line.opponent not in opponents]:
        errors["beaten"] = f"{title_of(strange[0])} is not one of the opponents."
    return errors


def unreachable_means(
    full_mean: Decimal | None, thresholds: Iterable[Threshold], game: Game
) -> dict[str, str]:
    """Means of a grading scheme that are better than the best score of the game, by field."""
    low, high = point_range(game)
    best = value_words(game, game.score_range[0 if game.lower_is_better else 1])
    means = [("full_mean", full_mean), *(("thresholds", step.mean) for step in thresholds)]
    return {
        name: f"No mean can reach {mean:f}: the best score of this game is {best}."
        for name, mean in means
        if mean is not None and (mean < low if game.lower_is_better else mean > high)
    }
