"""The open sandboxes of a batch, one for each process of a game: kept from game to game."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from grader.play.building import BatchAgent
from grader.play.sandbox_cache import close_sandboxes
from grader.play.slot import Slot
from sandbox.open_sandbox import OpenSandbox


class SandboxPool:
    """Opens sandboxes for the agents of a game, and others when a game has other agents."""

    def __init__(
        self, slot: Slot, agents: Sequence[BatchAgent], games: Sequence[tuple[int, ...]]
    ) -> None:
        """``games`` has for each game, in order, the sorted agents of its processes."""
        self._slot = slot
        self._agents = agents
        self._games = games
        self.open_for = games[0]
        """The agent of each sandbox, while any are open."""
        self.sandboxes: list[OpenSandbox] = []

    def open(self) -> None:
        """Open the sandboxes, unless they are open."""
        if self.sandboxes:
            return
        with ThreadPoolExecutor(max_workers=len(self.open_for)) as executor:
            opening = [executor.submit(self._take, self._agents[at]) for at in self.open_for]
        failures = [future.exception() for future in opening]
        self.sandboxes = [future.result() for future in opening if future.exception() is None]
        for failure in failures:
            if failure is not None:
                raise failure

    def reopen_for(self, agents: tuple[int, ...]) -> None:
        """Leave the sandboxes to later batches if these agents differ from the present ones."""
        if agents != self.open_for:
            self.give_back()
            self.open_for = agents

    def reopen_with(self, agent: int) -> None:
        """Do so for the agents of the first game of one agent, unless that is present."""
        if agent not in self.open_for:
            self.reopen_for(next((game for game in self._games if agent in game), (agent,)))

    def of(self, agent: int) -> list[OpenSandbox]:
        """Return the open sandboxes of one agent."""
        pairs = zip(self.sandboxes, self.open_for, strict=False)
        return [opened for opened, open_for in pairs if open_for == agent]

    def require_whole(self) -> None:
        """Raise HostError if files of an open sandbox were removed."""
        for opened in self.sandboxes:
            opened.directory.require_whole()

    def close(self) -> None:
        """Close every sandbox, even if closing one fails."""
        opened, self.sandboxes = self.sandboxes, []
        close_sandboxes(opened)

    def give_back(self) -> None:
        """Leave the sandboxes to later batches, if the slot keeps any; nothing may run in them."""
        if self._slot.sandboxes is None or not self.sandboxes:  # none: a builder refused an agent
            self.close()
            return
        opened, self.sandboxes = self.sandboxes, []
        for sandbox, agent in zip(opened, self.open_for, strict=True):
            self._slot.sandboxes.give_back(self._agents[agent].key, sandbox)

    def _take(self, agent: BatchAgent) -> OpenSandbox:
        cache = self._slot.sandboxes
        waiting = None if cache is None else cache.take(agent.key, agent.sources, agent.artefact)
        return waiting or self._slot.open_sandbox(agent.program(), agent.limits)
