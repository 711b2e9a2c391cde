"""The values that an assignment's form shows first, and again for another game or variant.

Never saves. A value that was not changed becomes the default of the new rules; a changed one stays.
Values of fields that the new game does not have go into hidden inputs, for the way back.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.http import QueryDict

from grader.core.games import (
    GAMES,
    MAX_PLAYERS,
    Game,
    game_from_options,
    game_named,
    player_counts,
)
from webapp.pages.courses.forms.assignment import AssignmentForm
from webapp.pages.courses.forms.play import LIMIT_FIELDS
from webapp.pages.courses.forms.rules import option_names, shown_option
from webapp.pages.courses.forms.scheme import scheme_initial
from webapp.teaching.courses.defaults import default_opponents, default_scheme
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.validation import openings_of

REFRESH: Final = "refresh"
"""The parameter by which a page asks to be shown again instead of saved."""
_GAME_FIELDS: Final = frozenset(
    {*AssignmentForm.base_fields, "opponents", "beaten"}.union(*map(option_names, GAMES.values()))
) - {"game"}
"""The fields of all games."""


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
        "players": options.get("players", game_named(assignment.game).default_players),
        **{
            name: shown_option(option, options[option.name])
            for name, option in option_names(game_named(assignment.game)).items()
            if option.name in options
        },
        **{name: getattr(limits, name) for name in LIMIT_FIELDS},
        "opponents": assignment.opponents,  # the form adds their field for games that have some
        **scheme_initial(scheme),
    }


def initial_of_new(rules: Game) -> dict[str, Any]:
    """Return the initial values of a new assignment that depend on the rules.

    The number of players is the variant's default, not that of ``rules``.
    """
    opponents = default_opponents(rules)
    scheme = default_scheme(rules, opponents)
    variant = rules.options["variant"]
    players = type(rules).from_options({"variant": variant}).seats
    initial = {"variant": variant, "players": players, **scheme_initial(scheme)}
    few = {"n_games": 200, "practice_games": 40, "smoke_games": 4} if opponents else {}
    if (deals := openings_of(rules)) is not None:
        most = deals * rules.seats if opponents else deals
        default = Assignment()
        names = ("n_games", "practice_games", "smoke_games")
        few = {name: min(few.get(name, getattr(default, name)), most) for name in names}
    return {**initial, **few, **({"opponents": opponents} if opponents else {})}


def first_rules(game: str) -> Game:
    """Return the rules that the form of a new assignment shows first."""
    kind = game_named(game)
    return kind.from_options({"players": kind.default_players})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Makes the form of an assignment, new or existing."""

    defaults: Callable[[Game], Mapping[str, Any]]
    """Returns the initial values for these rules."""
    build: Callable[[str, Mapping[str, Any]], AssignmentForm]
    """Returns a form for a game, with initial values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """A form for other rules, and its differences from the page that asked for it."""

    form: AssignmentForm
    is_other_game: bool
    replaced: tuple[str, ...]
    """Names of fields whose value or choices differ from that page's."""
    kept: list[tuple[str, str]]
    """Name and value of hidden inputs."""

    def replaced_fields(self) -> list[forms.BoundField]:
        """Return the fields to be replaced on the page."""
        return [self.form[name] for name in self.replaced]


def refresh_form(data: QueryDict, *, before: Game, game: str, source: Source) -> Refreshed:
    """Build the form for the rules in ``data``, sent by a page that shows the rules ``before``."""
    was_shown = {"variant": before.options["variant"]}
    earlier = source.build(before.name, {**source.defaults(before), **was_shown})
    typed = _typed(earlier, data)
    rules = _chosen_rules(game_named(game), data, typed, source)
    typed |= _kept_before(source.build(game, {}), earlier, data)
    chosen = {"variant": rules.options["variant"], "players": rules.seats}
    form = source.build(game, {**source.defaults(rules), **typed, **chosen})
    return Refreshed(
        form=form,
        is_other_game=before.name != game,
        replaced=_replaced(form, earlier, data, typed),
        kept=kept_inputs(data, form, unless=earlier.fields.keys() - typed.keys()),
    )


def _typed(form: AssignmentForm, data: QueryDict) -> dict[str, Any]:
    values = {name: _value(field, name, data) for name, field in form.fields.items()}
    return {name: value for name, value in values.items() if _differs(form, name, value)}


def _value(field: forms.Field, name: str, data: QueryDict) -> Any:
    value = field.widget.value_from_datadict(data, {}, name)
    return value.replace("\r\n", "\n") if isinstance(value, str) else value


def _differs(form: AssignmentForm, name: str, value: Any) -> bool:
    field = form.fields[name]
    return field.has_changed(form.get_initial_for_field(field, name), value)


def _chosen_rules(
    game: type[Game], data: QueryDict, typed: Mapping[str, Any], source: Source
) -> Game:
    """Return the chosen rules; an impossible variant or number becomes the nearest possible one."""
    variant = data.get("variant", "")
    if variant not in game.variants():
        variant = next(iter(game.variants()))
    default = source.defaults(game.from_options({"variant": variant}))["players"]
    wanted = str(typed.get("players", default))
    players = int(wanted) if wanted in map(str, range(MAX_PLAYERS + 1)) else default
    counts = player_counts(game, variant)
    nearest = min(counts, key=lambda count: abs(count - players))
    return game.from_options({"variant": variant, "players": nearest})


def _kept_before(form: AssignmentForm, earlier: AssignmentForm, data: QueryDict) -> dict[str, Any]:
    """Return the values of this game's fields that the page had in hidden inputs."""
    names = [name for name in form.fields if name in data and name not in earlier.fields]
    return {name: _value(form.fields[name], name, data) for name in names}


def _replaced(
    form: AssignmentForm, earlier: AssignmentForm, data: QueryDict, typed: Collection[str]
) -> tuple[str, ...]:
    """Return the fields with another default now; with another variant, also ``players``."""
    names = [name for name in form.fields if name in earlier.fields and name not in typed]
    names = [name for name in names if _differs(form, name, _value(form.fields[name], name, data))]
    if "players" not in names and form.shown.options["variant"] != earlier.shown.options["variant"]:
        names.append("players")
    return tuple(names)


def kept_inputs(
    data: QueryDict, form: AssignmentForm, *, unless: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Return the names and values that were sent for fields of other games.

    ``unless``: fields to leave out.
    """
    names = [name for name in data if name in _GAME_FIELDS - form.fields.keys() - set(unless)]
    return [(name, value) for name in names for value in data.getlist(name)]


def parse_rules(text: str) -> Game | None:
    """Parse ``game/variant/players``; return ``None`` if there are no such rules."""
    try:
        game, variant, players = text.split("/")
        return game_from_options(game, {"variant": variant, "players": int(players)})
    except ValueError:
        return None
