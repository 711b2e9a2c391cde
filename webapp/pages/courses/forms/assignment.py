"""The form of an assignment: what it plays, how it is graded, when, and in which teams.

Parts with a logic of their own (rules, play, scheme, dates) are modules beside it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Final

from django import forms
from django.utils.html import format_html
from django.utils.text import slugify

from grader.core.errors import GraderError, RulesError
from grader.core.games import DEFAULT_GAME, GAMES, Game, game_named
from grader.core.records import AgentLimits
from grader.interfaces import INTERFACES, unfit
from grader.results.grading_scheme import GradingScheme
from webapp.base.interfaces import extras, interfaces_for, variants
from webapp.pages.courses.forms.dates import POLICY_FIELDS, AssignmentDatesForm
from webapp.pages.courses.forms.fields import FOLLOW_GAME, NOT_A_SLUG, column
from webapp.pages.courses.forms.play import INTERFACE_FIELDS, LIMIT_FIELDS, PlayFields, fit_notes
from webapp.pages.courses.forms.rules import NEEDS_RULES, RulesFields
from webapp.pages.courses.forms.scheme import SCHEME_FIELDS, SchemeFields, reference_help
from webapp.pages.widgets import TextArea
from webapp.teaching.courses.models import Assignment, Course
from webapp.teaching.courses.models.assignment import SLUG_TAKEN
from webapp.teaching.courses.models.dates import DUE_TOO_EARLY
from webapp.teaching.courses.references import Reference
from webapp.teaching.courses.stored_schemes import scheme_json
from webapp.teaching.courses.validation import (
    deal_count_errors,
    game_count_errors,
    half_width_errors,
    interface_errors,
    limit_errors,
    opponent_errors,
    scheme_errors,
    unreachable_means,
)

FROZEN: Final = (
    "Graded games have been played, so this cannot be changed: results must stay comparable."
    " Create a new assignment instead."
)
REGRADES: Final = (
    "Teams have been graded. If you change this, the points of all teams are recomputed from their"
    " means at once. The page of grades keeps the earlier points."
)
RULES: Final = "Rules"
LIMITS: Final = "Limits of one agent"
POINTS: Final = "Points"
GRADING: Final = "How are agents graded?"


@dataclass(frozen=True, slots=True)
class Group:
    """Names of fields under one legend."""

    legend: str
    names: tuple[str, ...]
    """Fields that a game does not have are left out."""
    after: str = ""
    """The template that follows the fields, if there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldGroup:
    """A group with its fields, ready for the page."""

    legend: str
    help_text: str
    fields: tuple[forms.BoundField, ...]
    after: str
    is_open: bool
    """True if a field of a folded group needs attention."""

    @property
    def labels(self) -> str:
        """The names of its fields, for the line that unfolds them."""
        return ", ".join(str(field.label) for field in self.fields)


FIRST: Final = Group("Which game?", ("game", "title"))
_QUESTIONS: Final = (
    Group(GRADING, ("opponents", "full_mean")),
    Group("When?", ("opens_at", "due_at")),
    Group("How many games?", ("n_games", "practice_games")),
    Group("Who sees what?", ("leaderboard", "holds_grades")),
)
"""The questions that every assignment answers; each answer has a default."""
_FOLDS: Final = (
    Group("Description", ("description", "slug")),
    Group(RULES, ("variant", "players"), after="courses/_assignment_options.html"),
    Group("Languages and interfaces", INTERFACE_FIELDS),
    Group(POINTS, (*SCHEME_FIELDS, "weight"), after="courses/_references.html"),
    Group(
        "Uploads that count",
        ("counts", *POLICY_FIELDS, "has_plain_days", "practice_after_due"),
    ),
    Group(
        "Teams and play",
        ("max_team_size", "uploads_per_day", "practice_per_day", "play_with", "public_links"),
    ),
    Group(
        "Tests and audits",
        ("smoke_games", "practice_half_width", "max_consecutive_faults", "audited_games"),
    ),
    Group(LIMITS, LIMIT_FIELDS),
)
"""All fields by subject, the most often changed first; a question takes its own out of them."""


