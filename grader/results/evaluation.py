"""Evaluations: their games, batches and scores that count.

Pure: every result is a function of the evaluation's spec and of its games. It does not depend on
batches, on the order of reports, or on how often a game was played.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import ceil, inf
from typing import Any, Final, NamedTuple, TypeVar

from msgspec import UNSET

from grader.core.deals import deal_seed
from grader.core.errors import RecordError
from grader.core.records import FORMAT, AgentLimits, AgentRef, BatchRequest, GameRequest, Mode

T = TypeVar("T")

MAX_GAMES: Final = 1_000_000
"""The most games of an evaluation: the results of a thousand take about two megabytes."""
BATCH_SECONDS: Final = 15.0
"""Usual duration of a batch."""
SHORT_BATCH_SECONDS: Final = 4.0
"""Duration of a batch where later games may turn out not to be needed."""
UNKNOWN_MS_PER_GAME: Final = 250.0
"""Assumed before any game of an agent was timed: slow, so that first batches are short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSpec:
    """The plan of an evaluation; with secret and agents it determines every game."""

    v: int = FORMAT
    game: str
    options: dict[str, Any]
    limits: AgentLimits
    seating: tuple[int, ...]
    """For each seat, the position of its agent; agent 0 is the one being evaluated. Against
    opponents, that of the first game."""
    n_games: int
    max_consecutive_faults: int = 20
    """The evaluation stops as faulty after this many faulted games in a row; 0: never."""
    mode: Mode | None = None
    """The seats that share a process; ``None``: as the interfaces prefer for this seating."""
    opponents: tuple[str, ...] = ()
    """Names of the agents 1, 2, …, of known strength. Agent 0 plays the same number of games
    against each; empty: all games have the same seating."""
    half_width: float | None = None
    """Practice only: it stops when the mean is known to ± this, and ``n_games`` is the most that it
    plays (``grader.results.figures``). ``None``: it plays all."""

    def __post_init__(self) -> None:
        """Raises ValueError unless each opponent gets the same number of games in full rounds, and
        for a half width that is not positive or combined with opponents."""
        whole = len(self.opponents) * len(self.seating)
        if self.opponents and (not whole or self.n_games < whole or self.n_games % whole):
            raise ValueError(f"{self.n_games} games do not divide into rounds of {whole}")
        if self.half_width is not None and not 0 < self.half_width < inf:
            raise ValueError(f"a mean cannot be known to ± {self.half_width}")
        if self.half_width is not None and self.opponents:
            raise ValueError("against opponents all rounds are played")


class GameSetup(NamedTuple):
    """The deal of a game of an evaluation, and the agent at each seat."""

    deal: int
    seating: tuple[int, ...]

    @property
    def seat(self) -> int:
        """The seat of the agent being evaluated, or its first."""
        return self.seating.index(0)

    @property
    def opponent(self) -> int:
        """Position of the agent at the other seats; 0 if there is none."""
        return max(self.seating)


