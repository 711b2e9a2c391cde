"""Plays a batch: its games in order, second plays at the end, the stop at a streak of faults."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

from grader.core.errors import RecordError
from grader.core.games import Game, game_from_options
from grader.core.records import BatchRequest, GameResult
from grader.play.debug import without_debug_build
from grader.play.games import BatchGames, open_games
from grader.play.refereed import refereed
from grader.play.second_plays import SecondPlays
from grader.play.slot import Slot


@contextmanager
def open_batch(
    request: BatchRequest, archives: Sequence[bytes], slot: Slot, folder: bytes = b""
) -> Iterator["Batch"]:
    """Open sandboxes for the agents of a request and build them; free everything on leaving.

    ``archives`` are the stored sources of ``request.agents``, ``folder`` those of an uploaded game.
    Raises SystemFault after three infrastructure failures, RecordError for a request that
    contradicts itself, and GameFault if uploaded rules fail.
    """
    with _game_of(request, folder, slot) as game, _opened(game, request, archives, slot) as batch:
        yield batch


def _game_of(request: BatchRequest, folder: bytes, slot: Slot) -> AbstractContextManager[Game]:
    if request.game_folder:
        facts = request.game_facts or ""
        return refereed(folder, request.game, request.options, slot, facts)
    return nullcontext(game_from_options(request.game, request.options))


@contextmanager
def _opened(
    game: Game, request: BatchRequest, archives: Sequence[bytes], slot: Slot
) -> Iterator["Batch"]:
    if not _fits(request, game) or len(archives) != len(request.agents):
        raise RecordError("seating, agents and sources of the request do not fit its game")
    if slot.debug and (not slot.sandboxed or without_debug_build(request.agents)):
        raise RecordError("only confined agents whose interface has checks are played with them")
    with open_games(game, request, archives, slot) as games:
        yield Batch(game, request, games, slot.second_play_within_seconds)
        games.pool.give_back()
        if slot.sandboxes is not None:
            slot.sandboxes.stock(slot.open_sandbox)


class Batch:
    """The games of a request, played in its order."""

    def __init__(
        self,
        game: Game,
        request: BatchRequest,
        games: BatchGames,
        second_play_within_seconds: float,
    ) -> None:
        self.game = game
        self._request = request
        self._games = games
        self.builds = games.build()
        """The outcome of each agent's build, in the order of ``request.agents``."""
        self._second_plays = SecondPlays(games.play_again, second_play_within_seconds)
        self.stopped = False
        """True if consecutive faults have ended the batch before its last game."""

    @property
    def playable(self) -> bool:
        """True if all agents could be built. If not, there are no games."""
        return all(build.ok for build in self.builds)

    def games(self) -> Iterator[GameResult]:
        """Play one game after another. Raises SystemFault; results yielded before stand.

        Second plays follow at the end, or as soon as a full streak of faults depends on them, in
        random order.
        """
        streak = _Streak(self._request.max_consecutive_faults)
        for order in self._request.games if self.playable else ():
            result, is_doubtful = self._games.play(order)
            streak.add(result)
            if not (is_doubtful and self._second_plays.put_off(order, result)):
                yield result
            if streak.is_over:
                yield from self._second_results(streak)
                if self.stopped:
                    return
        yield from self._second_results(streak)

    def _second_results(self, streak: "_Streak") -> Iterator[GameResult]:
        for result in self._second_plays.resolve():
            streak.add(result)
            yield result
        self.stopped = streak.is_over


def _fits(request: BatchRequest, game: Game) -> bool:
    seatings = {request.seating, *(order.seating for order in request.games if order.seating)}
    agents = range(len(request.agents))
    return all(
        len(seating) == game.seats and all(agent in agents for agent in seating)
        for seating in seatings
    )


class _Streak:
    """Consecutive faulted games, counted back from the last game played.

    ``max_faults`` of them end the batch; 0 never does.
    """

    def __init__(self, max_faults: int) -> None:
        self._max_faults = max_faults
        self._faulted: set[int] = set()
        self._last = -1

    def add(self, result: GameResult) -> None:
        """Note the result of a game; a second one replaces the first."""
        self._last = max(self._last, result.index)
        if result.record.fault is not None:
            self._faulted.add(result.index)
        else:
            self._faulted.discard(result.index)

    @property
    def is_over(self) -> bool:
        """True if the last ``max_faults`` games are all faulted."""
        run = range(self._last, self._last - self._max_faults, -1)
        return self._max_faults > 0 and self._faulted.issuperset(run)
