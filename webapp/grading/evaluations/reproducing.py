"""Ways to reproduce the site's results: commands, and a file that proves a grade."""

import logging
import shlex
from collections.abc import Iterator
from dataclasses import fields
from functools import lru_cache
from typing import Any

import msgspec

from grader.core.deals import practice_secret
from grader.core.errors import SystemFault
from grader.core.games import DEFAULT_GAME, game_from_options, game_named
from grader.core.records import AgentLimits, from_json, to_json
from grader.interfaces import INTERFACES, mode_of
from grader.results.evaluation import EvaluationSpec, game_setup
from grader.results.export import export_evaluation
from grader.results.grading_scheme import GradingScheme
from grader.uploads.archive import chosen_class
from webapp.base.artefacts import store
from webapp.base.errors import Refused
from webapp.base.interfaces import DEFAULT
from webapp.grading.evaluations.models import Evaluation, Kind
from webapp.grading.evaluations.services.batches import secret_of
from webapp.grading.submissions.selectors import require_sources

logger = logging.getLogger(__name__)


def reproduce_command(evaluation: Evaluation, index: int | None = None) -> str:
    """Return the ``firebox`` command that plays the evaluation, or one game of it.

    Empty as long as its deals are secret, and for a try: its files lie on the site alone.
    """
    if evaluation.kind == Kind.TRY:
        return ""
    if evaluation.kind == Kind.GRADED and evaluation.assignment.secret_revealed_at is None:
        return ""
    spec, agent = evaluation.parsed_spec, agent_argument(evaluation)
    if game_named(spec.game).folder:  # the command does not have its rules
        return ""
    if index is None:
        words = ["firebox", "evaluate", agent, *_evaluate_arguments(spec)]
    else:
        words = ["firebox", "play", agent, *setup_arguments(spec, index)]
    words += interface_arguments(evaluation) + rules_arguments(spec)
    known = practice_secret(evaluation.assignment.rules.practice_blocks)
    if (secret := secret_of(evaluation)) != known:
        words += ["--secret", secret.hex()]
    return shlex.join(words)


def _evaluate_arguments(spec: EvaluationSpec) -> list[str]:
    games = spec.n_games // max(1, len(spec.opponents))
    width = [] if spec.half_width is None else ["--half-width", f"{spec.half_width:g}"]
    return [*opponent_arguments(spec), "--games", str(games), *width]


def opponent_arguments(spec: EvaluationSpec) -> list[str]:
    """The option that names its opponents."""
    return [word for name in spec.opponents for word in ("--against", f"house:{name}")]


def setup_arguments(spec: EvaluationSpec, index: int) -> list[str]:
    """Return the options that set the deal and the seats of one game."""
    where = game_setup(spec, index)
    words = ["--index", str(where.deal)]
    if not spec.opponents:
        return words
    opponent = spec.opponents[where.opponent - 1]
    return ["--with", f"house:{opponent}", "--seat", str(where.seat + 1), *words]


def agent_argument(evaluation: Evaluation) -> str:
    """Return the agent as the command line names it; a submission by its file's name."""
    if evaluation.submission is None:
        return f"house:{evaluation.house_agent}"
    name = evaluation.submission.filename
    return f"./{name}" if name.startswith(("-", "house:")) else name


def interface_arguments(evaluation: Evaluation) -> list[str]:
    """Return options for interface and mode, where the command could not recognise them itself."""
    words = [] if evaluation.interface == DEFAULT else ["--interface", evaluation.interface]
    words += ["--class", name] if (name := class_named(evaluation)) else []
    for option in evaluation.interface_options:
        words += ["--interface-option", option]
    seating = evaluation.parsed_spec.seating
    default = mode_of([agent.interface for agent in evaluation.agents], seating, None)
    return words if evaluation.mode is default else [*words, "--mode", evaluation.mode.value]


def class_named(evaluation: Evaluation) -> str:
    """Return the class that the upload says is to play, in a file or in the form's field.

    Empty if the store cannot be asked: a page without its command's last word is still a page.
    """
    if evaluation.submission is None or not INTERFACES[evaluation.interface].upload.names_class:
        return ""
    try:
        require_sources(evaluation.submission)
        return _class_in(evaluation.submission.sha256)
    except Refused:
        return ""
    except SystemFault as fault:
        logger.warning("which class plays in %s is not known: %s", evaluation, fault)
        return ""


@lru_cache(maxsize=1024)
def _class_in(sha256: str) -> str:
    return chosen_class(store().get(sha256))


def rules_arguments(spec: EvaluationSpec) -> list[str]:
    """Return arguments for rules and limits that differ from the command's defaults."""
    variant, players = str(spec.options["variant"]), int(spec.options["players"])
    defaults = game_from_options(spec.game, {"variant": variant, "players": players}).options
    words = [] if spec.game == DEFAULT_GAME else ["--game", spec.game]
    words += ["--variant", variant, "--players", str(players)]
    for name, value in spec.options.items():
        if value != defaults[name]:
            words += ["--set", f"{name}={_argument(value)}"]
    for name, value in _changed_limits(spec.limits):
        words += ["--limit", f"{name}={value}"]
    return words


def _argument(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _changed_limits(limits: AgentLimits) -> Iterator[tuple[str, float]]:
    for field in fields(AgentLimits):
        value = getattr(limits, field.name)
        if value != field.default:
            yield field.name, value


def export_json(evaluation: Evaluation) -> str:
    """Return all the data behind the evaluation's figures, for ``firebox verify``.

    The secret is in it only if it is public. Raises RecordError unless every game that counts is
    there.
    """
    revealed = evaluation.kind != Kind.GRADED or evaluation.assignment.secret_revealed_at
    results = [row.played for row in evaluation.results.defer("prints").order_by("index")]
    export = export_evaluation(
        evaluation.parsed_spec,
        title=f"{evaluation.assignment.course}: {evaluation.assignment}, {evaluation}",
        secret=secret_of(evaluation),
        reveal_secret=bool(revealed),
        agents=evaluation.agents,
        results=[result for result in results if result is not None],
        scheme=_scheme(evaluation),
    )
    return to_json(export)


def _scheme(evaluation: Evaluation) -> GradingScheme | None:
    grade = evaluation.grades.order_by("-graded_at").first()
    if grade is None:
        return None
    return from_json(msgspec.json.encode(grade.scheme), GradingScheme)
