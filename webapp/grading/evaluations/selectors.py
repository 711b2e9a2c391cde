"""Queries about evaluations: progress, faults, and commands to repeat games."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from grader.core.games import folder_of, game_named, presented
from grader.core.records import FaultKind, Mode, Record
from grader.house.catalogue import AGENTS, title_of
from grader.interfaces import INTERFACES
from grader.results.drawn import shown_again
from grader.results.evaluation import game_setup
from grader.results.faults import FaultedGame, FaultGroup, group_faults
from grader.results.replay import Replayed, game_of, rendered
from webapp.base.interfaces import short_title
from webapp.grading.evaluations.models import (
    STOPPED,
    Evaluation,
    GameResult,
    Kind,
    Status,
    StoredGame,
)
from webapp.grading.jobs.capacity import has_game
from webapp.grading.jobs.queues import broker_queue
from webapp.grading.jobs.waiting import wait_of
from webapp.grading.operations.selectors import images_awaited, served_queues
from webapp.teaching.courses.models import Assignment
from webapp.teaching.courses.references import Reference

FAULT_MEANINGS: Final[Mapping[FaultKind, str]] = {
    FaultKind.TIMEOUT: "took longer than allowed",
    FaultKind.IDLE: "did not answer, and was not computing either",
    FaultKind.CRASH: "ended before the game did, or raised an exception",
    FaultKind.MEMORY: "needed more memory than allowed",
    FaultKind.OUTPUT: "sent the game more than allowed",
    FaultKind.MALFORMED: "answered with something that is not an action",
    FaultKind.ILLEGAL: "chose an action that the rules do not allow",
    FaultKind.FORBIDDEN: "tried something that agents may not do",
}
"""Each fault in words that continue “the agent …”."""

LISTED: Final = 20
SECTIONS: Final = 12
"""Number of groups that are shown: an agent could raise a different exception in each game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    status: Status
    games_done: int
    n_games: int
    percent: int
    games_ahead: int | None
    """Games of its course that are played before its own; ``None`` once it plays."""
    seconds_left: int | None
    """A guess from the pace of earlier games; ``None`` while it waits, or no grader is ready."""
    grader_ready: bool
    why: str = ""
    """A sentence on who goes first, or shares the graders; may be empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultSection:
    """Faults of one kind and cause in an evaluation."""

    group: FaultGroup
    first: GameResult

    @property
    def meaning(self) -> str:
        return FAULT_MEANINGS[self.group.kind]

    @property
    def listed(self) -> tuple[int, ...]:
        return self.group.games[:LISTED]

    @property
    def more(self) -> int:
        return len(self.group.games) - len(self.listed)


def progress(evaluation: Evaluation, *, at: datetime | None = None) -> Progress:
    """Return its progress. At most three queries; one if the graders were asked a moment ago."""
    done = evaluation.games_done
    waits = evaluation.status == Status.QUEUED
    wait = wait_of("evaluation", evaluation.pk) if waits else None
    is_ready = not evaluation.is_open or broker_queue(evaluation.queue) in served_queues()
    return Progress(
        status=Status(evaluation.status),
        games_done=done,
        n_games=evaluation.n_games,
        percent=done * 100 // evaluation.n_games,
        games_ahead=None if wait is None else wait.games_ahead,
        why="" if wait is None else _awaited(evaluation) or wait.why,
        seconds_left=_seconds_left(evaluation, at or timezone.now()) if is_ready else None,
        grader_ready=is_ready,
    )


def _awaited(evaluation: Evaluation) -> str:
    assignment = evaluation.assignment
    version = assignment.game_version
    if version and not has_game(assignment.game, version):
        return (
            f"No grader has {assignment.rules.title} {version} yet. Nothing is lost: the games"
            " begin as soon as one has it."
        )
    needed = {
        image
        for agent in evaluation.agents
        if (interface := INTERFACES.get(agent.interface))
        for image in interface.images_with(agent.options)
    }
    if not needed & images_awaited():
        return ""
    return (
        f"The graders’ image for {short_title(evaluation.interface)} is still being built. Nothing"
        " is lost: the games begin as soon as it is there."
    )


def _seconds_left(evaluation: Evaluation, now: datetime) -> int | None:
    done = evaluation.games_done
    if evaluation.status != Status.PLAYING or evaluation.started_at is None or not done:
        return None
    seconds = (now - evaluation.started_at).total_seconds() / done
    return max(1, round((evaluation.games_needed - done) * seconds))


def fault_sections(evaluation: Evaluation, *, with_causes: bool) -> list[FaultSection]:
    """Return faults by kind and cause, the most frequent first. Two queries.

    ``with_causes=False``: by kind alone, for who may not see single games. An agent could write the
    cards into its exceptions.
    """
    faulted = evaluation.results.exclude(fault_kind="")
    groups = group_faults(
        FaultedGame(index=index, kind=FaultKind(kind), detail=detail if with_causes else "")
        for index, kind, detail in faulted.values_list("index", "fault_kind", "fault_detail")
    )[:SECTIONS]
    firsts = {
        game.index: game for game in faulted.filter(index__in=[group.games[0] for group in groups])
    }
    return [FaultSection(group=group, first=firsts[group.games[0]]) for group in groups]


def modes_of(evaluations: QuerySet[Evaluation]) -> dict[int, Mode]:
    """Return by their keys which seats share a process. One query; each spec is parsed once."""
    texts = evaluations.order_by().annotate(
        spec_text=Cast("spec", TextField()), opponents_text=Cast("opponents", TextField())
    )
    mode_of = cache(_mode_of)
    rows = texts.values_list("pk", "interface", "spec_text", "opponents_text")
    return {pk: mode_of(*parts) for pk, *parts in rows}


def _mode_of(interface: str, spec: str, opponents: str) -> Mode:
    run = Evaluation(interface=interface, spec=json.loads(spec), opponents=json.loads(opponents))
    return run.mode


def games(evaluation: Evaluation) -> QuerySet[GameResult]:
    """Return the evaluation's games by index, without their packed columns."""
    return evaluation.results.defer("packed", "prints").order_by("index")


