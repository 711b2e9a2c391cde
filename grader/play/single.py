"""One agent in one open sandbox: for a game with a person in it, and for a replay audit."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Self

from grader.core.games import Game
from grader.core.records import AgentLimits, AgentRef, BatchRequest, BuildReport, Mode
from grader.play.games import BatchGames, open_games
from grader.play.players import ProcessPlayer
from grader.play.slot import Slot


@contextmanager
def single_sandbox(
    game: Game, agent: AgentRef, limits: AgentLimits, archive: bytes, slot: Slot
) -> Iterator[tuple[BatchGames, BuildReport]]:
    """Open one sandbox and build the agent. Raises SystemFault after three failures of ours."""
    request = BatchRequest(
        evaluation="",
        batch="single",
        game=game.name,
        options=dict(game.options),
        limits=limits,
        agents=(agent,),
        seating=(0,),
        games=(),
        max_consecutive_faults=0,
        check_first=False,
        mode=Mode.SEAT,
    )
    with open_games(game, request, [archive], slot) as games:
        (build,) = games.build()
        yield games, build


class SingleSandbox:
    """A sandbox for one seat, and the agent built in it. Close it, or use it as a context."""

    def __init__(
        self, game: Game, agent: AgentRef, limits: AgentLimits, archive: bytes, slot: Slot
    ) -> None:
        """Open the sandbox and build the agent. Raises SystemFault after three failures of ours."""
        with ExitStack() as stack:
            opening = single_sandbox(game, agent, limits, archive, slot)
            self._games, self.build = stack.enter_context(opening)
            self._stack = stack.pop_all()
        self._player: ProcessPlayer | None = None

    def start(self, own_seats: Sequence[int]) -> ProcessPlayer:
        """Start a fresh process of the agent, which plays these seats; end the one before."""
        if self._player is not None:
            self._player.close()
        self._player = self._games.start(own_seats)
        return self._player

    def require_whole(self) -> None:
        """Raise HostError if files of the sandbox were removed."""
        self._games.pool.require_whole()

    def close(self) -> None:
        """End the process and free the sandbox."""
        with self._stack:
            if self._player is not None:
                self._player.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
