"""The form of an assignment: rules, limits, grading scheme as simple fields, and back again.

Long, because Django wants a form's fields and what cleans them in one class; parts with a logic of
their own (interfaces, opponents, options of a game) are modules beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from grader.errors import GraderError, RulesError
from grader.evaluation import GradingScheme, Interpolation, Threshold
from grader.games import GAMES, USUAL_GAME, Game
from grader.interfaces import INTERFACES, unfit
from grader.records import AgentLimits
from webapp.courses.forms.interfaces import INTERFACE_FIELDS, InterfaceFields, option_choices
from webapp.courses.forms.opponents import (
    OPPONENT_FIELDS,
    beaten_lines,
    opponent_fields,
    opponents_initial,
)
from webapp.courses.forms.options import (
    chosen_options,
    option_field,
    option_names,
    shown_option,
)
from webapp.courses.models import Assignment, Course, LeaderboardVisibility
from webapp.courses.models.assignment import DUE_TOO_EARLY, MOST_AUDITED, SLUG_TAKEN, scheme_json
from webapp.courses.references import Reference, measured
from webapp.courses.usual import usual_opponents, usual_scheme
from webapp.courses.validation import (
    game_count_errors,
    half_width_errors,
    interface_errors,
    limit_errors,
    opponent_errors,
    scheme_errors,
    unreachable_means,
)
from webapp.interfaces import extras, interfaces_for, variants

LIMIT_NAMES: Final = ("turn_seconds", "turn_wall_seconds", "start_seconds", "memory_mib")
RULES: Final = "Rules"
LIMITS: Final = "Limits of one agent"
GAMES_PLAYED: Final = "Games"
POINTS: Final = "Points"
GROUPS: Final = (
    ("What", "", ("title", "slug", "description")),
    ("When", "", ("opens_at", "due_at", "practice_after_due")),
    ("What agents are written in", "", INTERFACE_FIELDS),
    (RULES, "", ("variant", "players")),
    (LIMITS, "The same for all interfaces.", LIMIT_NAMES),
    (
        GAMES_PLAYED,
        "",
        (
            "opponents",
            "n_games",
            "practice_games",
            "practice_half_width",
            "smoke_games",
            "max_consecutive_faults",
            "audited_games",
        ),
    ),
    (
        POINTS,
        "From the mean score of the graded games.",
        (
            "beaten",
            "full_mean",
            "full_points",
            "bonus_points",
            "max_bonus_points",
            "thresholds",
            "interpolation",
        ),
    ),
    (
        "Teams and leaderboard",
        "",
        ("max_team_size", "uploads_per_day", "practice_per_day", "leaderboard"),
    ),
)
NOT_A_SLUG: Final = "Use only letters, digits, hyphens and underscores."
FROZEN: Final = (
    "Graded games have been played: this can't change any more, or results could not be compared."
    " Create a new assignment instead."
)
REGRADES: Final = (
    "Teams have been graded: if you change this, the points of all of them are computed anew from"
    " their means, at once. The earlier points are kept on the page of grades."
)
_LOCAL: Final = "%Y-%m-%dT%H:%M"


def moment_field(label: str, help_text: str = "") -> forms.DateTimeField:
    """Date and time in the time zone of the course, which the view activates."""
    widget = forms.DateTimeInput(format=_LOCAL, attrs={"type": "datetime-local"})
    return forms.DateTimeField(
        label=label, help_text=help_text, widget=widget, input_formats=[_LOCAL, "%Y-%m-%dT%H:%M:%S"]
    )


def _points(label: str, initial: str, *, required: bool = True, help_text: str = "") -> Any:
    return forms.DecimalField(
        label=label,
        initial=initial,
        required=required,
        help_text=help_text,
        min_value=0,
        max_digits=8,
        decimal_places=4,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


def _seconds(label: str, initial: float, help_text: str = "") -> forms.FloatField:
    return forms.FloatField(
        label=label,
        initial=initial,
        min_value=0.05,
        help_text=help_text,
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


def _count(label: str, initial: int, *, least: int = 1, help_text: str = "") -> forms.IntegerField:
    return forms.IntegerField(label=label, initial=initial, min_value=least, help_text=help_text)


class AssignmentForm(InterfaceFields):
    """Everything an instructor decides. ``fields_for_service`` gives what services take."""

    title = forms.CharField(label="Title", max_length=120)
    slug = forms.SlugField(
        label="Short name in addresses",
        max_length=50,
        error_messages={"invalid": NOT_A_SLUG},
    )
    description = forms.CharField(
        label="Description",
        required=False,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="Plain text; an empty line begins a new paragraph.",
    )
    opens_at = moment_field("Opens", "Students see it from then on.")
    due_at = moment_field("Due", "The latest accepted upload before it is graded.")
    practice_after_due = forms.BooleanField(
        label="Uploads and practice go on after the due date", required=False, initial=True,
        help_text="They never count.",
    )  # fmt: skip

    variant = forms.ChoiceField(
        label="Variant",
        help_text="What each sets is in the guide’s table of variants.",
    )
    players = _count("Players", 2, least=2)

    turn_seconds = _seconds("Seconds a turn", AgentLimits().turn_seconds, "Charged time.")
    turn_wall_seconds = _seconds(
        "Wall-clock seconds a turn", AgentLimits().turn_wall_seconds, "For programs that sleep."
    )
    start_seconds = _seconds("Seconds to start", AgentLimits().start_seconds, "Once a game.")
    memory_mib = _count("Memory in MiB", AgentLimits().memory_mib)

    n_games = _count("Graded games", 1000)
    practice_games = _count("Practice games", 100, help_text="After every upload, on public deals.")
    practice_half_width = forms.FloatField(
        label="Practice stops at a mean known to ±",
        required=False,
        widget=forms.NumberInput(attrs={"step": "any", "min": 0}),
        help_text="Saves games of agents whose scores vary little, or whose mean need not be known"
        " better. Empty: all practice games are played, as graded ones always are.",
    )
    smoke_games = _count("Smoke-test games", 10, help_text="At once after every upload.")
    max_consecutive_faults = _count(
        "Stop after so many faults in a row", 20, least=0, help_text="0 never stops."
    )

    audited_games = forms.IntegerField(
        label="Audited games",
        initial=10,
        min_value=0,
        max_value=MOST_AUDITED,
        help_text="Of a team's graded games, so many are played again to find agents that talk by"
        " response time; 0: none. Only staff see what comes of it.",
    )

    full_mean = _points("Mean for full points", "15")
    full_points = _points("Full points", "100")
    bonus_points = _points("Extra points", "1", help_text="For every full point of mean above.")
    max_bonus_points = _points("At most so many extra", "", required=False)
    thresholds = forms.CharField(
        label="Partial points",
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "class": "code"}),
        help_text="One a line, mean and points: <code>10: 50</code>. Empty: nothing below full.",
    )
    interpolation = forms.ChoiceField(
        label="Between two lines",
        choices=[(Interpolation.STEP, "the points of the lower one"),
                 (Interpolation.LINEAR, "proportional")],
    )  # fmt: skip

    max_team_size = _count("Students in a team, at most", 1)
    uploads_per_day = _count("Uploads a day and team", 20)
    practice_per_day = _count(
        "Practice evaluations a day and team", 10, least=0, help_text="Besides one an upload."
    )
    leaderboard = forms.ChoiceField(label="Leaderboard", choices=LeaderboardVisibility.choices)

    def __init__(
        self,
        *args: Any,
        course: Course,
        assignment: Assignment | None = None,
        frozen: bool = False,
        n_graded: int = 0,
        references: tuple[Reference, ...] = (),
        game: str = USUAL_GAME,
        **kwargs: Any,
    ) -> None:
        """``frozen``: what graded games were played by cannot be changed. ``n_graded``: so many
        teams have points, which another scheme would change. ``references``: house agents on the
        assignment's own deals. ``game``: of a new assignment."""
        super().__init__(*args, **kwargs)
        self.course, self.assignment, self.frozen = course, assignment, frozen
        self.n_graded = n_graded
        self.game = game if assignment is None else assignment.game
        self.rules = GAMES[self.game]
        self._options = option_names(self.rules)
        self.fields |= {name: option_field(option) for name, option in self._options.items()}
        self.fields |= opponent_fields(self.rules)
        self._fit_game()
        self.fields["full_mean"].help_text = _reference_help(assignment, self.game, references)

    def _fit_game(self) -> None:
        """Say and offer what is true of this game."""
        fitting = interfaces_for(self.game)
        variant, interfaces = self.fields["variant"], self.fields["interfaces"]
        assert_choice(variant).choices = [(name, name) for name in self.rules.variants()]
        assert_choice(interfaces).choices = fitting
        self._offer_options([name for name, _ in fitting])
        self.fields["slug"].help_text = f"Letters, digits and hyphens: <code>{self.game}-1</code>."
        variant.help_text = f"{variant.help_text} {variants(self.game)}"
        self._limits_help = f"The same for all interfaces. {extras(name for name, _ in fitting)}"
        if self.rules.fewest_wins:
            self.fields["bonus_points"].help_text = "For every full point of mean below."
        if self.rules.competitive:
            self.fields["full_mean"].required = False
            self.fields["full_mean"].label = "Mean for further points"
            self.fields["full_points"].label = "Further points"
            self.fields["n_games"].help_text = "Against each opponent, in full rounds."
            for name in ("mode", "audited_games", "practice_half_width"):
                del self.fields[name]

    def _offer_options(self, interfaces: Sequence[str]) -> None:
        if offered := option_choices(interfaces):
            assert_choice(self.fields["interface_options"]).choices = offered
        else:
            del self.fields["interface_options"]

    # --- showing the form -------------------------------------------------------------------

    def game_words(self) -> str:
        """Which game it is, in a sentence."""
        how = "against others" if self.rules.competitive else "together"
        return f"{self.rules.title} is played {how}."

    def groups(self) -> list[tuple[str, str, list[forms.BoundField]]]:
        """Legend, explanation and fields of each part of the page."""
        said = {LIMITS: self._limits_help, POINTS: self._points_help()}
        return [
            (legend, said.get(legend, text), [self[name] for name in names if name in self.fields])
            for legend, text, names in GROUPS
        ]

    def _points_help(self) -> str:
        what = "From the mean score of the graded games."
        if self.rules.competitive:
            what = "From the share of games won of each opponent, and from the mean score."
        return f"{what} {REGRADES}" if self.n_graded else what

    def option_fields(self) -> list[forms.BoundField]:
        """The overrides of the variant."""
        return [self[name] for name in self._options]

    def has_overrides(self) -> bool:
        """Whether one of them is given or wrong: they are then unfolded."""
        return any(field.value() or field.errors for field in self.option_fields())

    # --- reading the form -------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        """All that is wrong, at once: each message goes to the field that it names."""
        data = super().clean() or self.cleaned_data
        self._check_frozen()
        game = self._check_rules()
        self._check_interfaces(game)
        self._add(opponent_errors(self.opponents(), game) if "opponents" in data else {})
        self._check_scheme(game)
        self._check_limits()
        counts = ("n_games", "practice_games", "smoke_games")
        given = {name: data[name] for name in counts if name in data}
        self._add(game_count_errors(given, self.opponents()))
        self._add(half_width_errors(data.get("practice_half_width"), self.opponents()))
        if {"opens_at", "due_at"} <= data.keys() and data["due_at"] <= data["opens_at"]:
            self.add_error("due_at", DUE_TOO_EARLY)
        pk = None if self.assignment is None else self.assignment.pk
        if Assignment(pk=pk, course=self.course, slug=data.get("slug", "")).slug_is_taken():
            self.add_error("slug", SLUG_TAKEN)
        return data

    def _add(self, errors: Mapping[str, str]) -> None:
        for name, text in errors.items():
            self.add_error(name, text)

    def _check_frozen(self) -> None:
        fixed = {"variant", "players", *LIMIT_NAMES, "n_games", "max_consecutive_faults"}
        fixed |= {*self._options, "opponents"}
        fixed |= {*INTERFACE_FIELDS} - (
            {"checks_student_number"} if self._may_begin_checks() else set()
        )
        if self.frozen:
            self._add(dict.fromkeys(fixed.intersection(self.changed_data), FROZEN))

    def _may_begin_checks(self) -> bool:
        """Numbers in file names can be checked from any time on; it cannot be given up later."""
        return self.assignment is not None and not self.assignment.checks_student_number

    def _check_interfaces(self, game: Game | None) -> None:
        if not self.errors.keys() & {"interfaces", "interface_options"}:
            data = self.cleaned_data
            names, options = data["interfaces"], data.get("interface_options", [])
            errors = interface_errors(names, options, data.get("mode", ""), game)
            if "interfaces" in errors and (variant := self._variant_for(names, game)):
                del errors["interfaces"]
                errors["variant"] = f"Choose the variant {variant} under {RULES}."
            self._add(errors)

    def _variant_for(self, names: list[str], game: Game | None) -> str:
        """The variant that would make all of these interfaces fit, where this one does not."""
        chosen = [INTERFACES[name] for name in names]
        wanted = [each.variant for each in chosen if game is not None and unfit(each, game)]
        try:
            other = GAMES[self.game].from_options({**self.options(), "variant": wanted[0]})
        except (IndexError, RulesError):
            return ""
        return "" if any(unfit(each, other) for each in chosen) else wanted[0]

    def _check_rules(self) -> Game | None:
        """The rules, if they are valid. An option that is not is left out to find the next one."""
        if not {"variant", "players"} <= self.cleaned_data.keys():
            return None
        options, valid = self.options(), True
        while True:
            try:
                game = GAMES[self.game].from_options(options)
            except RulesError as error:
                valid = False
                if options.pop(self._complain(error), None) is None:
                    return None
            else:
                return game if valid else None

    def _complain(self, error: RulesError) -> str:
        """Put it beside the field of the option that is refused; which option that is, or none."""
        name = error.option
        fields = (each for each in (name, f"option_{name}") if each in self.fields)
        self.add_error(next(fields, None), str(error))
        return name

    def _check_scheme(self, game: Game | None) -> None:
        needed = {"full_mean", "full_points", "bonus_points", "thresholds", "interpolation"}
        if needed - self.cleaned_data.keys() or self.errors.keys() & {"beaten", "opponents"}:
            return
        if game is not None:
            full, steps = self.cleaned_data["full_mean"], self._steps()
            if errors := unreachable_means(full, steps, game):
                self._add(errors)
                return
        try:
            scheme = self.scheme()
        except GraderError as error:
            self.add_error("thresholds", str(error))
            return
        if game is not None:
            self._add(scheme_errors(scheme, game, self.opponents()))

    def _check_limits(self) -> None:
        given = {name: self.cleaned_data[name] for name in LIMIT_NAMES if name in self.cleaned_data}
        errors = limit_errors(replace(AgentLimits(), **given))
        self._add({name: text for name, text in errors.items() if name in given})

    def clean_thresholds(self) -> str:
        """Refuse a line that is not two numbers, and say which."""
        text: str = self.cleaned_data["thresholds"]
        for line in filter(str.strip, text.splitlines()):
            try:
                _threshold(line)
            except (ValueError, InvalidOperation):
                raise forms.ValidationError(f"{line.strip()!r} is not like 10: 50") from None
        return text

    def clean_beaten(self) -> str:
        """Refuse a line that is not an opponent and two numbers, and say which."""
        text: str = self.cleaned_data["beaten"]
        try:
            beaten_lines(text)
        except ValueError as error:
            raise forms.ValidationError(str(error)) from None
        return text

    def options(self) -> dict[str, Any]:
        """The rules' options: variant, players, and what differs from the variant."""
        return {
            "variant": self.cleaned_data["variant"],
            "players": self.cleaned_data["players"],
            **chosen_options(self.rules, self.cleaned_data),
        }

    def opponents(self) -> list[str]:
        """House agents to be played against, in the order in which they are offered."""
        return list(self.cleaned_data.get("opponents", []))

    def scheme(self) -> GradingScheme:
        """The grading scheme. Raises SchemeError."""
        data = self.cleaned_data
        return GradingScheme(
            full_mean=data["full_mean"],
            fewest_wins=self.rules.fewest_wins,
            beaten=beaten_lines(data.get("beaten", "")),
            full_points=data["full_points"],
            bonus_points=data["bonus_points"],
            max_bonus_points=data.get("max_bonus_points"),
            thresholds=self._steps(),
            interpolation=Interpolation(data["interpolation"]),
        )

    def _steps(self) -> tuple[Threshold, ...]:
        lines = filter(str.strip, self.cleaned_data["thresholds"].splitlines())
        steps = sorted(map(_threshold, lines), key=lambda each: each.mean)
        return tuple(steps[::-1] if self.rules.fewest_wins else steps)

    def interface_names(self) -> list[str]:
        """Names, in the order that they have had: the first is the usual one."""
        chosen: list[str] = self.cleaned_data["interfaces"]
        before = [] if self.assignment is None else self.assignment.interfaces
        kept = [name for name in before if name in chosen]
        return kept + [name for name in chosen if name not in kept]

    def limits(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """The limits as JSON; those that the form does not show stay as they are."""
        return {**kept, **{name: self.cleaned_data[name] for name in LIMIT_NAMES}}

    def fields_for_service(self, kept_limits: Mapping[str, Any]) -> dict[str, Any]:
        """What ``create_assignment`` and ``update_assignment`` take."""
        own = {"variant", "players", *LIMIT_NAMES, *OPPONENT_FIELDS}
        own |= {*GradingScheme.__dataclass_fields__}
        plain = {
            name: value
            for name, value in self.cleaned_data.items()
            if name not in own and not name.startswith("option_")
        }
        return {
            **plain,
            "opponents": self.opponents(),
            "interfaces": self.interface_names(),
            "game": self.game,
            "options": self.options(),
            "limits": self.limits(kept_limits),
            "grading": scheme_json(self.scheme()),
        }


def initial_of(assignment: Assignment) -> dict[str, Any]:
    """The form's values for an assignment that exists."""
    scheme, limits, options = assignment.scheme, assignment.agent_limits, assignment.options
    plain = {
        name: getattr(assignment, name)
        for name in AssignmentForm.base_fields
        if hasattr(assignment, name)
    }
    return {
        **plain,
        "variant": options.get("variant", "standard"),
        "players": options.get("players", 2),
        **{
            name: shown_option(option, options[option.name])
            for name, option in option_names(GAMES[assignment.game]).items()
            if option.name in options
        },
        **opponents_initial(assignment.opponents, scheme.beaten),
        **{name: getattr(limits, name) for name in LIMIT_NAMES},
        "full_mean": scheme.full_mean,
        "full_points": scheme.full_points,
        "bonus_points": scheme.bonus_points,
        "max_bonus_points": scheme.max_bonus_points,
        "thresholds": "\n".join(f"{step.mean}: {step.points}" for step in scheme.thresholds),
        "interpolation": scheme.interpolation,
    }


def initial_of_new(game: str) -> dict[str, Any]:
    """What the form of a new assignment begins with, where that depends on the game."""
    rules = GAMES[game].from_options({"players": GAMES[game].usual_players})
    opponents = usual_opponents(rules)
    scheme = usual_scheme(rules, opponents)
    initial = {"players": rules.seats, "full_mean": scheme.full_mean}
    if not opponents:
        return initial
    few = {"n_games": 200, "practice_games": 40, "smoke_games": 4}
    return {**initial, **few, **opponents_initial(opponents, scheme.beaten)}


def _reference_help(
    assignment: Assignment | None, game: str, own: tuple[Reference, ...]
) -> SafeString:
    """House agents' means: on the assignment's deals if they have been played, else as measured."""
    usual = GAMES[game].usual_players
    seats = usual if assignment is None else int(assignment.options.get("players", usual))
    known = own or measured(game, seats)
    if not known:
        return SafeString("")
    where = "on these graded deals" if own else f"of {seats} players, by the standard rules"
    means = format_html_join(
        ", ", "<code>{}</code> {}", ((each.name, f"{each.mean:.2f}") for each in known)
    )
    return format_html("House agents {}: {}.", where, means)


def _threshold(line: str) -> Threshold:
    """``10: 50`` as mean and points. Raises ValueError or InvalidOperation."""
    mean, points = line.replace(":", " ").split()
    return Threshold(mean=Decimal(mean), points=Decimal(points))


def assert_choice(field: forms.Field) -> forms.ChoiceField:
    """For the type checker: this field is one of choices."""
    if not isinstance(field, forms.ChoiceField):
        raise TypeError(f"{field!r} has no choices")
    return field