class AssignmentForm(AssignmentDatesForm, PlayFields, RulesFields, SchemeFields):
    """The settings of an assignment. ``fields_for_service`` turns them into service arguments."""

    game = forms.ChoiceField(
        label="Game",
        choices=[(name, game.title) for name, game in GAMES.items()],
        widget=forms.Select(attrs=FOLLOW_GAME),
    )
    title = column("title")
    slug = column("slug", required=False, error_messages={"invalid": NOT_A_SLUG})
    description = column("description", widget=TextArea(attrs={"rows": 5}))

    max_team_size = column("max_team_size")
    uploads_per_day = column("uploads_per_day")
    practice_per_day = column("practice_per_day")
    leaderboard = column("leaderboard")
    play_with = column("play_with")
    public_links = column("public_links")

    def __init__(
        self,
        *args: Any,
        course: Course,
        assignment: Assignment | None = None,
        frozen: bool = False,
        n_graded: int = 0,
        references: tuple[Reference, ...] = (),
        game: str = DEFAULT_GAME,
        **kwargs: Any,
    ) -> None:
        """Fit the fields to the game.

        ``frozen``: graded games were played, so rules and limits are fixed. ``n_graded``: the
        number of teams whose points another scheme would change. ``references``: house agents'
        means on the assignment's own deals. ``game``: the game of a new assignment.
        """
        super().__init__(*args, **kwargs)
        self.course, self.assignment, self.frozen = course, assignment, frozen
        self.n_graded = n_graded
        self.rules = game_named(game if assignment is None else assignment.game)
        self.fit_rules()
        self.fit_play(self.shown)
        self.fit_scheme()
        self._fit_game()
        self.fit_uploaded(self.course)
        self.fit_dates(assignment)
        help_text = reference_help(self.rules, self.shown, assignment, references)
        self.fields["full_mean"].help_text = help_text

    def _fit_game(self) -> None:
        name, fields = self.rules.name, self.fields
        fitting = interfaces_for(name)
        self._limits_help = f"The same for all interfaces. {extras(name for name, _ in fitting)}"
        fields["slug"].help_text = format_html(
            "Letters, digits and hyphens: <code>{}-1</code>. Empty: made from the title.", name
        )
        fields["variant"].help_text = f"{fields['variant'].help_text} {variants(name)}"
        if self.assignment is None:
            fields["game"].initial = name
            how = "against others" if self.rules.competitive else "together"
            fields["game"].help_text = f"{self.rules.title} is played {how}."
        else:
            del fields["game"]

    # --- showing the form -------------------------------------------------------------------

    def first_question(self) -> FieldGroup:
        """Return the question above what another game replaces."""
        first = self._groups([FIRST])[0]
        return first if "game" in self.fields else replace(first, legend="What is it called?")

    def questions(self) -> list[FieldGroup]:
        """Return the other questions. With opponents, a mean is no question but a detail."""
        asked = _QUESTIONS
        if self.rules.competitive:
            asked = (Group(GRADING, ("opponents",)), *_QUESTIONS[1:])
        return self._groups(asked)

    def folds(self) -> list[FieldGroup]:
        """Return all fields that no question has."""
        asked = {field.name for group in self.questions() for field in group.fields}
        groups = (
            replace(group, names=tuple(name for name in group.names if name not in asked))
            for group in _FOLDS
        )
        return self._groups(groups)

    def _groups(self, groups: Iterable[Group]) -> list[FieldGroup]:
        help_texts = {
            LIMITS: self._limits_help,
            GRADING: self._points_help(),
        }
        single = self.errors.keys() & self.option_names.keys()
        return [
            FieldGroup(
                legend=group.legend,
                help_text=help_texts.get(group.legend, ""),
                fields=tuple(self[name] for name in group.names if name in self.fields),
                after=group.after,
                is_open=bool(self.errors.keys() & set(group.names))
                or (group.legend == RULES and bool(single)),
            )
            for group in groups
        ]

    def hints(self) -> dict[str, str]:
        """Return the help texts that depend on the rules, by the id of their element."""
        names = ("game", "slug", "mode", "n_games", "full_mean", *self.option_names)
        helps = {name: str(self[name].help_text) for name in names if name in self.fields}
        texts = {f"id_{name}_helptext": text for name, text in helps.items() if text}
        return {**texts, **fit_notes(self.shown)}

    def shown_rules(self) -> str:
        """Return the shown rules as ``game/variant/players``. The page sends this back."""
        return f"{self.rules.name}/{self.shown.options['variant']}/{self.shown.seats}"

    def _points_help(self) -> str:
        source = ""
        if self.rules.competitive:
            source = "From the share of games won against each opponent, and from the mean score."
        return f"{source} {REGRADES}".strip() if self.n_graded else source

    # --- reading the form -------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        """Check everything at once; each message goes to the field that it names."""
        data = super().clean() or self.cleaned_data
        if data.get("weight", 0) is None:
            data["weight"] = Decimal(1)
        self._check_frozen()
        game = self._check_rules()
        self._check_interfaces(game)
        self._add(opponent_errors(self.opponents(), game) if "opponents" in data else {})
        self._check_scheme(game)
        self._check_limits()
        counts = ("n_games", "practice_games", "smoke_games")
        given = {name: data[name] for name in counts if name in data}
        self._add(game_count_errors(given, self.opponents()))
        self._add(deal_count_errors(given, self.opponents(), game))
        self._add(half_width_errors(data.get("practice_half_width"), self.opponents()))
        if {"opens_at", "due_at"} <= data.keys() and data["due_at"] <= data["opens_at"]:
            self.add_error("due_at", DUE_TOO_EARLY)
        self.check_hard_end()
        pk = None if self.assignment is None else self.assignment.pk
        if Assignment(pk=pk, course=self.course, slug=data.get("slug", "")).slug_is_taken():
            self.add_error("slug", SLUG_TAKEN)
        return data

    def _add(self, errors: Mapping[str, str]) -> None:
        for name, text in errors.items():
            self.add_error(name, text)

    def clean_slug(self) -> str:
        """Make the short name from the title if it was left empty."""
        given: str = self.cleaned_data["slug"] or slugify(self.cleaned_data.get("title", ""))[:50]
        if not given:
            raise forms.ValidationError("Enter a short name in Latin letters or digits.")
        return given

    def _check_frozen(self) -> None:
        if not self.frozen:
            return
        fixed = {"variant", "players", *LIMIT_FIELDS, "n_games", "max_consecutive_faults"}
        fixed |= {*self.option_names, "opponents", *INTERFACE_FIELDS}
        if self._may_begin_checks():
            fixed.remove("checks_student_number")
        self._add(dict.fromkeys(fixed.intersection(self.changed_data), FROZEN))

    def _may_begin_checks(self) -> bool:
        """Return whether student numbers are unchecked: the check may begin later, never end."""
        return self.assignment is not None and not self.assignment.checks_student_number

    def _check_interfaces(self, game: Game | None) -> None:
        if not self.errors.keys() & {"interfaces", "interface_options"}:
            data = self.cleaned_data
            names, options = data["interfaces"], data.get("interface_options", [])
            errors = interface_errors(names, options, data.get("mode", ""), game)
            if "interfaces" in errors and (variant := self._variant_for(names, game)):
                del errors["interfaces"]
                errors["variant"] = f"Choose {self.rules.variant_title(variant)} under {RULES}."
            self._add(errors)

    def _variant_for(self, names: list[str], game: Game | None) -> str:
        """Return the variant that all of these interfaces can play; empty if there is none."""
        chosen = [INTERFACES[name] for name in names]
        wanted = [
            interface.rules.variant
            for interface in chosen
            if game is not None and unfit(interface, game)
        ]
        try:
            other = self.rules.from_options({**self.options(), "variant": wanted[0]})
        except (IndexError, RulesError):
            return ""
        return "" if any(unfit(interface, other) for interface in chosen) else wanted[0]

    def _check_rules(self) -> Game | None:
        """Return the rules if they are valid. Drops each refused option to report all of them."""
        if not {"variant", "players"} <= self.cleaned_data.keys():
            return None
        options, valid = self.options(), True
        while True:
            try:
                game = self.rules.from_options(options)
            except RulesError as error:
                valid = False
                if options.pop(self._complain(error), None) is None:
                    return None
            else:
                return game if valid else None

    def _complain(self, error: RulesError) -> str:
        """Show the error at the field of the refused option; return the option's name, or none."""
        name = error.option
        fields = (field for field in (name, f"option_{name}") if field in self.fields)
        self.add_error(next(fields, None), str(error))
        return name

    def _check_scheme(self, game: Game | None) -> None:
        needed = {"full_mean", "full_points", "bonus_points", "thresholds", "interpolation"}
        if needed - self.cleaned_data.keys() or self.errors.keys() & {"beaten", "opponents"}:
            return
        if game is not None:
            full, steps = self.cleaned_data["full_mean"], self.steps()
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
        given = {
            name: self.cleaned_data[name] for name in LIMIT_FIELDS if name in self.cleaned_data
        }
        errors = limit_errors(replace(AgentLimits(), **given))
        self._add({name: text for name, text in errors.items() if name in given})

    def opponents(self) -> list[str]:
        """Return the house agents to play against, in the order in which they are offered."""
        return list(self.cleaned_data.get("opponents", []))

    def interface_names(self) -> list[str]:
        """Return the interfaces' names, in their earlier order: the first is the default."""
        chosen: list[str] = self.cleaned_data["interfaces"]
        before = [] if self.assignment is None else self.assignment.interfaces
        kept = [name for name in before if name in chosen]
        return kept + [name for name in chosen if name not in kept]

    def limits(self, kept: Mapping[str, Any]) -> dict[str, Any]:
        """Return the limits as JSON; limits without a field keep their values."""
        return {**kept, **{name: self.cleaned_data[name] for name in LIMIT_FIELDS}}

    def fields_for_service(self, kept_limits: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of ``create_assignment`` and ``update_assignment``."""
        own = {"variant", "players", *LIMIT_FIELDS, "opponents", "beaten"}
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
            "game": self.rules.name,
            "options": self.options(),
            "limits": self.limits(kept_limits),
            "grading": scheme_json(self.scheme()),
            **(NEEDS_RULES if self.rules.folder else {}),
        }
