"""Agents for tests: sources of a few lines, packed as a submission is."""

from collections.abc import Iterable, Sequence

from grader.core.deals import PRACTICE_SECRET
from grader.core.records import AgentLimits, AgentRef, BatchRequest
from grader.results.evaluation import EvaluationSpec, batch_request
from grader.uploads.archive import read_upload

NOBODY = "0" * 64
"""A hash for agents whose sources are handed over directly."""

STEADY = """
from firebox import Agent

class Steady(Agent):
    def act(self, observation):
        return observation.legal_actions[-1]
"""
"""Plays the last legal action: hints while it can, then discards. Never at fault."""


def agent(act: str, *, top: str = "", start: str = "pass") -> str:
    """Source of an agent with these statements as the body of ``act`` (which may return None)."""

    def indented(text: str) -> str:
        return "\n".join(f"        {line}" for line in text.strip("\n").splitlines())

    return f"""
import time
from firebox import Agent
{top}

class Made(Agent):
    def start(self, context):
        self.context = context
{indented(start)}

    def act(self, observation):
{indented(act)}
        return observation.legal_actions[-1]
"""


def packed(source: str) -> bytes:
    """The archive of an uploaded ``agent.py`` with this source."""
    return read_upload("agent.py", source.encode()).archive()


def request_for(
    games: Iterable[int],
    *,
    players: int = 2,
    limits: AgentLimits | None = None,
    seating: Sequence[int] | None = None,
    sha256: Sequence[str] = (NOBODY,),
    max_consecutive_faults: int = 0,
    evaluation: str = "evaluation",
    batch: str = "batch",
) -> BatchRequest:
    """Ask for games of standard Hanabi on the practice deals."""
    indices = list(games)
    spec = EvaluationSpec(
        game="hanabi",
        options={"variant": "standard", "players": players},
        limits=limits or AgentLimits(),
        seating=tuple(seating or (0,) * players),
        n_games=len(indices),
        max_consecutive_faults=max_consecutive_faults,
    )
    return batch_request(
        spec,
        evaluation=evaluation,
        batch=batch,
        agents=[AgentRef(interface="python", sha256=each) for each in sha256],
        secret=PRACTICE_SECRET,
        indices=indices,
    )


def practice_request(
    spec: EvaluationSpec, interfaces: Sequence[str], indices: Sequence[int]
) -> BatchRequest:
    """Return a request for games on the practice deals, with an agent for each interface."""
    return batch_request(
        spec,
        evaluation="practice",
        batch="practice",
        agents=[AgentRef(interface=interface, sha256=NOBODY) for interface in interfaces],
        secret=PRACTICE_SECRET,
        indices=indices,
    )