def worst_games(evaluation: Evaluation, *, limit: int = 10) -> list[GameResult]:
    """The played games with the worst scores."""
    lower_is_better = game_named(evaluation.assignment.game).lower_is_better
    order = "-score" if lower_is_better else "score"
    return list(games(evaluation).exclude(ending=STOPPED).order_by(order, "index")[:limit])


def game(evaluation: Evaluation, index: int) -> GameResult:
    """One game. Raises GameResult.DoesNotExist."""
    return evaluation.results.get(index=index)


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """One game, as its page shows it."""

    template: str
    story: object
    text: str
    players: tuple[str, ...]
    seat: int
    """The seat of the evaluated agent; its first, if all are its."""
    played: Replayed

    @property
    def record(self) -> Record:
        return self.played.record


def replay_of(result: GameResult) -> Replay | None:
    """Return the game, replayed by the rules; ``None`` if it was not played. Raises RecordError."""
    record = result.record
    if record is None:
        return None
    spec = result.evaluation.parsed_spec
    where = game_setup(spec, result.index)
    names = (result.evaluation.agent_name, *map(title_of, spec.opponents))
    players = [names[agent] for agent in where.seating]
    return replay_from(record, players=players, seat=where.seat, drawn=drawn_of(result))


def drawn_of(game: StoredGame) -> str:
    """Return the packed scenes of a game whose rules are not here; empty for others."""
    played = game.played
    return "" if played is None else played.drawn or ""


def replay_from(record: Record, *, players: Iterable[str], seat: int, drawn: str = "") -> Replay:
    """Return a record for a page. Raises RecordError if it is of other rules than ours.

    ``drawn``: the scenes that a grader drew, if the rules are not here.
    """
    played = shown_again(record, drawn)
    template, story = "", None
    if played.state is not None:
        game = game_of(record)
        template = f"{folder_of(type(game)).name}/replay.html"
        story = presented(game).story(played.state)
    return Replay(
        template=template,
        story=story,
        text=rendered(played).replace(record.ending, record.ending.replace("_", " ")),
        players=tuple(players),
        seat=seat,
        played=played,
    )


def references_of(assignment: Assignment) -> tuple[Reference, ...]:
    """House agents as they did on the assignment's graded deals, weakest first. One query."""
    played = Evaluation.objects.current().filter(assignment=assignment, kind=Kind.GRADED)
    return tuple(
        Reference(name=run.house_agent, mean=run.mean, high=run.high)
        for run in sorted(
            played.filter(submission=None, house_agent__in=AGENTS, mean__isnull=False),
            key=lambda run: list(AGENTS).index(run.house_agent),
        )
        if run.mean is not None
    )