def game_setup(spec: EvaluationSpec, index: int) -> GameSetup:
    """Return the setup of game ``index``.

    Against opponents every deal is played as often as there are seats, with agent 0 at each of
    them in turn and copies of one opponent at the others: both sides had the same cards. The games
    against one opponent follow one another, and all opponents meet the same deals.

    All deals are played at one seat before the first of them is played at the next: between two
    games of a deal all other deals are played. An agent can pass something to its next game by the
    time at which it ends, and must not learn a deal that way.
    """
    deals = deals_between(spec)
    if deals is None:
        return GameSetup(index, spec.seating)
    opponent, game = divmod(index, spec.n_games // len(spec.opponents))
    seat, deal = divmod(game, deals)
    seats = range(len(spec.seating))
    return GameSetup(deal, tuple(0 if at == seat else opponent + 1 for at in seats))


def deals_between(spec: EvaluationSpec) -> int | None:
    """Return the number of games before the deals repeat; ``None`` if they never do."""
    if not spec.opponents:
        return None
    return spec.n_games // (len(spec.opponents) * len(spec.seating))


def games_against(n: int, seats: int, opponents: int) -> int:
    """Return the games of an evaluation with ``n`` against each opponent, in full rounds.

    Without opponents, ``n``.
    """
    return n if not opponents else opponents * seats * ceil(n / seats)


def game_order(spec: EvaluationSpec, secret: bytes, index: int) -> GameRequest:
    """Return the request for game ``index``."""
    deal, seating = game_setup(spec, index)
    seed = deal_seed(secret, deal).hex()
    return GameRequest(index=index, deal_seed=seed, seating=seating if spec.opponents else ())


def batch_request(
    spec: EvaluationSpec,
    *,
    evaluation: str,
    batch: str,
    agents: Sequence[AgentRef],
    secret: bytes,
    indices: Sequence[int],
    check_first: bool = False,
    with_prints: bool = False,
) -> BatchRequest:
    """Return the request for the games ``indices``, with agent 0's output if asked."""
    return BatchRequest(
        evaluation=evaluation,
        batch=batch,
        game=spec.game,
        options=spec.options,
        limits=spec.limits,
        agents=tuple(agents),
        seating=spec.seating,
        games=tuple(game_order(spec, secret, index) for index in indices),
        max_consecutive_faults=spec.max_consecutive_faults,
        check_first=check_first,
        mode=spec.mode,
        ours=tuple(range(1, len(spec.opponents) + 1)),
        prints_of=(0,) if with_prints else UNSET,
    )


def plan_batches(
    indices: Sequence[int],
    *,
    ms_per_game: float | None,
    slots: int,
    target_seconds: float = BATCH_SECONDS,
    min_batch_seconds: float = 1.0,
    deals_between: int | None = None,
) -> tuple[tuple[int, ...], ...]:
    """Split games into contiguous batches of about ``target_seconds`` of work each.

    With ``deals_between`` (of the spec) no batch plays a deal twice: each of its rounds is planned
    by itself.

    Batches differ by at most one game, and their number is a multiple of ``slots``, so that all
    cores finish at about the same time; but a batch is not made shorter than ``min_batch_seconds``,
    which its containers' start-up would dominate. ``ms_per_game`` is ``None`` if not yet known.
    """
    if deals_between is not None:
        rounds = groupby(indices, key=lambda index: index // deals_between)
        return tuple(
            batch
            for _, games in rounds
            for batch in plan_batches(
                tuple(games),
                ms_per_game=ms_per_game,
                slots=slots,
                target_seconds=target_seconds,
                min_batch_seconds=min_batch_seconds,
            )
        )
    per_game = UNKNOWN_MS_PER_GAME if ms_per_game is None else max(ms_per_game, 0.01)
    seconds = len(indices) * per_game / 1000
    count = ceil(ceil(seconds / target_seconds) / slots) * slots
    count = max(1, min(count, ceil(seconds / min_batch_seconds), len(indices)))
    edges = [len(indices) * k // count for k in range(count + 1)]
    return tuple(tuple(indices[low:high]) for low, high in pairwise(edges) if low < high)


def stop_index(faulted: Collection[int], *, n: int, max_consecutive_faults: int) -> int | None:
    """Index of the game at which consecutive faults stopped the evaluation, or ``None``.

    It is the last game of the first run of ``max_consecutive_faults`` faulted indices. Computed
    while games are still missing it can later only move towards 0: games beyond it need not be
    played any more.
    """
    if not 1 <= max_consecutive_faults <= len(faulted):
        return None
    run = 0
    for index in range(n):
        run = run + 1 if index in faulted else 0
        if run == max_consecutive_faults:
            return index
    return None


def counted_scores(
    scores: Mapping[int, T | None], *, n: int, max_consecutive_faults: int, fault_score: T
) -> tuple[T, ...]:
    """The n scores that an evaluation's summary is made of, in the order of the indices.

    ``scores`` gives each played game's score by index, ``None`` for a game that a fault ended.
    A faulted game counts ``fault_score``, and so does every game after the one that stopped the
    evaluation, whether or not it was played: which of them were depends on the batches alone.
    Raises RecordError if a game that counts is missing.
    """
    faulted = {index for index, score in scores.items() if score is None}
    stop = stop_index(faulted, n=n, max_consecutive_faults=max_consecutive_faults)
    played = n if stop is None else stop + 1
    if missing := [index for index in range(played) if index not in scores]:
        raise RecordError(f"{len(missing)} of {n} games are missing, the first is {missing[0]}")
    counted = [scores[index] for index in range(played)]
    rest = (fault_score,) * (n - played)
    return tuple(fault_score if score is None else score for score in counted) + rest
