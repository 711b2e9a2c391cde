"""A grader of our own making: answers a BatchRequest without Docker, Redis or any agent.

The records cannot be replayed, so tests with them have the site believe its graders (the fixture
``believed``); tests that need real games play them.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from grader.core.games import game_from_options
from grader.core.records import (
    BatchPhase,
    BatchReport,
    BatchRequest,
    BuildMessage,
    BuildReport,
    Evidence,
    Fault,
    FaultKind,
    GameRequest,
    GameResult,
    Record,
    digest,
)
from grader.interfaces import mode_of
from tests.support.jobs import request_of
from tests.support.trusted import record_batch
from webapp.grading.evaluations.models import Evaluation
from webapp.grading.evaluations.services.batches import checks_first
from webapp.grading.gradebook.students import students_like
from webapp.grading.gradebook.work import TeamWork, Work
from webapp.grading.jobs.models import Job
from webapp.teaching.courses.models import Assignment

Outcome: TypeAlias = int | FaultKind


def ordinary(index: int) -> Outcome:
    """Scores from 14 to 18: their mean over a multiple of five games is 16."""
    return 14 + index % 5


def played(
    request: BatchRequest,
    outcome: Callable[[int], Outcome] = ordinary,
    only: Sequence[int] | None = None,
) -> tuple[GameResult, ...]:
    """Results for the games asked for, or for ``only`` some indices, asked for or not."""
    orders = {game.index: game for game in request.games}
    indices = tuple(orders) if only is None else only
    return tuple(
        _result(
            request,
            orders.get(index, GameRequest(index=index, deal_seed="0" * 64)),
            outcome(index),
        )
        for index in indices
    )


OTHERS: Final = 20


def _scores(request: BatchRequest, order: GameRequest, outcome: int) -> tuple[int, ...]:
    if not order.seating:
        return (outcome,) * len(request.seating)
    return tuple(outcome if agent == 0 else OTHERS for agent in order.seating)


def _result(request: BatchRequest, order: GameRequest, outcome: Outcome) -> GameResult:
    game = game_from_options(request.game, request.options)
    seating = order.seating or request.seating
    fault = None
    if isinstance(outcome, FaultKind):
        seat = seating.index(0)
        fault = Fault(seat=seat, kind=outcome, turn=0, detail="chose hint, allowed were 8 others")
    seats = len(request.seating)
    record = Record(
        game=request.game,
        rules_version=game.rules_version,
        options=request.options,
        deal_seed=order.deal_seed,
        actions="" if fault else "p0 d1",
        charged_us=(900,) if fault else (120, 240),
        ending="fault" if fault else "deck_out",
        fault=fault,
        scores=_scores(request, order, outcome) if fault is None else game.forfeit(fault.seat),
        mode=mode_of([agent.interface for agent in request.agents], request.seating, request.mode),
    )
    evidence = Evidence(sent="{}", received="nonsense", stderr="Oops", exit="still running")
    return GameResult(
        index=order.index,
        record=record,
        seating=order.seating,
        wall_ms=4.0,
        max_charged_us=(240,) * seats,
        peak_memory_kib=(9000,) * seats,
        evidence=evidence if fault else None,
    )


def report(
    batch: Job,
    phase: BatchPhase = BatchPhase.DONE,
    results: Sequence[GameResult] = (),
    *,
    system_fault: str = "",
    stopped: bool = False,
) -> BatchReport:
    return BatchReport(
        evaluation=str(batch.evaluation.uuid),
        batch=str(batch.uuid),
        phase=phase,
        results=tuple(results),
        stopped=stopped,
        system_fault=system_fault,
        worker="fake",
        request=digest(request_of(batch)),
    )


def built(
    batch: Job, complaints: Mapping[int, str] | None = None, notes: Sequence[str] = ()
) -> BatchReport:
    """The report of a build, bad if there are complaints (by line of agent.py)."""
    messages = tuple(
        BuildMessage(file="agent.py", line=line, column=1, text=text)
        for line, text in (complaints or {}).items()
    )
    said = tuple(BuildMessage(file="agent.py", line=0, column=0, text=text) for text in notes)
    build = BuildReport(ok=not messages, messages=messages + said, log="compiled 1 file")
    return BatchReport(
        evaluation=str(batch.evaluation.uuid),
        batch=str(batch.uuid),
        phase=BatchPhase.BUILT,
        builds=(build,),
        request=digest(request_of(batch)),
    )


def jobs(evaluation: Evaluation) -> list[Job]:
    """Its open jobs in the order of sending, fresh from the database."""
    return list(evaluation.jobs.open().select_related("evaluation__assignment").order_by("pk"))


def play(evaluation: Evaluation, outcome: Callable[[int], Outcome] = ordinary) -> Evaluation:
    """Play an evaluation to its end; it comes back fresh from the database."""
    for batch in jobs(evaluation):
        if checks_first(batch):
            record_batch(built(batch))
        record_batch(report(batch, results=played(request_of(batch), outcome)))
    evaluation.refresh_from_db()
    return evaluation


def steady(score: int) -> Callable[[int], Outcome]:
    return lambda _: score


def works(assignment: Assignment) -> list[TeamWork]:
    work = Work([assignment])
    students = students_like(assignment.course)
    return [work.of(assignment, student.user_id) for student in students]
