"""Games for tests: random legal play by the rules alone, as records, results and exports."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import itemgetter

from grader.core.deals import deal_seed
from grader.core.games import Game, game_from_options
from grader.core.games.base import JsonObject
from grader.core.records import (
    AgentLimits,
    AgentRef,
    BatchRequest,
    Evidence,
    Fault,
    FaultKind,
    GameResult,
    Record,
)
from grader.results.evaluation import EvaluationSpec
from grader.results.export import EvaluationExport, export_evaluation
from grader.results.grading_scheme import GradingScheme

SECRET = bytes(range(32))


def random_record(
    index: int = 0, *, name: str = "hanabi", variant: str = "standard", players: int = 2
) -> Record:
    game = game_from_options(name, {"variant": variant, "players": players})
    return random_play(game, deal_seed(SECRET, index), random.Random(index))  # noqa: S311 - as below


def random_play(game: Game, seed: bytes, choice: random.Random) -> Record:
    return _play(game, seed, choice.choice, lambda: choice.randrange(100, 5000))


def first_play(game: Game, seed: bytes) -> Record:
    return _play(game, seed, itemgetter(0), lambda: 100)


def _play(
    game: Game,
    seed: bytes,
    choose: Callable[[Sequence[JsonObject]], JsonObject],
    charge: Callable[[], int],
) -> Record:
    state, actions = game.deal(seed), []
    while state.seat_to_act is not None:
        action = choose(state.legal_actions())
        actions.append(game.notate(action))
        state.apply(action)
    assert state.ending is not None
    return Record(
        game=game.name,
        rules_version=game.rules_version,
        options=dict(game.options),
        deal_seed=seed.hex(),
        actions=" ".join(actions),
        charged_us=tuple(charge() for _ in actions),
        ending=str(state.ending),
        fault=None,
        scores=state.scores(),
    )


def faulted_record(index: int = 0, *, turn: int = 5) -> Record:
    whole = random_record(index)
    fault = Fault(seat=turn % 2, kind=FaultKind.TIMEOUT, turn=turn, detail="1.31 s were charged")
    return replace(
        whole,
        actions=" ".join(whole.actions.split()[:turn]),
        charged_us=(*whole.charged_us[:turn], 1_310_000),
        ending="fault",
        fault=fault,
        scores=(0, 0),
    )


def result(index: int, record: Record) -> GameResult:
    evidence = Evidence(sent="{}", received="", stderr="", exit="still running")
    return GameResult(
        index=index,
        record=record,
        wall_ms=5.0,
        max_charged_us=(max(record.charged_us, default=0),) * len(record.scores),
        peak_memory_kib=(9000,) * len(record.scores),
        evidence=evidence if record.fault else None,
    )


def really_played(request: BatchRequest) -> list[GameResult]:
    game = game_from_options(request.game, request.options)
    choice = random.Random(1)  # noqa: S311 - repeatable test data
    return [
        result(order.index, random_play(game, bytes.fromhex(order.deal_seed), choice))
        for order in request.games
    ]


def export(
    records: Sequence[Record], *, scheme: GradingScheme | None = None, reveal_secret: bool = True
) -> EvaluationExport:
    spec = EvaluationSpec(
        game="hanabi",
        options={"variant": "standard", "players": 2},
        limits=AgentLimits(),
        seating=(0, 0),
        n_games=len(records),
        max_consecutive_faults=3,
    )
    return export_evaluation(
        spec,
        title="Assignment 1, Ada",
        secret=SECRET,
        reveal_secret=reveal_secret,
        agents=[AgentRef(interface="python", sha256="0" * 64)],
        results=[result(index, record) for index, record in enumerate(records)],
        scheme=scheme,
    )
