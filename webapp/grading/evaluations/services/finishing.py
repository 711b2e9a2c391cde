"""The end of an evaluation: its verdict and its figures, from its games."""

from collections.abc import Callable, Sequence
from datetime import datetime
from statistics import fmean
from typing import TypeAlias

import msgspec

from grader.core.games import Game, game_from_options
from grader.core.records import BuildReport
from grader.results.evaluation import game_setup
from grader.results.evidence import own_line
from grader.results.figures import Figures, GameOutcome, figures, outcome, precise_enough
from grader.results.statistics import turn_times
from webapp.grading.evaluations.models import (
    STOPPED,
    Draft,
    Evaluation,
    GameResult,
    Kind,
    Status,
    Verdict,
)
from webapp.grading.evaluations.services.batches import missing
from webapp.grading.evaluations.services.requests import same_agent
from webapp.grading.submissions.models import SubmissionStatus
from webapp.grading.submissions.services import (
    accept_build,
    message_of,
    messages_of,
    reject_build,
)

OnFinish: TypeAlias = Callable[[Evaluation, datetime], None]


def finish_if_complete(evaluation: Evaluation, *, at: datetime) -> bool:
    """Finish it if every game that counts is in; return whether this call did.

    The transition is a conditional UPDATE: of several callers one wins and acts on it.
    """
    if evaluation.games_done < evaluation.games_needed:  # saves a query at most reports
        return False
    if not evaluation.is_open or missing(evaluation):
        return False
    final = _figures_of(evaluation)
    verdict = _verdict(evaluation)
    _close_stopped(evaluation)
    if not evaluation.advance(
        Status.FINISHED,
        verdict=verdict,
        finished_at=at,
        games_done=evaluation.n_games,
        **_columns(final),
        **_clocks(evaluation),
    ):
        return False
    _make_current(evaluation)
    evaluation.jobs.cancel()  # those still open repeat games that others brought in
    return True


def reject(evaluation: Evaluation, builds: Sequence[BuildReport], *, at: datetime) -> bool:
    """Finish without a game: the agent could not be built. Return whether this call did."""
    if not evaluation.advance(Status.FINISHED, verdict=Verdict.REJECTED, finished_at=at):
        return False
    evaluation.jobs.cancel()  # those still open repeat games that others brought in
    if evaluation.submission is not None:
        reject_build(evaluation.submission, builds[0])
    _note_on_draft(evaluation, builds)
    return True


def note_build(evaluation: Evaluation, builds: Sequence[BuildReport]) -> None:
    """The agent was built; its submission moves on."""
    if evaluation.submission is not None and builds:
        accept_build(evaluation.submission, builds[0])
    _note_on_draft(evaluation, builds)


def _note_on_draft(evaluation: Evaluation, builds: Sequence[BuildReport]) -> None:
    if evaluation.kind == Kind.TRY and builds:
        drafts = Draft.objects.filter(tried=evaluation)
        drafts.update(messages=messages_of(builds[0]))


def precise_after(evaluation: Evaluation) -> int | None:
    """Return the number of games that reach the requested precision; ``None`` if none does yet."""
    spec = evaluation.parsed_spec
    if spec.half_width is None:
        return None
    summary = precise_enough(spec, _game(evaluation), _outcomes(evaluation))
    return None if summary is None else summary.n


def _figures_of(evaluation: Evaluation) -> Figures:
    return figures(evaluation.parsed_spec, _game(evaluation), _outcomes(evaluation))


def _outcomes(evaluation: Evaluation) -> dict[int, GameOutcome | None]:
    spec, game = evaluation.parsed_spec, _game(evaluation)
    rows = evaluation.results.exclude(ending=STOPPED).values_list("index", "scores", "fault_kind")
    return {
        index: None if kind else outcome(game, scores, game_setup(spec, index).seat)
        for index, scores, kind in rows
    }


def _game(evaluation: Evaluation) -> Game:
    spec = evaluation.parsed_spec
    return game_from_options(spec.game, spec.options)


def _fault_score(evaluation: Evaluation) -> int:
    seat = evaluation.parsed_spec.seating.index(0)
    return _game(evaluation).own_fault_score(seat)


def _verdict(evaluation: Evaluation) -> Verdict:
    if evaluation.stop_index is not None or evaluation.faults == evaluation.n_games:
        return Verdict.FAULTY
    return Verdict.ACCEPTED


