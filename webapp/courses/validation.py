"""What an assignment may ask for. Each check gives its complaints by the name of what is wrong.

So the model can refuse it as a whole, and the form say all of it at once, each beside its field.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal

from django.conf import settings

from grader.evaluation import Threshold
from grader.games import Game
from grader.interfaces import INTERFACES, unfit
from grader.records import LIMIT_BOUNDS, AgentLimits, Mode

__all__ = ["game_count_errors", "interface_errors", "limit_errors", "unreachable_means"]


def limit_errors(limits: AgentLimits) -> dict[str, str]:
    """Limits beyond what the grader or this site's operator allows, by the limit's name."""
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
        text = "Wall-clock seconds a turn must not be fewer than seconds a turn."
        errors.setdefault("turn_wall_seconds", text)
    return errors


def game_count_errors(counts: Mapping[str, int]) -> dict[str, str]:
    """Numbers of games that this site does not play, by their names."""
    most = settings.MAX_GAMES
    return {
        name: f"{count} games: this site plays at most {most}."
        for name, count in counts.items()
        if count > most
    }


def interface_errors(
    names: Sequence[object], options: Sequence[object], mode: str, game: Game | None
) -> dict[str, str]:
    """What agents cannot be written in, by field: unknown, or not fit for the rules (if valid)."""
    if not names:
        return {"interfaces": "Choose at least one."}
    if len(set(names)) < len(names):
        return {"interfaces": "Name each once."}
    if unknown := [name for name in names if name not in INTERFACES]:
        return {"interfaces": f"{unknown[0]!r} is not known; known: {', '.join(INTERFACES)}."}
    chosen = [INTERFACES[str(name)] for name in dict.fromkeys(names)]
    reasons = filter(None, (unfit(each, game) for each in chosen)) if game else ()
    errors = {"interfaces": " ".join(reasons)}
    known = {option for each in chosen for option in each.options}
    if strange := [option for option in options if option not in known]:
        errors["interface_options"] = f"{strange[0]!r} is no option of what agents are written in."
    if mode and mode not in set(Mode):
        errors["mode"] = f"{mode!r} is not a mode; modes are {', '.join(Mode)}."
    elif without := [each.title for each in chosen if mode and Mode(mode) not in each.modes]:
        errors["mode"] = f"Not possible with {'; '.join(without)}."
    return {field: text for field, text in errors.items() if text}


def unreachable_means(
    full_mean: Decimal, thresholds: Iterable[Threshold], *, best_score: int
) -> dict[str, str]:
    """Means of a grading scheme that lie above the best score of the game, by field."""
    means = [("full_mean", full_mean), *(("thresholds", step.mean) for step in thresholds)]
    return {
        name: f"No mean can reach {mean:f}: the best score of this game is {best_score}."
        for name, mean in means
        if mean > best_score
    }