def _close_stopped(evaluation: Evaluation) -> None:
    """Add rows for the games after the one that stopped it: not played, or not counted.

    What the batches happened to play beyond that game must not matter; its record is kept.
    """
    if evaluation.stop_index is None:
        return
    score = _fault_score(evaluation)
    beyond = evaluation.results.filter(index__gt=evaluation.stop_index)
    beyond.update(
        score=score,
        ending=STOPPED,
        fault_kind="",
        fault_seat=None,
        fault_turn=None,
        fault_detail="",
    )
    played = set(beyond.values_list("index", flat=True))
    GameResult.objects.bulk_create(
        GameResult(evaluation=evaluation, index=index, score=score, ending=STOPPED)
        for index in range(evaluation.stop_index + 1, evaluation.n_games)
        if index not in played
    )
    evaluation.faults = evaluation.results.exclude(fault_kind="").count()
    evaluation.save(update_fields=["faults"])


def _columns(final: Figures) -> dict[str, object]:
    summary, against = final.summary, final.against
    return {
        "won": None if against is None else against.won.mean,
        "against": None if against is None else msgspec.to_builtins(against),
        "mean": summary.mean,
        "sd": summary.sd,
        "standard_error": summary.standard_error,
        "low": summary.low,
        "high": summary.high,
        "lost": summary.lost,
        "histogram": [list(pair) for pair in summary.histogram],
    }


def _clocks(evaluation: Evaluation) -> dict[str, object]:
    walls: list[float] = []
    turns: list[int] = []
    second_plays = 0
    rows = evaluation.results.exclude(ending=STOPPED).defer("prints")
    for row in rows.iterator(chunk_size=200):
        if (played := row.played) is not None:
            walls.append(played.wall_ms)
            turns.extend(played.record.charged_us)
            second_plays += played.other_attempt is not None
    times = turn_times(turns)
    return {
        "ms_per_game": fmean(walls) if walls else None,
        "second_plays": second_plays,
        "turn_ms": {}
        if times is None
        else {
            "median": times.median / 1000,
            "p99": times.p99 / 1000,
            "max": times.slowest / 1000,
        },
    }


def _make_current(evaluation: Evaluation) -> None:
    if evaluation.kind == Kind.TRY:
        return
    same_agent(evaluation).filter(is_current=True).update(is_current=False)
    Evaluation.objects.filter(pk=evaluation.pk).update(is_current=True)
    evaluation.is_current = True


# See webapp/decisions/smoke-test-verdicts.md
def judge_smoke_test(evaluation: Evaluation) -> bool:
    """Make the submission ready or rejected; return whether this call found it ready."""
    submission = evaluation.submission
    if submission is None or evaluation.kind != Kind.SMOKE:
        raise ValueError(f"{evaluation} is not the smoke test of a submission")
    if evaluation.verdict == Verdict.REJECTED:
        return False
    submission.advance(SubmissionStatus.CHECKED)  # the report that it compiles may come late
    if not submission.advance(SubmissionStatus.SMOKE_TESTED):
        return False
    if evaluation.verdict == Verdict.FAULTY and not _clean_games(evaluation):
        submission.advance(SubmissionStatus.REJECTED, messages=[_every_game(evaluation)])
        return False
    return submission.advance(SubmissionStatus.READY, warning=_warning(evaluation))


def _clean_games(evaluation: Evaluation) -> int:
    return evaluation.results.filter(fault_kind="").exclude(ending=STOPPED).count()


def _every_game(evaluation: Evaluation) -> dict[str, str | int]:
    first = evaluation.results.exclude(fault_kind="").order_by("index").first()
    detail = "" if first is None else f" The first: {first.fault_detail}"
    many = "Its only game" if evaluation.faults == 1 else f"All {evaluation.faults} games"
    text = f"{many} of the first test ended with a fault of the agent.{detail}"
    evidence = None if first is None else first.evidence
    own = None if evidence is None else own_line(evidence.stderr)
    return message_of("", 0, text) if own is None else message_of(own.file, own.line, text)


def _warning(evaluation: Evaluation) -> str:
    if not evaluation.faults:
        return ""
    played = evaluation.faults + _clean_games(evaluation)
    return (
        f"{evaluation.faults} of {played} games of the first test ended with a fault of"
        " the agent. The agent can play, but each such game gets the worst possible score."
    )
